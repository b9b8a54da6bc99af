//! Merges: given values replace, blank values never erase, and `do_not_mail` only turns on (rules U1
//! and U2).

use smol_str::SmolStr;

use super::shared::Shared;
use crate::{client::ClientFields, normalize::Field};

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
        let is_alias = is_alias(known, given);
        for ((field, known), (_, given)) in known.texts_mut().into_iter().zip(given.texts()) {
            let is_kept = is_alias && known.is_some() && matches!(field, Field::ExternalId | Field::CaseType);
            if given.is_some() && !is_kept {
                known.clone_from(given);
            }
        }
        let is_kept = is_alias && known.opened_on.is_some();
        known.opened_on = given.opened_on.filter(|_| !is_kept).or(known.opened_on);
        known.do_not_mail |= given.do_not_mail;
    }
    refolds
}

/// Whether a given external id is a further one of the client that it found: another matter of the same person (rule
/// M40).
pub(super) fn is_alias(known: &ClientFields, given: &ClientFields) -> bool {
    given.external_id.is_some() && known.external_id.is_some() && given.external_id != known.external_id
}

/// Whether two records may fold to different match keys.
pub(super) fn match_keys_differ(one: &ClientFields, other: &ClientFields) -> bool {
    one.first_name != other.first_name
        || one.last_name != other.last_name
        || one.address_line1 != other.address_line1
        || one.address_line2 != other.address_line2
        || one.zip != other.zip
}
