//! Given values replace, blank ones never erase, and `do_not_mail` only ever turns on (reference
//! sections 2.1 and 3).

use crate::client::ClientFields;

/// Merges what was given into what is known, all but the settled date, which has rules of its own.
/// Says whether a name, a street or a ZIP changed, so that the record has to be folded again.
pub(super) fn merge(known: &mut ClientFields, given: &ClientFields) -> bool {
    let mut refolds = false;
    for (known, given) in [
        (&mut known.first_name, &given.first_name),
        (&mut known.last_name, &given.last_name),
        (&mut known.address_line1, &given.address_line1),
        (&mut known.zip, &given.zip),
    ] {
        refolds |= replace(known, given);
    }
    for (known, given) in [
        (&mut known.external_id, &given.external_id),
        (&mut known.address_line2, &given.address_line2),
        (&mut known.city, &given.city),
        (&mut known.state, &given.state),
        (&mut known.email, &given.email),
        (&mut known.phone, &given.phone),
        (&mut known.case_type, &given.case_type),
    ] {
        replace(known, given);
    }
    known.opened_on = given.opened_on.or(known.opened_on);
    known.do_not_mail |= given.do_not_mail;
    refolds
}

/// Whether two records may fold to different facts.
pub(super) fn facts_differ(one: &ClientFields, other: &ClientFields) -> bool {
    one.first_name != other.first_name
        || one.last_name != other.last_name
        || one.address_line1 != other.address_line1
        || one.zip != other.zip
}

fn replace(known: &mut Option<String>, given: &Option<String>) -> bool {
    let changes = given.is_some() && known != given;
    if changes {
        known.clone_from(given);
    }
    changes
}
