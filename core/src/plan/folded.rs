//! The match keys of a list of people, with an index by their hashes.

use super::{Item, position_index::PositionIndex};
use crate::matching::{MatchKey, PersonHash, same_person};

pub(super) struct Folded {
    /// In the order of the list.
    people: Vec<Facts>,
    groups: PositionIndex<(Group, HasExternalId)>,
    /// Whether the groups by name are indexed. Only items without a street or a ZIP need them.
    has_name_groups: bool,
    /// The groups of one street by unit, made for the first item after a group has become large.
    by_unit: Option<PositionIndex<(Group, Units, HasExternalId)>>,
}

/// From so many people on, a group of one street is read by unit.
const LARGE_GROUP: usize = 64;

/// What is compared of one person.
#[derive(Clone)]
struct Facts {
    match_key: MatchKey,
    /// That of the match key.
    hash: PersonHash,
    has_external_id: HasExternalId,
}

type HasExternalId = bool;

/// Sets of people, so that an item finds those that conflict with it without passing over others of the name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Group {
    /// Name, street without its unit, and ZIP.
    Person(i64, i64, i64),
    /// The name.
    Name(i64),
    /// The name, and the ZIP or none.
    Zip(i64, Option<i64>),
    /// The name, and the street or none.
    Street(i64, Option<i64>),
}

/// A set of people of one street by their unit, so that those of a large house are not compared with each other. It is
/// the unit's hash: of line 1, or below zero of line 2; 0 for everyone without a unit in line 1.
type Units = i64;

/// The sets of units that a person is in.
fn units_of(hash: PersonHash) -> impl Iterator<Item = Units> {
    [Some(hash.unit.max(0)), Some(hash.unit).filter(|unit| *unit < 0)].into_iter().flatten()
}

/// The sets of units that have all people with the same unit. Nobody is in both.
fn same_units(hash: PersonHash) -> [Option<Units>; 2] {
    [Some(hash.unit.max(0)), Some(-hash.unit).filter(|unit| *unit != 0)]
}

impl Group {
    /// Whether everyone in it has one street, so that a unit tells them apart.
    const fn is_of_street(&self) -> bool {
        matches!(self, Self::Person(..) | Self::Street(_, Some(_)))
    }

    /// Of a complete hash. A position in it may be that of another person, as of any hash.
    fn person(hash: PersonHash) -> Self {
        let [name, street, zip5] = [hash.name, hash.street, hash.zip5].map(Option::unwrap_or_default);
        Self::Person(name, street, zip5)
    }
}

impl Folded {
    /// Folds everyone in a list.
    pub(super) fn of(list: impl ExactSizeIterator<Item = (MatchKey, HasExternalId)>) -> Self {
        let groups = PositionIndex::with_capacity(list.len());
        let people = Vec::with_capacity(list.len());
        let mut folded = Self { people, groups, has_name_groups: false, by_unit: None };
        for (place, (match_key, has_external_id)) in list.enumerate() {
            let hash = match_key.hash();
            folded.set(place, match_key, hash, has_external_id);
        }
        folded
    }

    /// Sets the facts of the person at a position, or adds those of the next person. The hash is that of the match key.
    pub(super) fn set(&mut self, place: usize, match_key: MatchKey, hash: PersonHash, has_external_id: HasExternalId) {
        let facts = Facts { match_key, hash, has_external_id };
        if let Some(earlier) = self.people.get(place) {
            let hash = earlier.hash;
            for group in self.groups_of(hash) {
                self.groups.remove((group, earlier.has_external_id), place);
                if let Some(by_unit) = self.by_unit.as_mut().filter(|_| group.is_of_street()) {
                    units_of(hash).for_each(|units| by_unit.remove((group, units, earlier.has_external_id), place));
                }
            }
        }
        for group in self.groups_of(hash) {
            self.groups.add((group, has_external_id), place);
            if let Some(by_unit) = self.by_unit.as_mut().filter(|_| group.is_of_street()) {
                units_of(hash).for_each(|units| by_unit.add((group, units, has_external_id), place));
            }
        }
        match self.people.get_mut(place) {
            Some(earlier) => *earlier = facts,
            None => self.people.push(facts),
        }
    }

