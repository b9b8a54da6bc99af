//! What somebody may do to a service, at random.

use proptest::{
    prelude::*,
    sample::{Index, select},
};
use serde_json::{Value, json};

/// Something that somebody does. Whatever it refers to is chosen among what there is.
#[derive(Clone, Debug)]
pub enum Operation {
    Post(Vec<Value>, Option<&'static str>, &'static str),
    Settle(Value, Option<&'static str>, &'static str),
    /// A dry run, and then the same for real.
    Rehearse(Vec<Value>),
    ListClients(&'static str),
    GoOn(Index, &'static str),
    ListProspects(&'static str),
    Import(Vec<Value>),
    EraseProspect(Index),
    Grant(&'static str, &'static str),
    RevokeCounty(&'static str),
    SetAccount(&'static str, bool),
    ShowClient(Index),
    MailOn(Index),
    EraseClient(Index),
    History(Index, &'static str),
    /// Takes back what a request did, or tells what that would do.
    Undo(Index, bool),
    Settlements(&'static str),
    Log,
    NewKey,
    Keys,
    RevokeKey(Index),
    Elapse(i64),
}

const FIPS: [&str; 3] = ["06037", "17031", "48201"];

/// Any operation, each kind as often as it tells something.
pub fn operation() -> impl Strategy<Value = Operation> {
    let idempotency = || prop::option::weighted(0.2, select(vec!["k1", "k2"]));
    let options = || select(vec!["", "", "?explain=true", "?dry_run=true", "?explain=true&dry_run=true"]);
    let limits = || select(vec!["limit=1", "limit=2", "limit=3", ""]);
    prop_oneof![
        8 => (prop::collection::vec(client(), 1..5), idempotency(), options())
            .prop_map(|(batch, key, options)| Operation::Post(batch, key, options)),
        4 => (client(), idempotency(), options())
            .prop_map(|(client, key, options)| Operation::Settle(client, key, options)),
        3 => prop::collection::vec(client(), 1..5).prop_map(Operation::Rehearse),
        4 => select(vec!["", "limit=2", "limit=1&external_id=a", "external_id=b", "limit=1&updated_since=2026-01-01T00:01:00Z"])
            .prop_map(Operation::ListClients),
        6 => (any::<Index>(), limits()).prop_map(|(cursor, limit)| Operation::GoOn(cursor, limit)),
        3 => select(vec!["", "limit=1", "limit=2", "order=newest", "order=newest&limit=2"]).prop_map(Operation::ListProspects),
        3 => prop::collection::vec(prospect(), 1..4).prop_map(Operation::Import),
        1 => any::<Index>().prop_map(Operation::EraseProspect),
        2 => (select(&FIPS[..]), select(vec!["2025-01-01", "2025-06-01"])).prop_map(|(fips, from)| Operation::Grant(fips, from)),
        1 => select(&FIPS[..]).prop_map(Operation::RevokeCounty),
        1 => (select(vec!["suspended", "api_enabled", "digital_bundle", "contact_enrichment"]), prop::bool::weighted(0.7))
            .prop_map(|(flag, on)| Operation::SetAccount(flag, on)),
        2 => any::<Index>().prop_map(Operation::ShowClient),
        1 => any::<Index>().prop_map(Operation::MailOn),
        1 => any::<Index>().prop_map(Operation::EraseClient),
        2 => (any::<Index>(), limits()).prop_map(|(client, limit)| Operation::History(client, limit)),
        4 => (any::<Index>(), prop::bool::weighted(0.2)).prop_map(|(request, dry_run)| Operation::Undo(request, dry_run)),
        2 => limits().prop_map(Operation::Settlements),
        1 => Just(Operation::Log),
        1 => Just(Operation::NewKey),
        1 => Just(Operation::Keys),
        1 => any::<Index>().prop_map(Operation::RevokeKey),
        // Machines' clocks differ by seconds: time also goes back a little.
        5 => select(vec![0, 1, -3, 20, 59, 61, 3_600, 86_401]).prop_map(Operation::Elapse),
    ]
}

fn client() -> impl Strategy<Value = Value> {
    let pick = |name: &'static str, values: &'static [&'static str]| {
        prop::option::of(select(values)).prop_map(move |value| value.map(|value| (name.to_owned(), json!(value))))
    };
    (
        pick("external_id", &["a", "b", "c", "d"]),
        pick("first_name", &["Ada", "ADA", "Bo"]),
        pick("last_name", &["Reyes", "reyes", " Stone", " "]),
        pick("address_line1", &["12 Elm St", "12 ELM STREET", "12 Elm St #4", "7 Oak Ave"]),
        pick("address_line2", &["Apt 4", "Apt 5"]),
        pick("zip", &["62704", "62704-1234", "02139", "1"]),
        pick("city", &["Springfield", "Peoria", "Żółć"]),
        pick("settled_on", &["2025-01-02", "2025-03-04", "2025-05-06"]),
        pick("new_settlement", &["yes", "no"]),
        pick("do_not_mail", &["yes", "no"]),
    )
        .prop_map(|fields| {
            let (a, b, c, d, e, f, g, h, i, j) = fields;
            Value::Object([a, b, c, d, e, f, g, h, i, j].into_iter().flatten().collect())
        })
}

fn prospect() -> impl Strategy<Value = Value> {
    (
        select(vec!["s1", "s2", "s3", "s4", "s5", "s6"]),
        select(&FIPS[..]),
        select(vec!["2025-01-01", "2025-06-01", "2026-01-01"]),
        prop::option::of(select(vec!["Ada", "Bo", ""])),
    )
        .prop_map(|(source_id, fips, crash_date, name)| {
            json!({"source_id": source_id, "crash_county_fips": fips, "crash_date": crash_date, "first_name": name})
        })
}
