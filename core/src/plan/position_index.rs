//! An index from hashes to positions in the list of people.

use std::hash::Hash;

use foldhash::{HashMap, HashMapExt as _};

/// Positions by key, mostly one for each. An entry may be out of date or a hash collision, so callers
/// compare the people themselves.
pub(super) struct PositionIndex<K>(HashMap<K, Entry>);

enum Entry {
    One(usize),
    /// In ascending order.
    Several(Vec<usize>),
}

impl<K: Eq + Hash> PositionIndex<K> {
    pub(super) fn with_capacity(keys: usize) -> Self {
        Self(HashMap::with_capacity(keys))
    }

    pub(super) fn add(&mut self, key: K, place: usize) {
        self.0
            .entry(key)
            .and_modify(|entry| match entry {
                Entry::One(only) if *only == place => {}
                Entry::One(only) => *entry = Entry::Several(vec![place.min(*only), place.max(*only)]),
                Entry::Several(places) => {
                    if let Err(at) = places.binary_search(&place) {
                        places.insert(at, place);
                    }
                }
            })
            .or_insert(Entry::One(place));
    }

    /// The positions of a key, in ascending order, each once.
    pub(super) fn of(&self, key: &K) -> Vec<usize> {
        match self.0.get(key) {
            None => Vec::new(),
            Some(Entry::One(place)) => vec![*place],
            Some(Entry::Several(places)) => places.clone(),
        }
    }
}
