//! An index from hashes to positions in the list of people.

use std::{
    collections::{BTreeSet, btree_set},
    hash::Hash,
};

use foldhash::{HashMap, HashMapExt as _};

/// Positions by key, mostly one for each. Keys are hashes, so callers compare the people themselves.
pub(super) struct PositionIndex<K> {
    entries: HashMap<K, Entry>,
    most_places: usize,
}

enum Entry {
    One(usize),
    Several(BTreeSet<usize>),
}

impl<K: Eq + Hash> PositionIndex<K> {
    pub(super) fn with_capacity(keys: usize) -> Self {
        Self { entries: HashMap::with_capacity(keys), most_places: 0 }
    }

    pub(super) fn add(&mut self, key: K, place: usize) {
        let most_places = &mut self.most_places;
        self.entries
            .entry(key)
            .and_modify(|entry| match entry {
                Entry::One(only) if *only == place => {}
                Entry::One(only) => *entry = Entry::Several(BTreeSet::from([*only, place])),
                Entry::Several(places) => {
                    places.insert(place);
                    *most_places = places.len().max(*most_places);
                }
            })
            .or_insert(Entry::One(place));
    }

    pub(super) fn remove(&mut self, key: K, place: usize) {
        match self.entries.get_mut(&key) {
            Some(Entry::One(only)) if *only == place => {
                self.entries.remove(&key);
            }
            Some(Entry::Several(places)) => {
                places.remove(&place);
            }
            _ => {}
        }
    }

    /// The most positions that a key has had.
    pub(super) const fn most_places(&self) -> usize {
        self.most_places
    }

    /// The positions of a key, in ascending order, each once.
    pub(super) fn of(&self, key: K) -> Positions<'_> {
        match self.entries.get(&key) {
            None => Positions::One(None),
            Some(Entry::One(place)) => Positions::One(Some(*place)),
            Some(Entry::Several(places)) => Positions::Several(places.iter()),
        }
    }
}

/// The positions of one key.
pub(super) enum Positions<'p> {
    One(Option<usize>),
    Several(btree_set::Iter<'p, usize>),
}

impl Iterator for Positions<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        match self {
            Self::One(place) => place.take(),
            Self::Several(places) => places.next().copied(),
        }
    }
}
