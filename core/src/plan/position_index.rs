//! An index from hashes to positions in the list of people.

use std::{hash::Hash, iter::Copied, slice};

use foldhash::{HashMap, HashMapExt as _};

/// Positions by key, mostly one for each. Keys are hashes, so callers compare the people themselves.
pub(super) struct PositionIndex<K> {
    entries: HashMap<K, Entry>,
    most_places: usize,
}

enum Entry {
    One(usize),
    /// In ascending order, each once. Nearly all are added in that order.
    Several(Vec<usize>),
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
                Entry::One(only) => *entry = Entry::Several(vec![place.min(*only), place.max(*only)]),
                Entry::Several(places) => {
                    if let Err(position) = places.binary_search(&place) {
                        places.insert(position, place);
                    }
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
                if let Ok(position) = places.binary_search(&place) {
                    places.remove(position);
                }
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
            Some(Entry::Several(places)) => Positions::Several(places.iter().copied()),
        }
    }
}

/// The positions of one key.
pub(super) enum Positions<'p> {
    One(Option<usize>),
    Several(Copied<slice::Iter<'p, usize>>),
}

impl Iterator for Positions<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        match self {
            Self::One(place) => place.take(),
            Self::Several(places) => places.next(),
        }
    }
}
