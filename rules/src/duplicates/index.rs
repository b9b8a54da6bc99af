//! An index from hashes to positions in a list.

use alloc::vec::Vec;

use hashbrown::HashMap;

/// Positions by key, in ascending order, mostly one for each. Of a key it keeps half the bits, because a list may have a
/// million: what is found has to be compared.
#[derive(Debug, Default)]
pub(super) struct Index {
    first: HashMap<u32, u32>,
    more: HashMap<u32, Vec<u32>>,
}

/// The kept half of a key.
const fn kept(key: u64) -> u32 {
    (key >> 32) as u32
}

impl Index {
    pub(super) fn add(&mut self, key: u64, place: usize) {
        let Ok(place) = u32::try_from(place) else { return };
        let key = kept(key);
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
        let first = if key == 0 { None } else { self.first.get(&kept(key)) };
        let more = first.and_then(|_| self.more.get(&kept(key))).into_iter().flatten();
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
