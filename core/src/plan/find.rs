//! Who an incoming client is, in the order of design section 5: by external id; by name, street
//! and ZIP; or nobody, unless somebody of the same name cannot be told apart.

use smol_str::SmolStr;

use super::{
    CANDIDATES_MAX, Item, MatchedBy,
    people::{People, Person},
};
use crate::matching::Facts;

/// The answer to "who is this?".
pub(super) enum Found {
    /// The person at this place.
    Person(usize, MatchedBy),
    /// Nobody who is known.
    Nobody,
    /// It cannot be said. The sentence says who is in the way and what would resolve it; the places are
    /// theirs, oldest first: all of them where the batch is explained, at least one otherwise.
    InTheWay(String, Vec<usize>),
}

pub(super) fn find<'k>(item: Item<'k>, people: &mut People<'k>) -> Found {
    let external_id = item.input.fields.external_id.as_deref();
    if let Some(place) = external_id.and_then(|external_id| people.with_external_id(external_id)) {
        return Found::Person(place, MatchedBy::ExternalId);
    }
    if item.hash.name.is_none() {
        Found::Nobody
    } else if item.hash.has_match_key() {
        find_by_key(item, people)
    } else {
        find_in_the_way(item, people)
    }
}

/// Rule 2: the same name, street and ZIP.
fn find_by_key<'k>(item: Item<'k>, people: &mut People<'k>) -> Found {
    let matches = people.with_facts(item);
    let mut persons = matches.iter().filter_map(|place| Some((*place, people.list.get(*place)?)));
    if item.input.fields.external_id.is_some() {
        if let Some((place, _)) = persons.clone().find(|(_, person)| person.fields.external_id.is_none()) {
            return Found::Person(place, MatchedBy::NameAddressZip);
        }
        let Some((_, person)) = persons.next() else { return Found::Nobody };
        let message = format!(
            "The client with this name, street and ZIP has {}, not the one sent; two people are never merged. \
             Send that external_id if it is the same person, or check the name and address if it is another.",
            naming(person),
        );
        Found::InTheWay(message, matches)
    } else {
        let Some((place, first)) = persons.next() else { return Found::Nobody };
        let Some((_, second)) = persons.next() else { return Found::Person(place, MatchedBy::NameAddressZip) };
        let message = format!(
            "{} clients have this name, street and ZIP, among them one with {} and one with {}. Send the \
             external_id of the one that is meant.",
            matches.len(),
            naming(first),
            naming(second),
        );
        Found::InTheWay(message, matches)
    }
}

/// Rule 3: somebody of the same name whom neither id, street nor ZIP tells apart.
fn find_in_the_way<'k>(item: Item<'k>, people: &mut People<'k>) -> Found {
    let external_id = &item.input.fields.external_id;
    let facts = Facts::of(&item.input.fields);
    let namesakes = people.with_name(item, &facts);
    let is_in_the_way = |person: &Person<'_>| {
        let ids_differ = external_id.is_some() && person.fields.external_id.is_some();
        let known = person.facts();
        !ids_differ && !differ(&facts.street, &known.street) && !differ(&facts.zip5, &known.zip5)
    };
    let enough = if people.is_explained() { CANDIDATES_MAX } else { 1 };
    let in_the_way = |place: &usize| people.list.get(*place).is_some_and(is_in_the_way);
    let places: Vec<_> = namesakes.into_iter().filter(in_the_way).take(enough).collect();
    let Some(person) = places.first().and_then(|place| people.list.get(*place)) else { return Found::Nobody };
    let missing = match (&facts.street, &facts.zip5) {
        (None, None) => "address_line1 and zip",
        (None, Some(_)) => "address_line1",
        (Some(_), _) => "zip",
    };
    let other_way = match (&person.fields.external_id, external_id) {
        (Some(_), None) => ", or that external_id if it is the same person",
        _ => "",
    };
    let message = format!(
        "A client of the same name, with {}, cannot be told apart from this one. Send {missing}{other_way}.",
        naming(person),
    );
    Found::InTheWay(message, places)
}

/// Whether both are known and different. What one of them lacks tells nobody apart.
fn differ(one: &Option<SmolStr>, other: &Option<SmolStr>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if one != other)
}

/// How a message names a client to the account that it belongs to.
fn naming(person: &Person<'_>) -> String {
    match &person.fields.external_id {
        Some(external_id) => format!("external_id \"{external_id}\""),
        None => "no external_id".to_owned(),
    }
}