    /// Marks the person at a position as one with an external id.
    pub(super) fn has_external_id_now(&mut self, place: usize) {
        if let Some(facts) = self.people.get(place).filter(|facts| !facts.has_external_id).cloned() {
            self.set(place, facts.match_key, facts.hash, true);
        }
    }

    fn groups_of(&self, hash: PersonHash) -> impl Iterator<Item = Group> + use<> {
        let name = hash.name.filter(|_| self.has_name_groups);
        let by_name = |name| [Group::Name(name), Group::Zip(name, hash.zip5), Group::Street(name, hash.street)];
        let person = hash.is_complete().then(|| Group::person(hash));
        person.into_iter().chain(name.map(by_name).into_iter().flatten())
    }

    /// The people with the name, street and ZIP of an item, and with or without an external id, oldest first.
    pub(super) fn with_match_key<'f>(
        &'f self,
        item: &'f Item,
        has_external_id: HasExternalId,
    ) -> impl Iterator<Item = usize> + 'f {
        let places = self.with_unit(Group::person(item.hash), item.hash, has_external_id);
        let is_same = |facts: &Facts| same_person(&facts.match_key, &item.match_key);
        places.filter(move |place| self.people.get(*place).is_some_and(is_same))
    }

    /// The people of a group, oldest first: all of them, or where the groups are indexed by unit, those with the unit
    /// of a hash.
    fn with_unit(
        &self,
        group: Group,
        hash: PersonHash,
        has_external_id: HasExternalId,
    ) -> impl Iterator<Item = usize> + '_ {
        let Some(by_unit) = self.by_unit.as_ref().filter(|_| group.is_of_street()) else {
            return Places::All(self.groups.of((group, has_external_id)));
        };
        let of = |units: Units| by_unit.of((group, units, has_external_id));
        let [one, other] = same_units(hash).map(|units| units.map(of).into_iter().flatten());
        Places::OfUnit(ascending(one, other))
    }

    /// Indexes the groups of one street by unit, if a group is large.
    #[inline]
    pub(super) fn index_large_groups(&mut self) {
        if self.by_unit.is_none() && self.groups.most_places() >= LARGE_GROUP {
            self.index_by_unit();
        }
    }

    #[cold]
    fn index_by_unit(&mut self) {
        let mut by_unit = PositionIndex::with_capacity(self.people.len());
        for (place, facts) in self.people.iter().enumerate() {
            for group in self.groups_of(facts.hash).filter(Group::is_of_street) {
                units_of(facts.hash).for_each(|units| by_unit.add((group, units, facts.has_external_id), place));
            }
        }
        self.by_unit = Some(by_unit);
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
            PersonHash { name: None, .. } => [None, None],
            PersonHash { name: Some(name), zip5: Some(zip5), .. } => {
                [Some(Group::Zip(name, Some(zip5))), Some(Group::Zip(name, None))]
            }
            PersonHash { name: Some(name), street: Some(street), .. } => {
                [Some(Group::Street(name, Some(street))), Some(Group::Street(name, None))]
            }
            PersonHash { name: Some(name), .. } => [Some(Group::Name(name)), None],
        };
        self.index_large_groups();
        let folded = &*self;
        groups.into_iter().flatten().map(move |group| {
            let places = folded.with_unit(group, item.hash, has_external_id);
            places.filter(|place| folded.people.get(*place).is_some_and(|facts| is_like(item, &facts.match_key)))
        })
    }

    fn index_name_groups(&mut self) {
        if self.has_name_groups {
            return;
        }
        self.has_name_groups = true;
        for (place, facts) in self.people.iter().enumerate() {
            for group in self.groups_of(facts.hash) {
                self.groups.add((group, facts.has_external_id), place);
            }
        }
        // It lacks the groups by name.
        self.by_unit = None;
    }
}

/// The positions of a whole group, or of those with one unit.
enum Places<All, OfUnit> {
    All(All),
    OfUnit(OfUnit),
}

impl<All: Iterator<Item = usize>, OfUnit: Iterator<Item = usize>> Iterator for Places<All, OfUnit> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        match self {
            Self::All(all) => all.next(),
            Self::OfUnit(of_unit) => of_unit.next(),
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
