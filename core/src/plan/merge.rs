//! Given values replace, blank ones never erase, and `do_not_mail` only ever turns on (reference
//! sections 2.1 and 3).

use smol_str::SmolStr;

use super::shared::Shared;
use crate::client::ClientFields;

/// Merges what was given into what is known, all but the settled date, which has rules of its own.
/// What nothing changes for stays borrowed. Says whether a name, a street or a ZIP changed, so that
/// the record has to be folded again.
pub(super) fn merge(known: &mut Shared<'_, ClientFields>, given: &ClientFields) -> bool {
    let (refolds, changes) = changes(known, given);
    if changes {
        known.replace(merged(known, given));
    }
    refolds
}

fn merged(known: &ClientFields, given: &ClientFields) -> ClientFields {
    let text = |given: &Option<SmolStr>, known: &Option<SmolStr>| given.as_ref().or(known.as_ref()).cloned();
    ClientFields {
        external_id: text(&given.external_id, &known.external_id),
        first_name: text(&given.first_name, &known.first_name),
        last_name: text(&given.last_name, &known.last_name),
        address_line1: text(&given.address_line1, &known.address_line1),
        address_line2: text(&given.address_line2, &known.address_line2),
        city: text(&given.city, &known.city),
        state: text(&given.state, &known.state),
        zip: text(&given.zip, &known.zip),
        email: text(&given.email, &known.email),
        phone: text(&given.phone, &known.phone),
        case_type: text(&given.case_type, &known.case_type),
        opened_on: given.opened_on.or(known.opened_on),
        settled_on: known.settled_on,
        do_not_mail: known.do_not_mail || given.do_not_mail,
    }
}

/// Whether something given replaces a name, a street or a ZIP; and whether it replaces anything.
fn changes(known: &ClientFields, given: &ClientFields) -> (bool, bool) {
    let replaces = |given: &Option<SmolStr>, known: &Option<SmolStr>| given.is_some() && known != given;
    let refolds = replaces(&given.first_name, &known.first_name)
        || replaces(&given.last_name, &known.last_name)
        || replaces(&given.address_line1, &known.address_line1)
        || replaces(&given.zip, &known.zip);
    let changes = refolds
        || replaces(&given.external_id, &known.external_id)
        || replaces(&given.address_line2, &known.address_line2)
        || replaces(&given.city, &known.city)
        || replaces(&given.state, &known.state)
        || replaces(&given.email, &known.email)
        || replaces(&given.phone, &known.phone)
        || replaces(&given.case_type, &known.case_type)
        || (given.opened_on.is_some() && given.opened_on != known.opened_on)
        || (given.do_not_mail && !known.do_not_mail);
    (refolds, changes)
}

/// Whether two records may fold to different facts.
pub(super) fn facts_differ(one: &ClientFields, other: &ClientFields) -> bool {
    one.first_name != other.first_name
        || one.last_name != other.last_name
        || one.address_line1 != other.address_line1
        || one.zip != other.zip
}
