//! Decisions about what waits for review, through the operator API.

use serde_json::{Value, json};

use super::review::{ray, review, waiting};
use crate::wire::{Answer, CaseResult, Failure, Firm, Operator, Service, eventually::wait_for_clients, failure::equal};

cases! { "review_decisions":
    "J5, M40" => the_same_person_gets_what_was_sent_and_is_found_by_both_ids,
    "M40" => an_alias_finds_its_client_in_the_listings,
    "J5" => the_same_person_without_an_id_takes_the_one_that_was_sent,
    "J6" => another_person_is_created,
    "J7" => what_was_left_or_decided_stays_away_until_its_content_changes,
    "T13" => each_matter_of_a_person_has_its_settlement_night_after_night,
    "J8" => a_decision_can_be_undone_and_its_undo_too,
    "J5, J6" => a_decision_that_cannot_be_carried_out_is_refused_and_changes_nothing,
    "D3, M40" => an_alias_of_an_erased_client_keeps_letters_off,
}

/// Decides about the latest item.
fn decide(firm: &Firm<'_>, body: &Value) -> Result<Answer, Failure> {
    let item = review(firm)?.text("/review/0/id")?;
    Operator::of(firm.service).call_with("POST", &firm.path(&format!("/review/{item}")), body)
}

/// All clients as they are now, the first created first.
fn clients(firm: &Firm<'_>) -> Result<Vec<Value>, Failure> {
    let page = Operator::of(firm.service).call("GET", &firm.path("/clients"))?.ok()?;
    let mut clients = page.array("/clients")?.clone();
    clients.sort_by_key(|client| client["id"].to_string());
    Ok(clients)
}

fn history(firm: &Firm<'_>, client: &str) -> Result<Answer, Failure> {
    Operator::of(firm.service).call("GET", &firm.path(&format!("/clients/{client}/history")))?.ok()
}

fn the_same_person_gets_what_was_sent_and_is_found_by_both_ids(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&ray("a"))?;
    let mut other = ray("b");
    other["phone"] = json!("(217) 555-0100");
    firm.post_client(&other, "conflict")?;
    let decided = decide(&firm, &json!({"decision": "same", "client": id}))?.ok()?;
    equal("the client", decided.at("/review/client/id"), &json!(id))?;
    equal("its external id", decided.at("/review/client/external_id"), &json!("a"))?;
    equal("its phone", decided.at("/review/client/phone"), &json!("+12175550100"))?;
    equal("how many wait", &waiting(&firm)?, &0)?;
    let changes = history(&firm, &id)?;
    let fields = json!([
        {"field": "phone", "from": null, "to": "+12175550100"},
        {"field": "external_id", "from": null, "to": "b"},
    ]);
    equal("the change", changes.at("/changes/0/changed"), &fields)?;
    equal("who made it", changes.at("/changes/0/by/kind"), &json!("operator"))?;
    // Each id finds it, and neither takes the place of the other.
    for external_id in ["b", "a", "b"] {
        let mut sent = json!({"external_id": external_id, "city": format!("City {external_id}")});
        sent["phone"] = json!("(217) 555-0100");
        let posted = firm.post("/clients?explain=true", &json!({"clients": [sent]}))?.ok()?;
        equal("the client", posted.at("/results/0/id"), &json!(id))?;
        equal("how it was found", posted.at("/results/0/matched_by"), &json!("external_id"))?;
        equal("what changed", posted.at("/results/0/changed"), &json!(["city"]))?;
        equal("the external id", &clients(&firm)?[0]["external_id"], &json!("a"))?;
    }
    firm.post_client(&other, "updated")?;
    equal("the number of clients", &clients(&firm)?.len(), &1)?;
    // The same once more, which changes nothing.
    let before = clients(&firm)?;
    firm.post_client(&other, "updated")?;
    equal("the client after the same request", &clients(&firm)?, &before)
}

fn an_alias_finds_its_client_in_the_listings(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&ray("a"))?;
    firm.post_client(&ray("b"), "conflict")?;
    decide(&firm, &json!({"decision": "same", "client": id}))?.ok()?;
    let found = Operator::of(service).call("GET", &firm.path("/clients?external_id=b"))?.ok()?;
    equal("the client that the operator finds", found.at("/clients/0/id"), &json!(id))?;
    wait_for_clients(service, || {
        let listed = firm.get("/clients?external_id=b")?.ok()?;
        equal("the clients that are listed", &listed.array("/clients")?.len(), &1)?;
        equal("the client", listed.at("/clients/0/id"), &json!(id))?;
        equal("its external id", listed.at("/clients/0/external_id"), &json!("a"))
    })
}

