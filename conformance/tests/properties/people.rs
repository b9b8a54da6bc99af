//! Clients that often meet: few names, few places, few ids, every spelling.

use proptest::{option, prelude::*, sample::select};
use serde_json::{Map, Value, json};

/// The values that each field takes; several of them are one when folded.
const VALUES: [(&str, &[&str]); 13] = [
    ("external_id", &["a", "b", "c", "A"]),
    ("first_name", &["Ada", "ADA", "Bo", "Zoë"]),
    ("last_name", &["Reyes", "reyes", "Reyes Jr", "O'Brien"]),
    ("address_line1", &["12 Elm Street", "12 ELM ST.", "12 Elm St Apt 4", "7 Oak Ave"]),
    ("address_line2", &["Apt 4", "#5", "Rear\tdoor"]),
    ("city", &["Springfield", "Peoria"]),
    ("state", &["IL", "Illinois", "wi"]),
    ("zip", &["62704", "62704-1234", "2139"]),
    ("email", &["ada@Example.com", "bo@example.com"]),
    ("phone", &["(217) 555-0123", "+4712345678"]),
    ("case_type", &["Slip and fall"]),
    ("opened_on", &["2024-01-15", "Feb 3, 2024"]),
    ("settled_on", &["2025-01-02", "01/02/2025", "2025-03-04", "2025-05-06"]),
];

/// How likely a field is given: those that decide about identity often, the others now and then.
fn likelihood(field: &str) -> f64 {
    match field {
        "first_name" | "last_name" => 0.8,
        "address_line1" | "zip" => 0.6,
        "external_id" => 0.4,
        _ => 0.25,
    }
}

/// A client of right values, some fields missing.
pub fn client() -> impl Strategy<Value = Value> {
    let fields: Vec<BoxedStrategy<Option<(&'static str, Value)>>> = VALUES
        .iter()
        .map(|(field, values)| {
            option::weighted(likelihood(field), select(*values).prop_map(move |value| (*field, json!(value)))).boxed()
        })
        .chain([
            option::weighted(0.2, select(vec![json!(true), json!("yes"), json!(false), json!("no")]))
                .prop_map(|value| value.map(|value| ("do_not_mail", value)))
                .boxed(),
            option::weighted(0.3, any::<bool>())
                .prop_map(|value| value.map(|value| ("new_settlement", json!(value))))
                .boxed(),
        ])
        .collect();
    fields.prop_map(|fields| {
        let given = fields.into_iter().flatten().map(|(name, value)| (name.to_owned(), value));
        Value::Object(given.collect::<Map<_, _>>())
    })
}

/// A batch of them, now and then with one that is wrong.
pub fn batch(longest: usize) -> impl Strategy<Value = Vec<Value>> {
    let wrong =
        select(vec![json!({"last_name": "Ray", "zip": "1"}), json!(null), json!({}), json!({"external_id": true})]);
    prop::collection::vec(prop_oneof![9 => client(), 1 => wrong], 1..=longest)
}
