//! An index from hashes to positions in a list.

use alloc::vec::Vec;

use hashbrown::HashMap;

/// Positions by key, in ascending order, mostly one for each.
#[derive(Debug, Default)]
pub(super) struct Index {
    first: HashMap<u64, u32>,
    more: HashMap<u64, Vec<u32>>,
}

impl Index {
    pub(super) fn add(&mut self, key: u64, place: usize) {
        let Ok(place) = u32::try_from(place) else { return };
        let first = *self.first.entry(key).or_insert(place);
        if first == place {
            return;
        }
        let lower = place.min(first);
        self.first.insert(key, lower);
        let more = self.more.entry(key).or_insert_with(|| Vec::with_capacity(1));
        if let Err(at) = more.binary_search(&place.max(first)) {
            more.insert(at, place.max(first));
        }
    }

    pub(super) fn of(&self, key: u64) -> impl Iterator<Item = usize> + '_ {
        let first = if key == 0 { None } else { self.first.get(&key) };
        let more = first.and_then(|_| self.more.get(&key)).into_iter().flatten();
        first.into_iter().chain(more).filter_map(|place| usize::try_from(*place).ok())
    }
}

/// The positions of both in ascending order, each once.
pub(super) fn ascending(
    one: impl Iterator<Item = usize>,
    other: impl Iterator<Item = usize>,
) -> impl Iterator<Item = usize> {
    let (mut one, mut other) = (one.peekable(), other.peekable());
    core::iter::from_fn(move || match (one.peek().copied(), other.peek().copied()) {
        (Some(first), Some(second)) if first > second => other.next(),
        (Some(first), Some(second)) => {
            if first == second {
                other.next();
            }
            one.next()
        }
        (Some(_), None) => one.next(),
        (None, _) => other.next(),
    })
}
