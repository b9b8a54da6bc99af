//! Explanations of a batch: how each client matched, what changed, and which clients conflict.

use matterbook_core::{
    client::{Client, Settlement, parse_client},
    id::IdMint,
    matching::{MatchKey, identities},
    normalize::Field,
    plan::{Batch, CANDIDATES_MAX, Explanation, Known, MatchedBy, Plan, UpsertResult},
    store::Tombstone,
    time::Timestamp,
};
use uuid::Uuid;

const ANA: &str = r#"{"first_name":"Ana","last_name":"Li","address_line1":"1 Oak St","zip":"02134"}"#;
const ANA_7: &str =
    r#"{"first_name":"Ana","last_name":"Li","address_line1":"1 Oak St","zip":"02134","external_id":"7"}"#;
const ANA_8: &str =
    r#"{"first_name":"Ana","last_name":"Li","address_line1":"1 Oak St","zip":"02134","external_id":"8"}"#;
const ANA_BY_NAME: &str = r#"{"first_name":"Ana","last_name":"Li"}"#;

fn now() -> Timestamp {
    Timestamp::from_micros(1_700_000_000_000_000)
}

/// Clients with the ids 1, 2, …, the first the oldest.
fn known(clients: &[&str]) -> Vec<Client> {
    let mut known: Vec<_> = (1_u32..)
        .zip(clients)
        .map(|(number, json)| {
            let at = now().plus_seconds(i64::from(number));
            let fields = parse_client(json).unwrap().fields;
            Client { id: Uuid::from_u128(u128::from(number)), fields, created_at: at, updated_at: at }
        })
        .collect();
    // A store returns them in any order.
    known.reverse();
    known
}

fn batch(sent: &[&str]) -> Batch {
    let inputs = sent.iter().map(|client| parse_client(client)).collect();
    Batch::new(Uuid::nil(), inputs, IdMint::new(now(), [7; 10]), false)
}

fn explain(clients: &[&str], sent: &[&str]) -> Plan {
    let plan = batch(sent).explained().decide(Known { clients: &known(clients), ..Known::default() });
    assert_eq!(plan.explanations.len(), plan.results.len());
    plan
}

/// The explanation of the last client sent.
fn last(clients: &[&str], sent: &[&str]) -> Explanation {
    explain(clients, sent).explanations.pop().unwrap()
}

fn names(fields: &[Field]) -> Vec<&'static str> {
    fields.iter().map(|field| field.name()).collect()
}

#[test]
fn nothing_is_explained_unasked() {
    let plan = batch(&[ANA, ANA_BY_NAME]).decide(Known::default());
    assert_eq!(plan.explanations, []);
}

