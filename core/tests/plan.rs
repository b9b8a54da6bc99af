//! The effect of a batch on a firm's clients: matches, new clients, conflicts and settlements (groups M, U
//! and T).

use matterbook_core::{
    client::{Client, Settlement, parse_client},
    id::IdMint,
    plan::{Batch, ConflictKind, Known, Plan, UpsertResult},
    store::{ChangeSet, SettlementChange},
    time::Timestamp,
};
use uuid::Uuid;

/// A firm's clients, as a store has them.
#[derive(Default)]
struct Firm {
    clients: Vec<Client>,
    settlements: Vec<Settlement>,
    commits: i64,
}

impl Firm {
    fn post(&mut self, clients: &[&str]) -> Plan {
        self.submit(clients, false)
    }

    fn settle(&mut self, client: &str) -> Plan {
        self.submit(&[client], true)
    }

    fn submit(&mut self, clients: &[&str], new_settlement_default: bool) -> Plan {
        self.commits += 1;
        let now = Timestamp::from_micros(1_700_000_000_000_000).plus_seconds(self.commits);
        let inputs = clients.iter().map(|client| parse_client(client)).collect();
        let batch = Batch::new(Uuid::nil(), inputs, IdMint::new(now, [7; 10]), new_settlement_default);
        let plan = batch.decide(Known {
            clients: &self.clients,
            settlements: &self.settlements,
            tombstones: &[],
            aliases: &[],
        });
        self.apply(&plan.change_set, now);
        plan
    }

    fn apply(&mut self, change_set: &ChangeSet, at: Timestamp) {
        for new in &change_set.created {
            self.clients.push(Client { id: new.id, fields: new.fields.clone(), created_at: at, updated_at: at });
        }
        for update in &change_set.updated {
            let client = self.clients.iter_mut().find(|client| client.id == update.id).unwrap();
            assert_eq!(*client, update.before);
            client.fields = update.after.clone();
            client.updated_at = at;
        }
        for change in &change_set.settlements {
            match change.clone() {
                SettlementChange::Begun { id, client, settled_on, former_dates } => self.settlements.push(Settlement {
                    id,
                    client,
                    settled_on,
                    former_dates,
                    begun_at: at,
                    changed_at: at,
                }),
                SettlementChange::Corrected { id, settled_on, former_dates, .. } => {
                    let settlement = self.settlements.iter_mut().find(|settlement| settlement.id == id).unwrap();
                    settlement.settled_on = settled_on;
                    settlement.former_dates = former_dates;
                    settlement.changed_at = at;
                }
            }
        }
    }

    fn settled_dates(&self) -> Vec<String> {
        self.settlements.iter().map(|settlement| settlement.settled_on.to_string()).collect()
    }
}

fn words(plan: &Plan) -> Vec<&'static str> {
    plan.results
        .iter()
        .map(|outcome| match outcome {
            UpsertResult::Created(_) => "created",
            UpsertResult::Updated(_) => "updated",
            UpsertResult::Conflict(_) => "conflict",
            UpsertResult::Invalid(_) => "invalid",
            UpsertResult::Nameless { has_external_id: true, .. } => "unknown id",
            UpsertResult::Nameless { has_external_id: false, .. } => "nameless",
        })
        .collect()
}

const ANA: &str = r#"{"first_name":"Ana","last_name":"Li","address_line1":"1 Oak St","zip":"02134"}"#;
const ANA_7: &str =
    r#"{"first_name":"Ana","last_name":"Li","address_line1":"1 Oak Street","zip":"02134","external_id":"7"}"#;
const ANA_8: &str =
    r#"{"first_name":"Ana","last_name":"Li","address_line1":"1 Oak Street","zip":"02134","external_id":"8"}"#;

