//! The match keys of a list of people, with an index by their hashes.

use super::{Item, position_index::PositionIndex};
use crate::matching::{MatchKey, PersonHash, same_person};

pub(super) struct Folded {
    /// In the order of the list.
    people: Vec<Facts>,
    groups: PositionIndex<(Group, HasExternalId)>,
    /// Whether the groups by name are indexed. Only items without a street or a ZIP need them.
    has_name_groups: bool,
}

/// What is compared of one person.
#[derive(Clone)]
struct Facts {
    match_key: MatchKey,
    has_external_id: HasExternalId,
}

type HasExternalId = bool;

/// Sets of people, so that an item finds those that conflict with it without passing over others of the name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Group {
    /// Name, street without its unit, ZIP, and a set of units.
    Person(i64, i64, i64, Units),
    /// The name.
    Name(i64),
    /// The name, and the ZIP or none.
    Zip(i64, Option<i64>),
    /// The name, and the street with a set of units, or none.
    Street(i64, Option<(i64, Units)>),
}

/// A set of people of one street by their unit, so that those of a large house are not compared with each other. It is
/// the unit's hash: of line 1, or below zero of line 2; 0 for everyone without a unit in line 1.
type Units = i64;

impl Group {
    /// Of a complete hash. A position in it may be that of another person, as of any hash.
    fn person(hash: PersonHash, units: Units) -> Self {
        let [name, street, zip5] = [hash.name, hash.street, hash.zip5].map(Option::unwrap_or_default);
        Self::Person(name, street, zip5, units)
    }
}

/// The sets of units that a person is in.
fn units_of(hash: PersonHash) -> [Option<Units>; 2] {
    [Some(hash.unit.max(0)), Some(hash.unit).filter(|unit| *unit < 0)]
}

/// The sets of units that have all people with the same unit. Nobody is in both.
fn same_units(hash: PersonHash) -> [Option<Units>; 2] {
    [Some(hash.unit.max(0)), Some(-hash.unit).filter(|unit| *unit != 0)]
}

impl Folded {
    /// Folds everyone in a list.
    pub(super) fn of(list: impl ExactSizeIterator<Item = (MatchKey, HasExternalId)>) -> Self {
        let groups = PositionIndex::with_capacity(list.len());
        let mut folded = Self { people: Vec::with_capacity(list.len()), groups, has_name_groups: false };
        for (place, (match_key, has_external_id)) in list.enumerate() {
            folded.set(place, match_key, has_external_id);
        }
        folded
    }

    /// Sets the facts of the person at a position, or adds those of the next person.
    pub(super) fn set(&mut self, place: usize, match_key: MatchKey, has_external_id: HasExternalId) {
        let facts = Facts { match_key, has_external_id };
        if let Some(earlier) = self.people.get(place) {
            for group in self.groups_of(earlier.match_key.hash()) {
                self.groups.remove((group, earlier.has_external_id), place);
            }
        }
        for group in self.groups_of(facts.match_key.hash()) {
            self.groups.add((group, has_external_id), place);
        }
        match self.people.get_mut(place) {
            Some(earlier) => *earlier = facts,
            None => self.people.push(facts),
        }
    }

    /// Marks the person at a position as one with an external id.
    pub(super) fn has_external_id_now(&mut self, place: usize) {
        if let Some(facts) = self.people.get(place).filter(|facts| !facts.has_external_id).cloned() {
            self.set(place, facts.match_key, true);
        }
    }

    fn groups_of(&self, hash: PersonHash) -> impl Iterator<Item = Group> + use<> {
        let name = hash.name.filter(|_| self.has_name_groups);
        let by_name = move |name| {
            let street = units_of(hash).map(|units| match hash.street {
                Some(street) => units.map(|units| Group::Street(name, Some((street, units)))),
                None => units.filter(|units| *units >= 0).map(|_| Group::Street(name, None)),
            });
            [Group::Name(name), Group::Zip(name, hash.zip5)].into_iter().chain(street.into_iter().flatten())
        };
        let units = if hash.is_complete() { units_of(hash) } else { [None, None] };
        let person = units.into_iter().flatten().map(move |units| Group::person(hash, units));
        person.chain(name.map(by_name).into_iter().flatten())
    }

    /// The people with the name, street and ZIP of an item, and with or without an external id, oldest first.
    pub(super) fn with_match_key<'f>(
        &'f self,
        item: &'f Item,
        has_external_id: HasExternalId,
    ) -> impl Iterator<Item = usize> + 'f {
        let of = |units: Option<Units>| {
            let places = units.map(|units| self.groups.of((Group::person(item.hash, units), has_external_id)));
            places.into_iter().flatten()
        };
        let is_same = |facts: &Facts| same_person(&facts.match_key, &item.match_key);
        let [one, other] = same_units(item.hash).map(of);
        ascending(one, other).filter(move |place| self.people.get(*place).is_some_and(is_same))
    }

    /// The people with the name of an item that lacks a street or a ZIP, without another street or ZIP, and with or
    /// without an external id, oldest first within each group.
    pub(super) fn like<'f>(
        &'f mut self,
        item: &'f Item,
        has_external_id: HasExternalId,
    ) -> impl Iterator<Item = impl Iterator<Item = usize> + 'f> + 'f {
        self.index_name_groups();
        let groups = match item.hash {
            PersonHash { name: None, .. } => [None, None, None],
            PersonHash { name: Some(name), zip5: Some(zip5), .. } => {
                [Some(Group::Zip(name, Some(zip5))), Some(Group::Zip(name, None)), None]
            }
            PersonHash { name: Some(name), street: Some(street), .. } => {
                let [one, other] =
                    same_units(item.hash).map(|units| units.map(|units| Group::Street(name, Some((street, units)))));
                [one, other, Some(Group::Street(name, None))]
            }
            PersonHash { name: Some(name), .. } => [Some(Group::Name(name)), None, None],
        };
        let folded = &*self;
        groups.into_iter().flatten().map(move |group| {
            let places = folded.groups.of((group, has_external_id));
            places.filter(|place| folded.people.get(*place).is_some_and(|facts| is_like(item, &facts.match_key)))
        })
    }

    fn index_name_groups(&mut self) {
        if self.has_name_groups {
            return;
        }
        self.has_name_groups = true;
        for (place, facts) in self.people.iter().enumerate() {
            for group in self.groups_of(facts.match_key.hash()) {
                self.groups.add((group, facts.has_external_id), place);
            }
        }
    }
}

/// The positions of both in ascending order.
fn ascending(one: impl Iterator<Item = usize>, other: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
    let (mut one, mut other) = (one.peekable(), other.peekable());
    std::iter::from_fn(move || match (one.peek(), other.peek()) {
        (Some(first), Some(second)) if first > second => other.next(),
        (None, _) => other.next(),
        _ => one.next(),
    })
}

/// Whether both have the same name and no two different streets or ZIPs.
fn is_like(item: &Item, match_key: &MatchKey) -> bool {
    let differ = |one: &Option<_>, other: &Option<_>| one.is_some() && other.is_some() && one != other;
    let own = &item.match_key;
    own.name == match_key.name
        && (own.street.is_none() || match_key.street.is_none() || own.has_same_street(match_key))
        && !differ(&own.zip5, &match_key.zip5)
}
