//! Who an incoming client is, in the order of design section 5: by external id; by name, street
//! and ZIP; or nobody, unless somebody of the same name cannot be told apart.

use smol_str::SmolStr;

use super::{
    Item,
    people::{People, Person},
};
use crate::matching::{Facts, PersonHash};

/// The answer to "who is this?".
pub(super) enum Found {
    /// The person at this place.
    Person(usize),
    /// Nobody who is known.
    Nobody,
    /// It cannot be said; the sentence says who is in the way and what would resolve it.
    InTheWay(String),
}

pub(super) fn find<'k>(item: Item<'k>, people: &mut People<'k>) -> Found {
    let external_id = item.input.fields.external_id.as_deref();
    if let Some(place) = external_id.and_then(|external_id| people.with_external_id(external_id)) {
        return Found::Person(place);
    }
    let hash = item.hash();
    if hash.name.is_none() {
        Found::Nobody
    } else if hash.has_match_key() {
        find_by_key(item, hash, people)
    } else {
        find_in_the_way(item, people)
    }
}

/// Rule 2: the same name, street and ZIP.
fn find_by_key<'k>(item: Item<'k>, hash: PersonHash, people: &mut People<'k>) -> Found {
    let matches = people.with_facts(item, hash);
    let mut persons = matches.iter().filter_map(|place| Some((*place, people.list.get(*place)?)));
    if item.input.fields.external_id.is_some() {
        match persons.clone().find(|(_, person)| person.fields.external_id.is_none()) {
            Some((place, _)) => Found::Person(place),
            None => match persons.next() {
                None => Found::Nobody,
                Some((_, person)) => Found::InTheWay(format!(
                    "The client with this name, street and ZIP has {}, not the one sent; two people are never merged. \
                     Send that external_id if it is the same person, or check the name and address if it is another.",
                    naming(person),
                )),
            },
        }
    } else {
        match (persons.next(), persons.next()) {
            (None, _) => Found::Nobody,
            (Some((place, _)), None) => Found::Person(place),
            (Some((_, first)), Some((_, second))) => Found::InTheWay(format!(
                "{} clients have this name, street and ZIP, among them one with {} and one with {}. Send the \
                 external_id of the one that is meant.",
                matches.len(),
                naming(first),
                naming(second),
            )),
        }
    }
}

/// Rule 3: somebody of the same name whom neither id, street nor ZIP tells apart.
fn find_in_the_way<'k>(item: Item<'k>, people: &mut People<'k>) -> Found {
    let external_id = &item.input.fields.external_id;
    let facts = Facts::of(&item.input.fields);
    let mut namesakes = people.with_name(item, &facts).into_iter().filter_map(|place| people.list.get(place));
    let somebody = namesakes.find(|person| is_like(item, &facts, person));
    match somebody {
        None => Found::Nobody,
        Some(person) => {
            let missing = match (&facts.street, &facts.zip5) {
                (None, None) => "address_line1 and zip",
                (None, Some(_)) => "address_line1",
                (Some(_), _) => "zip",
            };
            let other_way = match (&person.fields.external_id, external_id) {
                (Some(_), None) => ", or that external_id if it is the same person",
                _ => "",
            };
            Found::InTheWay(format!(
                "A client of the same name, with {}, cannot be told apart from this one. Send {missing}{other_way}.",
                naming(person),
            ))
        }
    }
}

/// Whether neither id, street nor ZIP tells a person of the same name apart from an item with these facts.
fn is_like(item: Item<'_>, facts: &Facts, person: &Person<'_>) -> bool {
    let ids_differ = item.input.fields.external_id.is_some() && person.fields.external_id.is_some();
    let known = person.facts();
    !ids_differ && !differ(&facts.street, &known.street) && !differ(&facts.zip5, &known.zip5)
}

/// All who are in the way of an item that [`find`] said this of, oldest first. Everybody is looked at, so that
/// the way of [`find`] by its tables is its own.
pub(super) fn in_the_way<'p, 'k>(item: Item<'k>, people: &'p People<'k>) -> impl Iterator<Item = &'p Person<'k>> {
    let (hash, facts) = (item.hash(), Facts::of(&item.input.fields));
    people.list.iter().filter(move |person| {
        if hash.has_match_key() {
            person.hash() == hash && *person.facts() == facts
        } else {
            person.hash().name == hash.name && person.facts().name == facts.name && is_like(item, &facts, person)
        }
    })
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