#[test]
fn it_says_by_what_a_client_was_found() {
    let (by_id, by_facts) = (Some(MatchedBy::ExternalId), Some(MatchedBy::NameAddressZip));
    for (clients, sent, expected) in [
        (vec![], vec![ANA], None),
        (vec![ANA_7], vec![ANA_7], by_id),
        (vec![ANA_7], vec![r#"{"external_id":"7"}"#], by_id),
        (vec![ANA], vec![ANA], by_facts),
        (vec![ANA], vec![ANA_7], by_facts),
        (vec![ANA_7], vec![ANA], by_facts),
        // Clients that the same batch created, or gave an id.
        (vec![], vec![ANA, ANA], by_facts),
        (vec![], vec![ANA, ANA_7, r#"{"external_id":"7"}"#], by_id),
        // A conflict, an error, a client without a name.
        (vec![ANA_7], vec![ANA_8], None),
        (vec![ANA], vec![ANA_BY_NAME], None),
        (vec![ANA_7], vec![r#"{"external_id":"7","zip":"1"}"#], None),
        (vec![ANA_7], vec![r#"{"external_id":"8"}"#], None),
    ] {
        assert_eq!(last(&clients, &sent).matched_by, expected, "{sent:?} where {clients:?}");
    }
}

#[test]
fn it_says_which_fields_changed_in_the_references_order() {
    let ana = ["first_name", "last_name", "address_line1", "zip"];
    for (clients, sent, expected) in [
        (vec![], vec![ANA], ana.to_vec()),
        (vec![], vec![ANA_7], [&ana[..], &["external_id"]].concat()),
        (vec![], vec![r#"{"last_name":"Li","do_not_mail":"no","city":" "}"#], vec!["last_name"]),
        (vec![], vec![r#"{"do_not_mail":"yes","last_name":"Li"}"#], vec!["last_name", "do_not_mail"]),
        (vec![ANA], vec![ANA], vec![]),
        (vec![ANA], vec![ANA_7], vec!["external_id"]),
        (
            vec![ANA_7],
            vec![r#"{"external_id":"7","do_not_mail":"y","city":"Reno","first_name":"ANA","zip":2134}"#],
            vec!["first_name", "city", "do_not_mail"],
        ),
        // Compared with the state after the earlier clients of the batch.
        (
            vec![ANA_7],
            vec![r#"{"external_id":"7","city":"Reno"}"#, r#"{"external_id":"7","city":"Reno","state":"NV"}"#],
            vec!["state"],
        ),
        (vec![ANA_7], vec![r#"{"external_id":"7","city":"Reno"}"#, r#"{"external_id":"7","city":"Reno"}"#], vec![]),
        // A client that is not saved changes nothing.
        (vec![ANA_7], vec![ANA_8], vec![]),
        (vec![ANA_7], vec![r#"{"external_id":"7","city":"Reno","zip":"1"}"#], vec![]),
    ] {
        assert_eq!(names(&last(&clients, &sent).changed), expected, "{sent:?} where {clients:?}");
    }
}

#[test]
fn a_settled_date_is_changed_when_the_record_gets_it() {
    let settled = r#"{"external_id":"7","last_name":"Li","settled_on":"2026-02-01"}"#;
    let clients = known(&[settled]);
    let settlement = Settlement {
        id: Uuid::from_u128(100),
        client: clients[0].id,
        settled_on: "2026-02-01".parse().unwrap(),
        former_dates: vec!["2026-01-01".parse().unwrap()],
        begun_at: now(),
        changed_at: now(),
    };
    for (sent, expected) in [
        (r#"{"external_id":"7","settled_on":"2026-02-01"}"#, vec![]),
        (r#"{"external_id":"7","settled_on":"2026-03-01"}"#, vec!["settled_on"]),
        (r#"{"external_id":"7","settled_on":"2026-03-01","new_settlement":true}"#, vec!["settled_on"]),
        // A late retry of an earlier date begins no settlement.
        (r#"{"external_id":"7","settled_on":"2026-01-01","new_settlement":true}"#, vec![]),
    ] {
        let known =
            Known { clients: &clients, settlements: std::slice::from_ref(&settlement), tombstones: &[], aliases: &[] };
        let plan = batch(&[sent]).explained().decide(known);
        assert_eq!(names(&plan.explanations[0].changed), expected, "{sent}");
    }
    assert_eq!(names(&last(&[], &[settled]).changed), ["last_name", "settled_on", "external_id"]);
}

#[test]
fn do_not_mail_that_an_erased_client_left_is_a_field_of_the_new_one() {
    let match_key = MatchKey::of(&parse_client(ANA).unwrap().fields);
    let tombstones: Vec<_> = identities(Uuid::nil(), None, &match_key)
        .into_iter()
        .map(|identity| Tombstone { identity, do_not_mail: true })
        .collect();
    let plan = batch(&[ANA]).explained().decide(Known { tombstones: &tombstones, ..Known::default() });
    assert_eq!(
        names(&plan.explanations[0].changed),
        ["first_name", "last_name", "address_line1", "zip", "do_not_mail"]
    );
}

#[test]
fn a_conflict_names_all_who_are_in_the_way_the_oldest_first() {
    let bo = r#"{"first_name":"Bo","last_name":"Li"}"#;
    for (clients, sent, expected) in [
        (vec![ANA_7], ANA_8, vec![1]),
        (vec![ANA_7, bo, ANA_8], ANA, vec![1, 3]),
        (
            vec![ANA_7, ANA_8],
            r#"{"first_name":"Ana","last_name":"Li","address_line1":"1 Oak St","zip":"02134","external_id":"9"}"#,
            vec![1, 2],
        ),
        (vec![bo, ANA_7, ANA], ANA_BY_NAME, vec![2, 3]),
        // A different ZIP distinguishes them, and so do two external ids.
        (
            vec![ANA, r#"{"first_name":"Ana","last_name":"Li","zip":"90210"}"#, ANA_BY_NAME],
            r#"{"first_name":"ana","last_name":"LI","zip":"02134"}"#,
            vec![1, 3],
        ),
        (vec![ANA_7, ANA], r#"{"first_name":"Ana","last_name":"Li","external_id":"9"}"#, vec![2]),
        (vec![ANA], ANA, vec![]),
        (vec![], ANA, vec![]),
    ] {
        let expected: Vec<_> = expected.into_iter().map(Uuid::from_u128).collect();
        assert_eq!(last(&clients, &[sent]).candidates, expected, "{sent} where {clients:?}");
    }
}

#[test]
fn whom_the_batch_created_may_be_in_the_way_as_the_youngest() {
    let plan = explain(
        &[ANA_7],
        &[ANA_8, r#"{"first_name":"Ana","last_name":"Li","zip":"90210","address_line1":"2 Elm St"}"#, ANA_BY_NAME],
    );
    let [UpsertResult::Conflict(_), UpsertResult::Created(id), UpsertResult::Conflict(_)] = plan.results[..] else {
        panic!("{:?}", plan.results)
    };
    assert_eq!(plan.explanations[2].candidates, [Uuid::from_u128(1), id]);
}

#[test]
fn a_conflict_names_no_more_than_it_may() {
    let clients: Vec<_> = (0..CANDIDATES_MAX + 5)
        .map(|number| format!(r#"{{"first_name":"Ana","last_name":"Li","external_id":{number}}}"#))
        .collect();
    let clients: Vec<_> = clients.iter().map(String::as_str).collect();
    let oldest: Vec<_> = (1..=20).map(Uuid::from_u128).collect();
    assert_eq!(last(&clients, &[ANA_BY_NAME]).candidates, oldest);
    let placed: Vec<_> =
        clients.iter().map(|json| json.replace('}', r#","address_line1":"1 Oak St","zip":"02134"}"#)).collect();
    let placed: Vec<_> = placed.iter().map(String::as_str).collect();
    assert_eq!(last(&placed, &[ANA]).candidates, oldest);
}

#[test]
fn an_explanation_changes_no_decision() {
    let sent = [ANA, ANA_7, ANA_8, ANA_BY_NAME, r#"{"zip":"1"}"#, r#"{"external_id":"9"}"#, r#"{"last_name":"Stone"}"#];
    let clients = known(&[ANA, ANA_8]);
    let known = Known { clients: &clients, ..Known::default() };
    let (plain, explained) = (batch(&sent).decide(known), batch(&sent).explained().decide(known));
    assert_eq!(plain.results, explained.results);
    let changes = |plan: Plan| (plan.change_set.created, plan.change_set.updated, plan.change_set.settlements);
    assert_eq!(changes(plain), changes(explained));
}
