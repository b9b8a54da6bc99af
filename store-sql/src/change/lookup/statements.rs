//! The statements of a lookup.

use matterbook_core::{
    matching::PersonHash,
    order,
    store::{ChangeRequest, IdentityDigest},
};
use uuid::Uuid;

use super::keys::Key;
use crate::{
    change_state,
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

/// The statements that read what is left of erased clients. `account` is known where the key was read before.
pub(super) fn tombstone_statements(request: &ChangeRequest, account: Option<i64>) -> Vec<Statement> {
    let key = change_state::key(request);
    let rows = order::distinct(request.identities())
        .into_iter()
        .map(|IdentityDigest(digest)| [account.into(), key.clone(), Value::from(digest.as_slice())]);
    queries::TOMBSTONES.bind_rows(&["account_id", "key", "identity"], rows)
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

/// The statements for aliases, a row of parameters each. `account_id` is known where the key was read before.
pub(super) fn by_alias(
    request: &ChangeRequest,
    account_id: Option<i64>,
    settles: bool,
    keys: &[Key<'_>],
) -> Vec<Statement> {
    let api_key = change_state::key(request);
    let rows = keys.iter().enumerate().filter_map(|(number, key)| {
        let external_id = key.external_id?.clone();
        let fingerprint = key.fingerprint();
        Some([count(number), settles.into(), fingerprint, account_id.into(), api_key.clone(), external_id.into()])
    });
    let names = ["key_number", "settles", "fingerprint", "account_id", "key", "external_id"];
    queries::LOOKUP_BY_ALIAS.bind_rows(&names, rows)
}

/// The statements for persons, a row of parameters each. `account_id` is known where the key was read before.
pub(super) fn by_person(request: &ChangeRequest, account_id: Option<i64>, keys: &[Key<'_>]) -> Vec<Statement> {
    let names = [
        "key_number",
        "settles",
        "fingerprint",
        "account_id",
        "key",
        "external_id",
        "namesakes_max",
        "name_hash",
        "street_hash",
        "unit_hash",
        "zip5",
        "without_external_id",
    ];
    let settles = request.lookup_keys.iter().any(|key| key.settles);
    let api_key = change_state::key(request);
    let row = |(number, key): (usize, &Key<'_>)| {
        let PersonHash { name, street, unit, zip5 } = key.person;
        Some([
            count(number),
            settles.into(),
            key.fingerprint(),
            account_id.into(),
            api_key.clone(),
            key.external_id.cloned().into(),
            count(request.namesakes_max()),
            name?.into(),
            street.into(),
            unit.into(),
            zip5.into(),
            key.without_external_id.into(),
        ])
    };
    let rows = |is_complete: bool| {
        let keys = keys.iter().enumerate().filter(move |(_, key)| key.person.is_complete() == is_complete);
        keys.filter_map(row)
    };
    let mut statements = queries::LOOKUP_BY_PERSON.bind_rows(&names, rows(true));
    statements.extend(queries::LOOKUP_BY_NAME.bind_rows(&names, rows(false)));
    statements
}

/// The statements for everything at once, for hosts where each statement is a round trip. Without
/// `with_all_namesakes`, keys with a name, street and ZIP are looked up together with the external ids.
pub(super) fn together(
    request: &ChangeRequest,
    settles: bool,
    keys: &[Key<'_>],
    with_all_namesakes: bool,
) -> Vec<Statement> {
    let api_key = change_state::key(request);
    let statement = |(number, keys): (usize, &[Key<'_>])| {
        queries::LOOKUP_CLIENTS.bind([
            ("key", api_key.clone()),
            ("settles", settles.into()),
            ("key_groups", groups(keys, !with_all_namesakes).into()),
            ("first_key", count(number * STATEMENT_KEYS)),
            ("group_keys", count(GROUP_KEYS)),
        ])
    };
    let mut statements: Vec<_> = keys.chunks(STATEMENT_KEYS).enumerate().map(statement).collect();
    let mut persons = keys.to_vec();
    for key in persons.iter_mut().filter(|key| !with_all_namesakes && key.person.is_complete()) {
        key.person = PersonHash::default();
    }
    statements.extend(by_person(request, None, &persons));
    statements
}

/// A JSON array of groups, each an array of texts, one text a key. `sql/lookup_clients.sql` takes a text apart
/// by position: 32 digits of the fingerprint, 16 of the hash of the name, 16 of that of the street, a sign and
/// 16 of that of the unit, 5 of the ZIP, then the external id. SQLite reads this in half the time that it takes for an array of values.
fn groups(keys: &[Key<'_>], with_persons: bool) -> String {
    let mut json = String::with_capacity(96 * keys.len());
    for (number, key) in keys.iter().enumerate() {
        json.push_str(match number % GROUP_KEYS {
            0 if number == 0 => "[[\"",
            0 => "\"],[\"",
            _ => "\",\"",
        });
        let fingerprint = key.fingerprint.map(|fingerprint| Uuid::from_bytes(fingerprint.0).simple().to_string());
        json.push_str(fingerprint.as_deref().unwrap_or(NO_FINGERPRINT));
        let (name, street, unit, zip5) = match key.person {
            PersonHash { name: Some(name), street: Some(street), unit, zip5: Some(zip5) } if with_persons => {
                (name, street, unit, zip5)
            }
            _ => (NO_HASH, NO_HASH, 0, 0),
        };
        json.push_str(&format!("{name:016}{street:016}{unit:+017}{zip5:05}"));
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
