//! The hot paths of the core. Each processes 500 clients or a page of 100; callgrind counts the instructions
//! between `count_from` and `count_until`.

use matterbook_core::{
    client::{Client, ClientFields, parse_client},
    id::IdMint,
    matching::MatchKey,
    normalize::{self, FieldValue},
    plan::{Batch, Known},
};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    clients::{BATCH_ROWS, Work, body, body_of, client, sync_body},
    core_alone::{CoreAlone, NOW, saved},
};

/// A path's name and its function.
pub type HotPath = (&'static str, fn());

/// All paths; a part comes before the paths that contain it.
pub const HOT_PATHS: [HotPath; 21] = [
    ("normalize text", || field("first_name", |value| normalize::text(value, 200))),
    ("normalize address", || field("address_line1", |value| normalize::address(value, 300))),
    ("normalize state", || field("state", normalize::state)),
    ("normalize zip", || field("zip", normalize::zip)),
    ("normalize email", || field("email", normalize::email)),
    ("normalize phone", || field("phone", normalize::phone)),
    ("normalize date", || field("opened_on", normalize::date)),
    ("normalize external_id", || field("external_id", normalize::external_id)),
    ("normalize boolean", || field("do_not_mail", normalize::boolean)),
    ("fold names and streets", fold),
    ("parse clients", parse),
    ("read a post", read),
    ("decide new", || decide(&[], body(0, Work::First))),
    ("decide updates", || decide(&known(), body(0, Work::Changed))),
    ("decide unchanged", || decide(&known(), body(0, Work::First))),
    ("decide a sync", || decide(&known(), sync_body(0, KNOWN_IN_SYNC))),
    ("answer a post", answer),
    ("answer a page", page),
    ("post new", || post(&CoreAlone::knowing(Vec::new()), Work::First)),
    ("post updates", || post(&CoreAlone::knowing(known()), Work::Changed)),
    ("post unchanged", || post(&CoreAlone::knowing(known()), Work::First)),
];

/// Runs the core's one-time initialization, which must not be counted: it loads its Unicode table.
pub fn warm_up() {
    let first_name = normalize::text(&FieldValue::from("Jose\u{301}"), 200).ok().flatten();
    drop(MatchKey::of(&ClientFields { first_name, ..ClientFields::default() }));
}

/// The number of existing clients in a sync.
const KNOWN_IN_SYNC: usize = 150;

/// Counting begins at the entry of this function. [`crate::callgrind`] uses the names of both functions: one
/// function cannot mark both ends.
#[inline(never)]
fn count_from<T>(work: impl FnOnce() -> T) -> T {
    count_until(work)
}

/// Counting ends at the return of this function.
#[inline(never)]
fn count_until<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Normalizes one field of 500 clients.
fn field<T, E>(name: &str, rule: impl Fn(&FieldValue<'_>) -> Result<T, E>) {
    let tokens: Vec<String> = first_clients().iter().filter_map(|client| Some(client.get(name)?.to_string())).collect();
    let values: Vec<_> = tokens.iter().map(|token| FieldValue::from_json_token(token)).collect();
    let normalized = count_from(|| values.iter().map(|value| rule(value).is_ok()).filter(|is_ok| *is_ok).count());
    assert_eq!(normalized, values.len());
}

/// Folds the names and streets of 500 clients (rules M7 to M11).
fn fold() {
    let text = |client: &Value, name: &str| client.get(name).and_then(Value::as_str).map(Into::into);
    let fields: Vec<_> = first_clients()
        .iter()
        .map(|client| ClientFields {
            first_name: text(client, "first_name"),
            last_name: text(client, "last_name"),
            address_line1: text(client, "address_line1"),
            ..ClientFields::default()
        })
        .collect();
    let folded = count_from(|| fields.iter().filter(|fields| MatchKey::of(fields).street.is_some()).count());
    assert_eq!(folded, BATCH_ROWS);
}

/// Parses and normalizes 500 clients, one by one.
fn parse() {
    let texts: Vec<_> = first_clients().iter().map(Value::to_string).collect();
    let parsed = count_from(|| texts.iter().filter(|text| parse_client(text).is_ok()).count());
    assert_eq!(parsed, BATCH_ROWS);
}

/// A request up to the lookup: the body is parsed, normalized and fingerprinted.
fn read() {
    let (service, body) = (CoreAlone::knowing(Vec::new()), body(0, Work::First));
    drop(count_from(|| service.read(body)));
}

/// Matches the clients of a body with the known ones and merges them.
fn decide(known: &[Client], body: Vec<u8>) {
    let batch = batch(body);
    let plan = count_from(|| batch.decide(Known { clients: known, ..Known::default() }));
    assert_eq!(plan.results.len(), BATCH_ROWS);
}

/// Writes 500 results. The decisions are kept cheap: every client is the same unchanged person in an account
/// without others.
fn answer() {
    let clients = |rows| body_of((0..rows).map(|_| client(0, Work::First)));
    let (service, body) = (CoreAlone::after(clients(1)), clients(BATCH_ROWS));
    let mut decide = service.read(body);
    let decided = count_from(|| decide(service.snapshot()));
    assert!(decided.change_set.is_empty());
}

/// A request for a page of 100 clients.
fn page() {
    let service = CoreAlone::knowing(known());
    drop(count_from(|| service.page()));
}

/// A request with 500 clients, from its head to the response.
fn post(service: &CoreAlone, work: Work) {
    let body = body(0, work);
    drop(count_from(|| service.post(body)));
}

fn first_clients() -> Vec<Value> {
    (0..BATCH_ROWS).map(|index| client(index, Work::First)).collect()
}

/// The clients of the first body, as stored.
fn known() -> Vec<Client> {
    saved(batch(body(0, Work::First)).decide(Known::default()).change_set)
}

fn batch(body: Vec<u8>) -> Batch {
    let body: Value = serde_json::from_slice(&body).expect("JSON");
    let clients = body.get("clients").and_then(Value::as_array).expect("clients");
    let inputs = clients.iter().map(|client| parse_client(&client.to_string())).collect();
    Batch::new(Uuid::from_u128(1), inputs, IdMint::new(NOW, [7; 10]), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_does_its_work() {
        for (_, path) in HOT_PATHS {
            path();
        }
    }
}
