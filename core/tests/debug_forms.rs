//! What the `Debug` forms of a batch and of its parts show: a log line must not name a person.

use std::fmt::Debug;

use matterbook_core::{
    client::{Client, parse_client},
    id::IdMint,
    plan::{Batch, Known, UpsertResult},
    time::Timestamp,
    uuid::Uuid,
};

/// A stored client, one that changes it, a new one, a conflict and an invalid one.
const STORED: &str = r#"{"external_id":"secret-1","first_name":"secret","last_name":"secret","phone":"6175550142"}"#;
const SENT: [&str; 4] = [
    r#"{"external_id":"secret-1","first_name":"secret","city":"secret"}"#,
    r#"{"external_id":"secret-2","first_name":"secretnew","email":"secret@example.com"}"#,
    r#"{"first_name":"secret","last_name":"secret"}"#,
    r#"{"first_name":"secret","zip":"secret"}"#,
];

#[test]
fn no_debug_form_of_a_batch_names_a_person() {
    let now = Timestamp::from_micros(1_700_000_000_000_000);
    let fields = parse_client(STORED).unwrap().fields;
    let known = Client { id: Uuid::from_u128(1), fields, created_at: now, updated_at: now };
    let inputs = SENT.map(parse_client).to_vec();
    let batch = Batch::new(Uuid::nil(), inputs, IdMint::new(now, [7; 10]), false).explained();
    let plan = batch.decide(Known { clients: std::slice::from_ref(&known), ..Known::default() });
    assert!(matches!(
        plan.results[..],
        [UpsertResult::Updated(_), UpsertResult::Created(_), UpsertResult::Conflict(_), UpsertResult::Invalid(_)]
    ));
    assert_eq!((plan.change_set.updated.len(), plan.change_set.created.len()), (1, 1));
    for shown in [form(&known), form(&known.borrowed()), form(&batch), form(&plan), form(&plan.change_set)] {
        assert!(!shown.contains("secret") && !shown.contains("617555"), "{shown}");
    }
}

fn form(value: &impl Debug) -> String {
    format!("{value:?} {value:#?}")
}
