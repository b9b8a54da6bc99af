//! Given values replace, blank ones never erase, and `do_not_mail` only ever turns on (reference
//! sections 2.1 and 3).

use std::ops::BitOr;

use smol_str::SmolStr;

use super::shared::Shared;
use crate::client::ClientFields;

/// The texts that replace each other, those first that are folded for comparing.
fn texts(fields: &ClientFields) -> [&Option<SmolStr>; 11] {
    [
        &fields.first_name,
        &fields.last_name,
        &fields.address_line1,
        &fields.zip,
        &fields.external_id,
        &fields.address_line2,
        &fields.city,
        &fields.state,
        &fields.email,
        &fields.phone,
        &fields.case_type,
    ]
}

/// [`texts`], to be replaced.
fn texts_mut(fields: &mut ClientFields) -> [&mut Option<SmolStr>; 11] {
    [
        &mut fields.first_name,
        &mut fields.last_name,
        &mut fields.address_line1,
        &mut fields.zip,
        &mut fields.external_id,
        &mut fields.address_line2,
        &mut fields.city,
        &mut fields.state,
        &mut fields.email,
        &mut fields.phone,
        &mut fields.case_type,
    ]
}

/// Merges what was given into what is known, all but the settled date, which has rules of its own.
/// What nothing changes for stays borrowed. Says whether a name, a street or a ZIP changed, so that
/// the record has to be folded again.
pub(super) fn merge(known: &mut Shared<'_, ClientFields>, given: &ClientFields) -> bool {
    let (refolds, changes) = changes(known, given);
    if changes {
        let known = known.to_mut();
        for (known, given) in texts_mut(known).into_iter().zip(texts(given)).filter(|(_, given)| given.is_some()) {
            known.clone_from(given);
        }
        known.opened_on = given.opened_on.or(known.opened_on);
        known.do_not_mail |= given.do_not_mail;
    }
    refolds
}

/// Whether something given replaces a name, a street or a ZIP; and whether it replaces anything.
fn changes(known: &ClientFields, given: &ClientFields) -> (bool, bool) {
    let replaces = |(known, given): (&Option<SmolStr>, &Option<SmolStr>)| given.is_some() && known != given;
    let mut replaced = texts(known).into_iter().zip(texts(given)).map(replaces);
    let refolds = replaced.by_ref().take(4).fold(false, BitOr::bitor);
    let changes = refolds
        || replaced.any(|is_replaced| is_replaced)
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
