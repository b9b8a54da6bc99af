//! Blank values never erase, given ones replace (rules N1 and U1).

use matterbook_conformance::wire::Firm;
use proptest::{prelude::*, sample::select};
use serde_json::{Map, Value, json};

use super::{cases, failed, service};

/// Fields with a value in the form in which it is kept.
const FIELDS: [(&str, &str); 12] = [
    ("first_name", "Adela"),
    ("last_name", "Stone"),
    ("address_line1", "7 Oak Ave"),
    ("address_line2", "Unit 9"),
    ("city", "Peoria"),
    ("state", "WI"),
    ("zip", "53703"),
    ("email", "adela@example.com"),
    ("phone", "+12175550199"),
    ("case_type", "Slip and fall"),
    ("opened_on", "2024-02-04"),
    ("settled_on", "2025-04-06"),
];

/// What a field is sent as: a value, something blank, or nothing at all.
fn sent() -> impl Strategy<Value = Option<Value>> {
    let blank = "[ \\t\\r\\n\u{a0}\u{2003}\u{200b}\u{200e}\u{2066}\u{feff}]{0,6}".prop_map(|text| Some(json!(text)));
    prop_oneof![Just(None), Just(Some(Value::Null)), blank, Just(Some(json!("given")))]
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn blank_never_erases(
        first in prop::collection::vec(sent(), FIELDS.len()),
        updates in prop::collection::vec((prop::collection::vec(sent(), FIELDS.len()), select(vec!["/clients", "/cases/settled"])), 1..4),
    ) {
        let service = service();
        let firm = Firm::open(&service).map_err(failed)?;
        let write = |sent: &[Option<Value>]| -> Map<String, Value> {
            FIELDS.iter().zip(sent).filter_map(|((name, value), sent)| {
                let sent = sent.clone()?;
                Some(((*name).to_owned(), if sent == json!("given") { json!(value) } else { sent }))
            }).collect()
        };
        let mut expected: Map<String, Value> = FIELDS.iter().map(|(name, _)| ((*name).to_owned(), Value::Null)).collect();
        let learn = |expected: &mut Map<String, Value>, sent: &[Option<Value>]| {
            for ((name, value), sent) in FIELDS.iter().zip(sent) {
                if *sent == Some(json!("given")) {
                    expected.insert((*name).to_owned(), json!(value));
                }
            }
        };
        let mut client = write(&first);
        learn(&mut expected, &first);
        client.insert("external_id".to_owned(), json!("a"));
        client.insert("first_name".to_owned(), json!("Ada"));
        expected.insert("first_name".to_owned(), json!("Ada"));
        let id = firm.create(&Value::Object(client)).map_err(failed)?;
        for (sent, path) in &updates {
            let mut client = write(sent);
            learn(&mut expected, sent);
            client.insert("external_id".to_owned(), json!("a"));
            if *path == "/cases/settled" {
                client.insert("settled_on".to_owned(), json!("2025-04-06"));
                expected.insert("settled_on".to_owned(), json!("2025-04-06"));
                firm.settle(&Value::Object(client)).and_then(|answer| answer.ok()).map_err(failed)?;
            } else {
                firm.post_client(&Value::Object(client), "updated").map_err(failed)?;
            }
            let record = firm.show(&id).map_err(failed)?;
            for (name, value) in &expected {
                prop_assert_eq!(&record[name], value, "{} after {:?}", name, sent);
            }
        }
    }
}