#[test]
fn who_is_found_and_who_is_new() {
    // The first post, the second post, and its outcome.
    for (before, then, expected) in [
        (vec![], vec![ANA], vec!["created"]),
        (vec![ANA], vec![ANA], vec!["updated"]),
        (vec![], vec![ANA, ANA], vec!["created", "updated"]),
        // The external id decides first.
        (vec![ANA_7], vec![r#"{"external_id":7}"#], vec!["updated"]),
        (vec![ANA_7], vec![r#"{"external_id":"7","first_name":"Bea","zip":"99999"}"#], vec!["updated"]),
        // A match without an id takes the id. A different id is never merged.
        (vec![ANA], vec![ANA_7], vec!["updated"]),
        (vec![ANA_7], vec![ANA_8], vec!["conflict"]),
        (vec![ANA_7], vec![ANA], vec!["updated"]),
        (vec![ANA, ANA_7], vec![ANA_8], vec!["conflict"]),
        // A name without a street or a ZIP.
        (vec![ANA], vec![r#"{"first_name":"ana","last_name":"LI"}"#], vec!["conflict"]),
        (vec![ANA], vec![r#"{"first_name":"Ana","last_name":"Li","zip":"99999"}"#], vec!["created"]),
        (vec![ANA], vec![r#"{"first_name":"Ana","last_name":"Li","zip":"02134"}"#], vec!["conflict"]),
        (vec![ANA], vec![r#"{"first_name":"Ana","last_name":"Li","address_line1":"2 Oak St"}"#], vec!["created"]),
        (vec![ANA_7], vec![r#"{"first_name":"Ana","last_name":"Li","external_id":"9"}"#], vec!["created"]),
        (vec![ANA], vec![r#"{"first_name":"Ana","last_name":"Li","external_id":"9"}"#], vec!["conflict"]),
        // Only a client with a name is created.
        (vec![ANA], vec![r#"{"first_name":"Ana","last_name":"Lee"}"#], vec!["created"]),
        (vec![], vec![r#"{"last_name":"Li"}"#], vec!["created"]),
        (vec![], vec![r#"{"first_name":"---"}"#], vec!["created"]),
        (
            vec![ANA],
            vec![r#"{"external_id":"9"}"#, r#"{"zip":"02134"}"#, "{}"],
            vec!["unknown id", "nameless", "nameless"],
        ),
        (vec![], vec!["7", r#"{"zip":"1"}"#, ANA], vec!["invalid", "invalid", "created"]),
    ] {
        let mut firm = Firm::default();
        for client in &before {
            firm.post(&[client]);
        }
        assert_eq!(words(&firm.post(&then)), expected, "{before:?} then {then:?}");
    }
}

#[test]
fn several_of_the_same_name_and_place_are_a_conflict_without_an_id() {
    let mut firm = Firm::default();
    // Two people with the same name, street and ZIP exist only if both had ids before their addresses were
    // known.
    firm.post(&[r#"{"first_name":"Ana","last_name":"Li","external_id":"7"}"#]);
    firm.post(&[r#"{"first_name":"Ana","last_name":"Li","external_id":"8"}"#]);
    firm.post(&[ANA_7, ANA_8]);
    assert_eq!(firm.clients.len(), 2);
    let plan = firm.post(&[ANA]);
    let UpsertResult::Conflict(conflict) = &plan.results[0] else { panic!("{plan:?}") };
    assert_eq!(
        conflict.to_string(),
        "2 clients have this name, street and ZIP: external_id \"7\" and \"8\". Send the external_id of the one that \
         is meant."
    );
}

#[test]
fn a_conflict_names_everyone_in_the_way() {
    let conflict = |known: &[&str], sent: &str| {
        let mut firm = Firm::default();
        for client in known {
            assert_eq!(words(&firm.post(&[client])), ["created"], "{client}");
        }
        let plan = firm.post(&[sent]);
        let UpsertResult::Conflict(conflict) = &plan.results[0] else { panic!("{plan:?}") };
        conflict.to_string()
    };
    let ana = |more: &str| format!(r#"{{"first_name":"Ana","last_name":"Li"{more}}}"#);
    let (oak, elm) = (
        ana(r#","external_id":"E1","address_line1":"12 Oak St","zip":"02134""#),
        ana(r#","external_id":"E2","address_line1":"9 Elm St","zip":"60614""#),
    );
    assert_eq!(
        conflict(&[&oak, &elm], &ana("")),
        "2 clients of the same name cannot be told apart from this one: external_id \"E1\" and \"E2\". Send \
         address_line1 and zip, or the external_id of the one that is meant."
    );
    let ids = ["E3", "E4", "E5"]
        .map(|id| ana(&format!(r#","external_id":"{id}","address_line1":"{id} Bay St","zip":"33602""#)));
    let without_id = ana(r#","address_line1":"1 Fir St","zip":"10001""#);
    let other = ana(r#","address_line1":"2 Fir St","zip":"10001""#);
    assert_eq!(
        conflict(&[&without_id, &other, &oak, &elm, &ids[0]], &ana("")),
        "5 clients of the same name cannot be told apart from this one: external_id \"E1\", \"E2\" and \"E3\", and 2 \
         with no external_id. Send address_line1 and zip, or the external_id of the one that is meant."
    );
    assert_eq!(
        conflict(&[&oak, &elm, &ids[0], &ids[1], &ids[2]], &ana("")),
        "5 clients of the same name cannot be told apart from this one: external_id \"E1\", \"E2\", \"E3\" and 2 \
         more. Send address_line1 and zip, or the external_id of the one that is meant."
    );
    assert_eq!(
        conflict(&[&without_id, &other], &ana(r#","zip":"10001""#)),
        "2 clients of the same name cannot be told apart from this one: none has an external_id. Send address_line1."
    );
    assert_eq!(
        conflict(&[&without_id, &other, &oak], &ana(r#","external_id":"E9""#)),
        "2 clients of the same name cannot be told apart from this one: none has an external_id. Send address_line1 \
         and zip."
    );
}

#[test]
fn a_client_that_is_not_saved_hears_that_do_not_mail_was_not_turned_on() {
    let mut firm = Firm::default();
    firm.post(&[ANA_7]);
    let conflict = ANA_8.replace('}', r#","do_not_mail":true}"#);
    let plan = firm.post(&[&conflict, r#"{"zip":"1","do_not_mail":"yes"}"#, ANA_8]);
    let [UpsertResult::Conflict(asked), UpsertResult::Invalid(invalid), UpsertResult::Conflict(plain)] =
        &plan.results[..]
    else {
        panic!("{plan:?}")
    };
    assert_eq!(asked.to_string(), format!("{plain} do_not_mail was not turned on."));
    assert!(invalid.to_string().ends_with("5 or 9 digits, but has 1. do_not_mail was not turned on."), "{invalid}");
}

#[test]
fn a_third_external_id_for_two_clients_of_one_key_is_told_of_both() {
    let mut firm = Firm::default();
    firm.post(&[r#"{"first_name":"Ana","last_name":"Li","external_id":"7"}"#]);
    firm.post(&[r#"{"first_name":"Ana","last_name":"Li","external_id":"8"}"#]);
    firm.post(&[ANA_7, ANA_8]);
    let plan = firm.post(&[&ANA.replace('}', r#","external_id":"9"}"#)]);
    let [UpsertResult::Conflict(conflict)] = &plan.results[..] else { panic!("{plan:?}") };
    assert_eq!(
        conflict.to_string(),
        "2 clients have this name, street and ZIP: external_id \"7\" and \"8\", not the one sent; two people are never \
         merged. Send the external_id of the one that is meant, or check the name and address if it is another person."
    );
    assert_eq!(conflict.kind, ConflictKind::OtherExternalId);
    assert_eq!(conflict.candidates, firm.clients.iter().map(|client| client.id).collect::<Vec<_>>());
}

#[test]
fn the_oldest_match_without_an_id_takes_it() {
    let mut firm = Firm::default();
    firm.post(&[r#"{"first_name":"Ana","last_name":"Li","zip":"11111","address_line1":"9 Elm St"}"#]);
    firm.post(&[ANA]);
    let oldest = firm.clients[0].id;
    // The older one moves to the address of the younger one: two without an id at one place.
    let moved = firm.clients.iter_mut().find(|client| client.id == oldest).unwrap();
    moved.fields.address_line1 = Some("1 Oak St".into());
    moved.fields.zip = Some("02134".into());
    assert_eq!(firm.post(&[ANA_7]).results, [UpsertResult::Updated(oldest)]);
}

#[test]
fn an_item_sees_what_the_items_before_it_did() {
    let mut firm = Firm::default();
    firm.post(&[ANA_7]);
    let plan = firm.post(&[
        r#"{"external_id":"7","address_line1":"5 Elm Avenue","last_name":"Roe"}"#,
        r#"{"first_name":"Ana","last_name":"Roe","address_line1":"5 Elm Ave","zip":"02134","phone":"2125550123"}"#,
        ANA,
    ]);
    assert_eq!(words(&plan), ["updated", "updated", "created"]);
    assert_eq!(plan.change_set.updated.len(), 1, "one client is changed once, whatever a batch says of it");
    assert_eq!(firm.clients[0].fields.phone.as_deref(), Some("+12125550123"));
}

#[test]
fn what_changes_nothing_is_not_written() {
    let mut firm = Firm::default();
    firm.post(&[ANA_7]);
    let plan = firm.post(&[ANA_7, r#"{"external_id":"7","first_name":" ","zip":null}"#]);
    assert_eq!(words(&plan), ["updated", "updated"]);
    assert!(plan.change_set.is_empty());
}

#[test]
fn do_not_mail_only_turns_on() {
    let mut firm = Firm::default();
    firm.post(&[ANA_7]);
    firm.post(&[r#"{"external_id":"7","do_not_mail":"yes"}"#]);
    firm.post(&[r#"{"external_id":"7","do_not_mail":false}"#]);
    assert!(firm.clients[0].fields.do_not_mail);
}

#[test]
fn settlements_begin_are_corrected_and_are_not_begun_twice() {
    let settled = |date: &str| format!(r#"{{"external_id":"7","settled_on":"{date}"}}"#);
    // Each step: POST /cases/settled (true) or POST /clients (false), the date sent, and the dates of the
    // client's settlements afterwards.
    let steps: [(bool, &str, &[&str]); 9] = [
        (false, "2026-01-05", &["2026-01-05"]),
        (true, "2026-01-05", &["2026-01-05"]),
        (false, "2026-01-06", &["2026-01-06"]),
        (true, "2026-03-01", &["2026-01-06", "2026-03-01"]),
        // Late retries of the present and the former date of the first settlement.
        (true, "2026-01-06", &["2026-01-06", "2026-03-01"]),
        (true, "2026-01-05", &["2026-01-06", "2026-03-01"]),
        (false, "2026-03-02", &["2026-01-06", "2026-03-02"]),
        (true, "2026-03-01", &["2026-01-06", "2026-03-02"]),
        (true, "2026-05-01", &["2026-01-06", "2026-03-02", "2026-05-01"]),
    ];
    let mut firm = Firm::default();
    firm.post(&[ANA_7]);
    for (on_settled, date, expected) in steps {
        if on_settled {
            firm.settle(&settled(date))
        } else {
            firm.post(&[&settled(date)])
        };
        assert_eq!(firm.settled_dates(), expected, "after {date}");
        let latest = firm.clients[0].fields.settled_on.unwrap().to_string();
        assert_eq!(Some(latest.as_str()), expected.last().copied(), "settled_on is that of the settlement begun last");
    }
    let ids: Vec<_> = firm.settlements.iter().map(|settlement| settlement.id).collect();
    assert_eq!(ids.len(), 3);
}

#[test]
fn a_sync_with_the_date_of_an_older_settlement_changes_nothing() {
    let settled = |date: &str| format!(r#"{{"external_id":"7","settled_on":"{date}"}}"#);
    let mut firm = Firm::default();
    firm.post(&[ANA_7]);
    for date in ["2025-01-10", "2026-02-20"] {
        firm.settle(&settled(date));
    }
    for sent_as_new in [false, true] {
        let plan = if sent_as_new { firm.settle(&settled("2025-01-10")) } else { firm.post(&[&settled("2025-01-10")]) };
        assert!(plan.change_set.is_empty(), "the newer settlement stays");
    }
    // A date that the older settlement only had before a correction may be the right one of the newer.
    let mut firm = Firm::default();
    firm.post(&[ANA_7]);
    firm.post(&[&settled("2025-01-10")]);
    firm.post(&[&settled("2025-01-11")]);
    firm.settle(&settled("2026-02-20"));
    firm.post(&[&settled("2025-01-10")]);
    assert_eq!(firm.settled_dates(), ["2025-01-11", "2025-01-10"]);
}

#[test]
fn a_batch_that_ends_with_the_settled_date_it_began_with_moves_no_feed() {
    let settled = |date: &str| format!(r#"{{"external_id":"7","settled_on":"{date}"}}"#);
    let (first, other) = (settled("2026-01-05"), settled("2026-01-06"));
    let third = settled("2026-01-07");
    for there_and_back in [vec![&other, &first], vec![&other, &third, &first], vec![&other, &first, &third, &first]] {
        let mut firm = Firm::default();
        firm.post(&[ANA_7]);
        firm.post(&[&first]);
        let sent: Vec<&str> = there_and_back.iter().map(|client| client.as_str()).collect();
        let plan = firm.post(&sent);
        assert!(plan.change_set.is_empty(), "neither the client nor the settlements feed moves: {sent:?}");
        // The dates in between were never stored, so they are no former dates.
        firm.settle(&other);
        assert_eq!(firm.settled_dates(), ["2026-01-05", "2026-01-06"]);
    }
}

#[test]
fn new_settlement_is_honoured_where_it_is_sent() {
    let mut firm = Firm::default();
    firm.post(&[ANA_7]);
    firm.post(&[r#"{"external_id":"7","settled_on":"1/5/2026"}"#]);
    firm.post(&[r#"{"external_id":"7","settled_on":"2/5/2026","new_settlement":"yes"}"#]);
    assert_eq!(firm.settled_dates(), ["2026-01-05", "2026-02-05"]);
    firm.settle(r#"{"external_id":"7","settled_on":"2/6/2026","new_settlement":false}"#);
    assert_eq!(firm.settled_dates(), ["2026-01-05", "2026-02-06"]);
}

#[test]
fn a_batch_may_begin_and_correct_a_settlement_of_somebody_new() {
    let mut firm = Firm::default();
    let plan = firm.post(&[
        r#"{"first_name":"Ana","external_id":"7","settled_on":"2026-01-05"}"#,
        r#"{"external_id":"7","settled_on":"2026-01-06"}"#,
        r#"{"external_id":"7","settled_on":"2026-02-01","new_settlement":true}"#,
    ]);
    assert_eq!(words(&plan), ["created", "updated", "updated"]);
    assert_eq!(firm.settled_dates(), ["2026-01-06", "2026-02-01"]);
    assert_eq!(firm.settlements[0].former_dates.len(), 1);
}

#[test]
fn the_same_batch_over_the_same_clients_has_the_same_plan() {
    let now = Timestamp::from_micros(1_700_000_000_000_000);
    let inputs = vec![parse_client(ANA), parse_client(ANA_7)];
    let batch = Batch::new(Uuid::nil(), inputs, IdMint::new(now, [7; 10]), false);
    let (once, again) = (batch.decide(Known::default()), batch.decide(Known::default()));
    assert_eq!(once.results, again.results);
    assert_eq!(once.change_set.created, again.change_set.created);
}
