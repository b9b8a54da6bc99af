//! The match keys of a list of people, with indexes by their hashes.

use super::{Item, position_index::PositionIndex};
use crate::{
    client::ClientFields,
    matching::{MatchKey, PersonHash},
};

pub(super) struct Folded {
    /// In the order of the list.
    match_key: Vec<MatchKey>,
    by_person: PositionIndex<PersonHash>,
    by_name: PositionIndex<i64>,
}

impl Folded {
    /// Folds everyone in a list.
    pub(super) fn of<'a>(list: impl ExactSizeIterator<Item = &'a ClientFields>) -> Self {
        let capacity = list.len();
        let match_key = Vec::with_capacity(capacity);
        let (by_person, by_name) = (PositionIndex::with_capacity(capacity), PositionIndex::with_capacity(capacity));
        let mut folded = Self { match_key, by_person, by_name };
        for (place, fields) in list.enumerate() {
            folded.set(place, MatchKey::of(fields));
        }
        folded
    }

    /// Sets the facts of the person at a position, or adds those of the next person.
    pub(super) fn set(&mut self, place: usize, match_key: MatchKey) {
        let hash = match_key.hash();
        if hash.is_complete() {
            self.by_person.add(hash, place);
        }
        if let Some(name) = hash.name {
            self.by_name.add(name, place);
        }
        match self.match_key.get_mut(place) {
            Some(earlier) => *earlier = match_key,
            None => self.match_key.push(match_key),
        }
    }

    pub(super) fn match_key(&self) -> &[MatchKey] {
        &self.match_key
    }

    /// The people with the name, street and ZIP of an item, oldest first.
    pub(super) fn with_match_key(&self, item: &Item) -> Vec<usize> {
        self.confirmed(self.by_person.of(&item.hash), |match_key| *match_key == item.match_key)
    }

    /// The people with the name of an item, oldest first.
    pub(super) fn with_name(&self, item: &Item) -> Vec<usize> {
        let Some(name) = item.hash.name else { return Vec::new() };
        self.confirmed(self.by_name.of(&name), |match_key| match_key.name == item.match_key.name)
    }

    fn confirmed(&self, mut places: Vec<usize>, holds: impl Fn(&MatchKey) -> bool) -> Vec<usize> {
        places.retain(|place| self.match_key.get(*place).is_some_and(&holds));
        places
    }
}
