//! By what a roster knows clients: hashes of what they are found by.

use std::{hash::BuildHasher as _, sync::LazyLock};

use foldhash::fast::RandomState;
use matterbook_core::matching::PersonHash;

static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::default);

pub(super) fn of_external_id(external_id: &str) -> u64 {
    HASHER.hash_one(external_id)
}

/// Of a name with a place; nothing of a name alone, which many may have.
pub(super) fn of_person(person: PersonHash) -> Option<u64> {
    Some(HASHER.hash_one(person.name.zip(person.place)?))
}
