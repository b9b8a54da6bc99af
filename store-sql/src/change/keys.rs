//! The statements that look up a request's keys: no external id and no person twice. Five hundred keys of one
//! name would otherwise read every client of that name five hundred times.

use foldhash::{HashMap, HashMapExt as _, HashSet};
use matterbook_core::{SmolStr, client::Fingerprint, matching::PersonHash, store::LookupKey};
use uuid::Uuid;

use crate::{
    bind,
    driver::{Statement, Value},
    queries,
    value::json_text,
};

/// The most keys whose matches go back as one value: D1 allows 2,000,000 bytes, and a client takes up to 8,500.
const GROUP_KEYS: usize = 170;

/// The most keys of one statement: its parameter stays below 1,000,000 bytes, and a key takes up to 1,300.
const STATEMENT_KEYS: usize = 4 * GROUP_KEYS;

/// Differs from the digits of every fingerprint.
const NO_FINGERPRINT: &str = "--------------------------------";

/// Larger than every hash.
const NO_HASH: i64 = 1 << 53;

/// What is looked up for one key of a request.
#[derive(Clone, Copy)]
pub(super) struct Key<'r> {
    /// The key's index in the request.
    pub(super) index: usize,
    external_id: Option<&'r SmolStr>,
    person: PersonHash,
    /// Of the clients with the name, only those without an external id match.
    without_external_id: bool,
    fingerprint: Option<Fingerprint>,
}

impl Key<'_> {
    fn fingerprint(&self) -> Value {
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

/// Both at once, for one statement that looks up the person where the external id is unknown. A person whom
/// several keys name is looked up apart from their external ids, any of which may be unknown.
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
    let apart = |(_, key): &(usize, &LookupKey)| key.external_id.is_none() || is_shared(key);
    distinct.extend(distinct_persons(keys.iter().enumerate().filter(apart)));
    distinct
}

/// The statements for external ids, a row of parameters each.
pub(super) fn by_external_id(account_id: i64, settles: bool, keys: &[Key<'_>]) -> Vec<Statement> {
    let rows = keys.iter().enumerate().filter_map(|(number, key)| {
        let external_id = key.external_id?.clone();
        Some([count(number), settles.into(), key.fingerprint(), account_id.into(), external_id.into()])
    });
    let names = ["key_number", "settles", "fingerprint", "account_id", "external_id"];
    queries::LOOKUP_BY_EXTERNAL_ID.bind_rows(&names, rows)
}

/// The statements for persons, a row of parameters each.
pub(super) fn by_person(account_id: i64, key: &str, settles: bool, keys: &[Key<'_>]) -> Vec<Statement> {
    let rows = keys.iter().enumerate().filter_map(|(number, key)| {
        let (name, place) = (key.person.name?, key.person.place?);
        Some([count(number), settles.into(), key.fingerprint(), account_id.into(), name.into(), place.into()])
    });
    let names = ["key_number", "settles", "fingerprint", "account_id", "name_hash", "place_hash"];
    let mut statements = queries::LOOKUP_BY_PERSON.bind_rows(&names, rows);
    statements.extend(by_name(&account_id.into(), key, settles, keys));
    statements
}

/// The statements for everything at once, for hosts where each statement is a round trip.
pub(super) fn together(key: &str, settles: bool, keys: &[Key<'_>]) -> Vec<Statement> {
    let statement = |(number, keys): (usize, &[Key<'_>])| {
        queries::LOOKUP_CLIENTS.bind([
            ("key", key.into()),
            ("settles", settles.into()),
            ("key_groups", groups(keys).into()),
            ("first_key", count(number * STATEMENT_KEYS)),
            ("group_keys", count(GROUP_KEYS)),
        ])
    };
    let mut statements: Vec<_> = keys.chunks(STATEMENT_KEYS).enumerate().map(statement).collect();
    statements.extend(by_name(&Value::Null, key, settles, keys));
    statements
}

/// The statements for persons without a place.
fn by_name(account_id: &Value, key: &str, settles: bool, keys: &[Key<'_>]) -> Vec<Statement> {
    let names = [
        "key_number",
        "settles",
        "fingerprint",
        "account_id",
        "key",
        "name_hash",
        "external_id",
        "without_external_id",
    ];
    let placeless = keys.iter().enumerate().filter(|(_, key)| key.person.place.is_none());
    let rows = placeless.filter_map(|(number, looked_up)| {
        Some([
            count(number),
            settles.into(),
            looked_up.fingerprint(),
            account_id.clone(),
            key.into(),
            looked_up.person.name?.into(),
            looked_up.external_id.cloned().into(),
            looked_up.without_external_id.into(),
        ])
    });
    queries::LOOKUP_BY_NAME.bind_rows(&names, rows)
}

/// A JSON array of groups, each an array of texts, one text a key. `sql/lookup_clients.sql` takes a text apart
/// by position: 32 digits of the fingerprint, 16 of the hash of the name, 16 of that of the place, then the
/// external id. SQLite reads this in half the time that it takes for an array of values.
fn groups(keys: &[Key<'_>]) -> String {
    let mut json = String::with_capacity(96 * keys.len());
    for (number, key) in keys.iter().enumerate() {
        json.push_str(match number % GROUP_KEYS {
            0 if number == 0 => "[[\"",
            0 => "\"],[\"",
            _ => "\",\"",
        });
        let fingerprint = key.fingerprint.map(|fingerprint| Uuid::from_bytes(fingerprint.0).simple().to_string());
        json.push_str(fingerprint.as_deref().unwrap_or(NO_FINGERPRINT));
        let (name, place) = key.person.name.zip(key.person.place).unwrap_or((NO_HASH, NO_HASH));
        json.push_str(&format!("{name:016}{place:016}"));
        let external_id = json_text(key.external_id.map_or("", |external_id| external_id));
        json.push_str(external_id.get(1..external_id.len() - 1).unwrap_or_default());
    }
    json.push_str("\"]]");
    json
}

/// A number as it is bound.
fn count(number: usize) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}