fn the_same_person_without_an_id_takes_the_one_that_was_sent(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let nameless = json!({"external_id": "a", "phone": "(217) 555-0100"});
    let mut plain = ray("a");
    if let Some(members) = plain.as_object_mut() {
        members.remove("external_id");
    }
    let id = firm.create(&plain)?;
    firm.post_client(&nameless, "error")?;
    let decided = decide(&firm, &json!({"decision": "same", "client": id}))?.ok()?;
    equal("its external id", decided.at("/review/client/external_id"), &json!("a"))?;
    firm.post_client(&nameless, "updated")?;
    equal("how many wait", &waiting(&firm)?, &0)
}

fn another_person_is_created(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&ray("a"))?;
    let mut other = ray("b");
    other["settled_on"] = json!("2026-01-05");
    firm.post_client(&other, "conflict")?;
    let decided = decide(&firm, &json!({"decision": "another"}))?.ok()?;
    let new = decided.text("/review/client/id")?;
    equal("that it is another client", &(new == id), &false)?;
    equal("its external id", decided.at("/review/client/external_id"), &json!("b"))?;
    equal("the settlements", &firm.settlements()?.len(), &1)?;
    equal("how many wait", &waiting(&firm)?, &0)?;
    let posted = firm.post_client(&other, "updated")?;
    equal("the client that the id finds", posted.at("/results/0/id"), &json!(new))
}

fn what_was_left_or_decided_stays_away_until_its_content_changes(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.create(&ray("a"))?;
    let before = clients(&firm)?;
    firm.post_client(&ray("b"), "conflict")?;
    let left = decide(&firm, &json!({"decision": "leave"}))?.ok()?;
    equal("the client", left.at("/review/client"), &Value::Null)?;
    equal("the clients", &clients(&firm)?, &before)?;
    firm.post_client(&ray("b"), "conflict")?;
    equal("how many wait after the same request", &waiting(&firm)?, &0)?;
    let mut other = ray("b");
    other["city"] = json!("Peoria");
    firm.post_client(&other, "conflict")?;
    equal("how many wait after another request", &waiting(&firm)?, &1)?;
    // Two people have this name, and what is sent tells neither apart.
    let namesake = json!({"first_name": "Ada", "last_name": "Ray"});
    firm.post_client(&namesake, "conflict")?;
    decide(&firm, &json!({"decision": "another"}))?.ok()?;
    equal("the number of clients", &clients(&firm)?.len(), &2)?;
    firm.post_client(&namesake, "conflict")?;
    equal("how many wait", &waiting(&firm)?, &1)
}

fn each_matter_of_a_person_has_its_settlement_night_after_night(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let matter = |external_id: &str, day: &str, case_type: &str| {
        let mut matter = ray(external_id);
        matter["settled_on"] = json!(day);
        matter["case_type"] = json!(case_type);
        matter
    };
    let [first, second] = [matter("a", "2026-01-05", "Auto"), matter("b", "2026-02-06", "Slip and fall")];
    let id = firm.create(&first)?;
    firm.post_client(&second, "conflict")?;
    decide(&firm, &json!({"decision": "same", "client": id}))?.ok()?;
    let feed = firm.settlements()?;
    let days: Vec<_> = feed.iter().map(|settlement| settlement["settled_on"].clone()).collect();
    equal("the settlements", &days, &["2026-01-05", "2026-02-06"].map(Value::from).to_vec())?;
    let before = clients(&firm)?;
    equal("the case type", &before[0]["case_type"], &json!("Auto"))?;
    for _ in 0..2 {
        firm.post_client(&first, "updated")?;
        firm.post_client(&second, "updated")?;
        equal("the settlements the next night", &firm.settlements()?, &feed)?;
        equal("the client the next night", &clients(&firm)?, &before)?;
    }
    Ok(())
}

