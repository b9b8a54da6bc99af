//! The folded facts of a list of people, with indexes by their hashes.

use super::{Item, places::Places};
use crate::{
    client::ClientFields,
    matching::{Facts, PersonHash},
};

pub(super) struct Folded {
    /// In the order of the list.
    facts: Vec<Facts>,
    by_person: Places<PersonHash>,
    by_name: Places<i64>,
}

impl Folded {
    /// Folds everyone in a list.
    pub(super) fn of<'a>(list: impl ExactSizeIterator<Item = &'a ClientFields>) -> Self {
        let capacity = list.len();
        let facts = Vec::with_capacity(capacity);
        let (by_person, by_name) = (Places::with_capacity(capacity), Places::with_capacity(capacity));
        let mut folded = Self { facts, by_person, by_name };
        for (place, fields) in list.enumerate() {
            folded.set(place, Facts::of(fields));
        }
        folded
    }

    /// Sets the facts of the person at a position, or adds those of the next person.
    pub(super) fn set(&mut self, place: usize, facts: Facts) {
        let hash = facts.hash();
        if hash.has_match_key() {
            self.by_person.add(hash, place);
        }
        if let Some(name) = hash.name {
            self.by_name.add(name, place);
        }
        match self.facts.get_mut(place) {
            Some(earlier) => *earlier = facts,
            None => self.facts.push(facts),
        }
    }

    pub(super) fn facts(&self) -> &[Facts] {
        &self.facts
    }

    /// The people with the name, street and ZIP of an item, oldest first.
    pub(super) fn with_facts(&self, item: &Item) -> Vec<usize> {
        self.confirmed(self.by_person.of(&item.hash), |facts| *facts == item.facts)
    }

    /// The people with the name of an item, oldest first.
    pub(super) fn with_name(&self, item: &Item) -> Vec<usize> {
        let Some(name) = item.hash.name else { return Vec::new() };
        self.confirmed(self.by_name.of(&name), |facts| facts.name == item.facts.name)
    }

    fn confirmed(&self, mut places: Vec<usize>, holds: impl Fn(&Facts) -> bool) -> Vec<usize> {
        places.retain(|place| self.facts.get(*place).is_some_and(&holds));
        places
    }
}
