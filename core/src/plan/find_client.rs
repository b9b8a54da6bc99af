//! Finds the stored client that an incoming client is: by external id, then by name, street and ZIP
//! (rules M26 to M30). A match that is not certain is a conflict.

use super::{Conflict, Item, people::People};
use crate::{order, store::NAMESAKES_SHOWN};

/// The result of the search.
pub(super) enum Found {
    /// The person at this place of the list.
    Person(usize),
    /// No match.
    Nobody,
    /// A conflict with other clients.
    Ambiguous(Conflict),
}

pub(super) fn find(item: &Item, people: &mut People<'_>) -> Found {
    let external_id = item.input.fields.external_id.as_deref();
    if let Some(place) = external_id.and_then(|external_id| people.with_external_id(external_id)) {
        return Found::Person(place);
    }
    let hash = item.hash;
    if hash.name.is_none() {
        Found::Nobody
    } else if hash.is_complete() {
        find_by_key(item, people)
    } else {
        find_ambiguous(item, people)
    }
}

/// By the same name, street and ZIP.
fn find_by_key(item: &Item, people: &mut People<'_>) -> Found {
    let folded = people.folded();
    folded.index_large_groups();
    let [without_id, with_id] =
        [false, true].map(|has_external_id| folded.with_match_key(item, has_external_id).next());
    if without_id.or(with_id).is_none() {
        return Found::Nobody;
    }
    if item.input.fields.external_id.is_some() {
        if let Some(place) = without_id {
            return Found::Person(place);
        }
    } else {
        let mut matches = folded.with_match_key(item, false).take(2).chain(folded.with_match_key(item, true).take(2));
        if let (Some(only), None) = (matches.next(), matches.next()) {
            return Found::Person(only);
        }
    }
    Found::Ambiguous(conflict(item, people))
}

/// Without a street or a ZIP: a conflict if a person of the same name has no other id, street or ZIP.
fn find_ambiguous(item: &Item, people: &mut People<'_>) -> Found {
    let conflict = conflict(item, people);
    if conflict.count() == 0 { Found::Nobody } else { Found::Ambiguous(conflict) }
}

fn conflict(item: &Item, people: &mut People<'_>) -> Conflict {
    let places = ambiguous(item, people);
    Conflict::of(item, places.into_iter().filter_map(|place| people.list.get(place)))
}

/// The people that conflict with an item if it is not found, oldest first. Of many it has the oldest without and
/// the oldest with an external id, of each more than a message counts.
pub(super) fn ambiguous(item: &Item, people: &mut People<'_>) -> Vec<usize> {
    const ENOUGH: usize = NAMESAKES_SHOWN + 1;
    let folded = people.folded();
    let mut places = Vec::new();
    for has_external_id in [false, true] {
        if item.hash.is_complete() {
            places.extend(folded.with_match_key(item, has_external_id).take(ENOUGH));
        } else if !has_external_id || item.input.fields.external_id.is_none() {
            let groups = folded.like(item, has_external_id);
            let mut alike: Vec<_> = groups.flat_map(|group| group.take(ENOUGH)).collect();
            order::sort_by(&mut alike, Ord::cmp);
            places.extend(alike.into_iter().take(ENOUGH));
        }
    }
    order::sort_by(&mut places, Ord::cmp);
    places
}