fn a_decision_can_be_undone_and_its_undo_too(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&ray("a"))?;
    let mut other = ray("b");
    other["phone"] = json!("(217) 555-0100");
    firm.post_client(&other, "conflict")?;
    let timeless = || -> Result<Vec<Value>, Failure> {
        let mut clients = clients(&firm)?;
        clients.iter_mut().for_each(|client| client["updated_at"] = Value::Null);
        Ok(clients)
    };
    let before = timeless()?;
    let decided = decide(&firm, &json!({"decision": "same", "client": id}))?.ok()?;
    let after = timeless()?;
    let undo = |answer: &Answer| {
        let request = answer.header("x-request-id").unwrap_or_default();
        Operator::of(service).call("POST", &firm.path(&format!("/changes/{request}/undo")))?.ok()
    };
    let undone = undo(&decided)?;
    equal("what the undo leaves", undone.at("/undo/left"), &json!([]))?;
    equal("the clients after the undo", &timeless()?, &before)?;
    equal("how many wait after the undo", &waiting(&firm)?, &1)?;
    firm.post_client(&other, "conflict")?;
    let again = undo(&undone)?;
    equal("what the second undo leaves", again.at("/undo/left"), &json!([]))?;
    equal("the clients after the undo of the undo", &timeless()?, &after)?;
    equal("how many wait after the undo of the undo", &waiting(&firm)?, &0)?;
    let posted = firm.post_client(&other, "updated")?;
    equal("the client that the alias finds", posted.at("/results/0/id"), &json!(id))?;
    // A person who was created is removed.
    let mut third = ray("c");
    third["city"] = json!("Peoria");
    firm.post_client(&third, "conflict")?;
    let created = decide(&firm, &json!({"decision": "another"}))?.ok()?;
    undo(&created)?;
    equal("the clients", &timeless()?, &after)?;
    equal("how many wait", &waiting(&firm)?, &1)?;
    let left = decide(&firm, &json!({"decision": "leave"}))?.ok()?;
    equal("the request of the answer", left.at("/review/request_id"), &json!(left.header("x-request-id")))?;
    let item = left.at("/review/id").clone();
    let undone = undo(&left)?;
    equal("what becomes of the item", undone.at("/undo/review"), &json!({"id": item, "waits": true}))?;
    equal("how many wait after the undo of leaving it", &waiting(&firm)?, &1)?;
    let again = undo(&undone)?;
    equal("what becomes of the item then", again.at("/undo/review"), &json!({"id": item, "waits": false}))?;
    equal("how many wait after the undo of that", &waiting(&firm)?, &0)?;
    let nothing = undo(&undone)?;
    equal("what becomes of it the second time", nothing.at("/undo/review"), &Value::Null)?;
    equal("the clients in the end", &timeless()?, &after)
}

fn a_decision_that_cannot_be_carried_out_is_refused_and_changes_nothing(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&ray("a"))?;
    let other = Firm::open(service)?;
    let theirs = other.create(&ray("a"))?;
    let operator = Operator::of(service);
    firm.post_client(&ray("b"), "conflict")?;
    let item = review(&firm)?.text("/review/0/id")?;
    for (body, status) in [
        (json!({}), 400),
        (json!({"decision": "perhaps"}), 400),
        (json!({"decision": "same"}), 400),
        (json!({"decision": "leave", "client": id}), 400),
        (json!({"decision": "same", "client": "x"}), 404),
        (json!({"decision": "same", "client": theirs}), 404),
    ] {
        decide(&firm, &body)?.expect_status(status)?;
    }
    let leave = json!({"decision": "leave"});
    operator.call_with("POST", &other.path(&format!("/review/{item}")), &leave)?.expect_error(404, "not_found")?;
    operator.call_with("POST", &firm.path("/review/x"), &leave)?.expect_error(404, "not_found")?;
    equal("how many wait", &waiting(&firm)?, &1)?;
    // Another client has the id by now.
    let mut elsewhere = json!({"external_id": "c", "first_name": "Zoe", "last_name": "Kim"});
    firm.post_client(&json!({"external_id": "c", "first_name": 7}), "error")?;
    decide(&firm, &json!({"decision": "another"}))?.expect_error(400, "invalid_request")?;
    decide(&firm, &json!({"decision": "same", "client": id}))?.expect_error(400, "invalid_request")?;
    decide(&firm, &leave)?.ok()?;
    firm.post_client(&json!({"external_id": "d", "city": "Peoria"}), "error")?;
    decide(&firm, &json!({"decision": "another"}))?.expect_error(400, "invalid_request")?;
    let before = clients(&firm)?.len();
    elsewhere["external_id"] = json!("e");
    firm.create(&elsewhere)?;
    equal("the number of clients", &clients(&firm)?.len(), &(before + 1))
}

fn an_alias_of_an_erased_client_keeps_letters_off(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let mut stopped = ray("a");
    stopped["do_not_mail"] = json!(true);
    let id = firm.create(&stopped)?;
    firm.post_client(&ray("b"), "conflict")?;
    decide(&firm, &json!({"decision": "same", "client": id}))?.ok()?;
    Operator::of(service).call("DELETE", &firm.path(&format!("/clients/{id}")))?.ok()?;
    let posted =
        firm.post_client(&json!({"external_id": "b", "first_name": "Someone", "last_name": "New"}), "created")?;
    equal("that it is another client", &(posted.text("/results/0/id")? == id), &false)?;
    equal("letters", &clients(&firm)?[0]["do_not_mail"], &json!(true))
}
