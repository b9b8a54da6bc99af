//! Finds the stored client that an incoming client is: by external id, then by name, street and ZIP
//! (rules M26 to M30). A match that is not certain is a conflict.

use smol_str::SmolStr;

use super::{
    Item,
    conflict_message::Conflicting,
    people::{People, Person},
};
use crate::matching::MatchKey;

/// The result of the search.
pub(super) enum Found {
    /// The person at this position.
    Person(usize),
    /// No match.
    Nobody,
    /// A conflict. The sentence names the other clients and says how to resolve it.
    Ambiguous(String),
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
    let matches = people.folded().with_match_key(item);
    let persons = || matches.iter().filter_map(|place| Some((*place, people.list.get(*place)?)));
    let only_one = match matches.as_slice() {
        [] => return Found::Nobody,
        [only] => Some(*only),
        _ => None,
    };
    let conflicting = || Conflicting::of(persons().map(|(_, person)| person.fields.external_id.as_ref()));
    if item.input.fields.external_id.is_some() {
        let without_id = persons().find(|(_, person)| person.fields.external_id.is_none());
        without_id
            .map_or_else(|| Found::Ambiguous(conflicting().other_external_ids()), |(place, _)| Found::Person(place))
    } else {
        only_one.map_or_else(|| Found::Ambiguous(conflicting().several()), Found::Person)
    }
}

/// Without a street or a ZIP: a conflict if a person of the same name has no other id, street or ZIP.
fn find_ambiguous(item: &Item, people: &mut People<'_>) -> Found {
    let namesakes = people.folded().with_name(item);
    let person = |place: usize| Some((people.list.get(place)?, people.match_key().get(place)?));
    let alike = namesakes.into_iter().filter_map(person).filter(|(person, match_key)| is_like(item, person, match_key));
    let conflicting = Conflicting::of(alike.map(|(person, _)| person.fields.external_id.as_ref()));
    if conflicting.count() == 0 { Found::Nobody } else { Found::Ambiguous(conflicting.not_told_apart(item)) }
}

/// Whether a person of the same name has no other id, street or ZIP than the item.
fn is_like(item: &Item, person: &Person<'_>, match_key: &MatchKey) -> bool {
    let ids_differ = item.input.fields.external_id.is_some() && person.fields.external_id.is_some();
    !ids_differ && !differ(&item.match_key.street, &match_key.street) && !differ(&item.match_key.zip5, &match_key.zip5)
}

/// The people that conflict with an item that [`find`] refused, oldest first. It compares every person, so
/// that it does not depend on the indexes of [`find`].
pub(super) fn ambiguous<'p, 'k>(item: &'p Item, people: &'p People<'k>) -> impl Iterator<Item = &'p Person<'k>> {
    let conflicts = |(person, match_key): &(&Person<'_>, &MatchKey)| {
        if item.match_key.is_complete() {
            **match_key == item.match_key
        } else {
            match_key.name == item.match_key.name && is_like(item, person, match_key)
        }
    };
    people.list.iter().zip(people.match_key()).filter(conflicts).map(|(person, _)| person)
}

/// Whether both are known and different.
fn differ(one: &Option<SmolStr>, other: &Option<SmolStr>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if one != other)
}
