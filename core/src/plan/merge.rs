//! Merges: given values replace, blank values never erase, and `do_not_mail` only turns on (rules U1
//! and U2).

use smol_str::SmolStr;

use super::shared::Shared;
use crate::client::ClientFields;

/// Merges given fields into known ones, except the settled date, which has rules of its own. Returns
/// whether a name, a line of the address or a ZIP changed, so that the record has to be folded again. Unchanged fields
/// stay borrowed.
pub(super) fn merge(known: &mut Shared<'_, ClientFields>, given: &ClientFields) -> bool {
    let replaces = |given: &Option<SmolStr>, known: &Option<SmolStr>| given.is_some() && known != given;
    let refolds = replaces(&given.first_name, &known.first_name)
        || replaces(&given.last_name, &known.last_name)
        || replaces(&given.address_line1, &known.address_line1)
        || replaces(&given.address_line2, &known.address_line2)
        || replaces(&given.zip, &known.zip);
    let changes = given.texts().into_iter().zip(known.texts()).any(|((_, given), (_, known))| replaces(given, known))
        || (given.opened_on.is_some() && given.opened_on != known.opened_on)
        || (given.do_not_mail && !known.do_not_mail);
    if changes {
        let known = known.to_mut();
        for ((_, known), (_, given)) in known.texts_mut().into_iter().zip(given.texts()) {
            if given.is_some() {
                known.clone_from(given);
            }
        }
        known.opened_on = given.opened_on.or(known.opened_on);
        known.do_not_mail |= given.do_not_mail;
    }
    refolds
}

/// Whether two records may fold to different match keys.
pub(super) fn match_keys_differ(one: &ClientFields, other: &ClientFields) -> bool {
    one.first_name != other.first_name
        || one.last_name != other.last_name
        || one.address_line1 != other.address_line1
        || one.address_line2 != other.address_line2
        || one.zip != other.zip
}
