//! What is looked up for the keys of a request, each external id and each person once.

use foldhash::{HashMap, HashMapExt as _, HashSet};
use matterbook_core::{SmolStr, client::Fingerprint, matching::PersonHash, store::LookupKey};

use crate::{bind, driver::Value};

/// What is looked up for one key of a request.
#[derive(Clone, Copy)]
pub(super) struct Key<'r> {
    /// The key's index in the request.
    pub(super) index: usize,
    pub(super) external_id: Option<&'r SmolStr>,
    pub(super) person: PersonHash,
    /// Of the clients with the name, only those without an external id match.
    pub(super) without_external_id: bool,
    pub(super) fingerprint: Option<Fingerprint>,
}

impl Key<'_> {
    pub(super) fn fingerprint(&self) -> Value {
        self.fingerprint.map(bind::fingerprint).into()
    }
}

/// The distinct external ids of keys, each given with its index.
pub(super) fn distinct_external_ids<'r>(keys: impl Iterator<Item = (usize, &'r LookupKey)>) -> Vec<Key<'r>> {
    let mut seen = HashSet::default();
    let ids = keys.filter_map(|(index, key)| Some((index, key, key.external_id.as_ref()?)));
    let key = |(index, key, id): (usize, &LookupKey, &'r SmolStr)| Key {
        index,
        external_id: Some(id),
        person: PersonHash::default(),
        without_external_id: false,
        fingerprint: key.fingerprint,
    };
    ids.filter(|(_, _, id)| seen.insert(*id)).map(key).collect()
}

/// The distinct persons of keys, each given with its index.
pub(super) fn distinct_persons<'r>(keys: impl Iterator<Item = (usize, &'r LookupKey)>) -> Vec<Key<'r>> {
    let mut indexes: HashMap<PersonHash, usize> = HashMap::new();
    let mut persons: Vec<Key<'r>> = Vec::new();
    for (index, key) in keys.filter(|(_, key)| key.person.name.is_some()) {
        let without_external_id = key.external_id.is_some();
        match indexes.get(&key.person).and_then(|place| persons.get_mut(*place)) {
            Some(earlier) => earlier.without_external_id &= without_external_id,
            None => {
                indexes.insert(key.person, persons.len());
                let (person, fingerprint) = (key.person, key.fingerprint);
                persons.push(Key { index, external_id: None, person, without_external_id, fingerprint });
            }
        }
    }
    persons
}

/// The lookups of one statement: by external id, then by person if the external id is unknown. If several
/// keys share a person, that person has a separate lookup, since any of their external ids may be unknown.
pub(super) fn distinct(keys: &[LookupKey]) -> Vec<Key<'_>> {
    let mut uses: HashMap<PersonHash, usize> = HashMap::with_capacity(keys.len());
    for key in keys {
        *uses.entry(key.person).or_default() += 1;
    }
    let is_shared = |key: &LookupKey| uses.get(&key.person).is_some_and(|uses| *uses > 1);
    let mut distinct = distinct_external_ids(keys.iter().enumerate());
    for looked_up in &mut distinct {
        let Some(key) = keys.get(looked_up.index).filter(|key| !is_shared(key)) else { continue };
        (looked_up.person, looked_up.without_external_id) = (key.person, true);
    }
    let joined: HashSet<_> = distinct.iter().map(|key| key.index).collect();
    let apart = |(index, key): &(usize, &LookupKey)| !joined.contains(index) || is_shared(key);
    distinct.extend(distinct_persons(keys.iter().enumerate().filter(apart)));
    distinct
}
