//! One hot path of the core, once, for counting its instructions: `instructions` runs this under
//! callgrind, which counts what happens within `measured`.

use matterbook_bench::{
    clients::{BATCH_ROWS, Work, body, client},
    core_alone::CoreAlone,
};
use matterbook_core::{
    client::ClientFields,
    matching::Facts,
    normalize::{self, FieldValue},
};
use serde_json::Value;

fn main() {
    let path = std::env::args().nth(1).unwrap_or_default();
    match path.as_str() {
        "post new" => post(&CoreAlone::knowing(Vec::new()), Work::First),
        "post updates" => post(&CoreAlone::after(body(0, Work::First)), Work::Changed),
        "post unchanged" => post(&CoreAlone::after(body(0, Work::First)), Work::First),
        "fold names and streets" => fold(),
        "text" => field("first_name", |value| normalize::text(value, 200)),
        "address" => field("address_line1", |value| normalize::address(value, 300)),
        "state" => field("state", normalize::state),
        "zip" => field("zip", normalize::zip),
        "email" => field("email", normalize::email),
        "phone" => field("phone", normalize::phone),
        "date" => field("opened_on", normalize::date),
        "external_id" => field("external_id", normalize::external_id),
        "boolean" => field("do_not_mail", normalize::boolean),
        _ => {
            eprintln!("hot_path: there is no path \"{path}\"");
            std::process::exit(2);
        }
    }
}

/// What callgrind looks at.
#[inline(never)]
fn measured<T>(work: impl FnOnce() -> T) -> T {
    work()
}

fn post(service: &CoreAlone, work: Work) {
    let body = body(0, work);
    drop(measured(|| service.post(body)));
}

fn clients() -> Vec<Value> {
    (0..BATCH_ROWS).map(|index| client(index, Work::First)).collect()
}

/// Normalizes one field of 500 clients.
fn field<T, E>(name: &str, rule: impl Fn(&FieldValue<'_>) -> Result<T, E>) {
    let tokens: Vec<String> = clients().iter().filter_map(|client| Some(client.get(name)?.to_string())).collect();
    let values: Vec<_> = tokens.iter().map(|token| FieldValue::from_json_token(token)).collect();
    let normalized = measured(|| values.iter().map(|value| rule(value).is_ok()).filter(|is_ok| *is_ok).count());
    assert_eq!(normalized, values.len());
}

/// Folds the names and streets of 500 clients.
fn fold() {
    let text = |client: &Value, name: &str| client.get(name).and_then(Value::as_str).map(Into::into);
    let fields: Vec<_> = clients()
        .iter()
        .map(|client| ClientFields {
            first_name: text(client, "first_name"),
            last_name: text(client, "last_name"),
            address_line1: text(client, "address_line1"),
            ..ClientFields::default()
        })
        .collect();
    let folded = measured(|| fields.iter().filter(|fields| Facts::of(fields).street.is_some()).count());
    assert_eq!(folded, BATCH_ROWS);
}
