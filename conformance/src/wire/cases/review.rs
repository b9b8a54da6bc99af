//! What waits for review, through the operator API.

use serde_json::{Value, json};

use crate::wire::{Answer, CaseResult, Failure, Firm, Operator, Service, failure::equal};

cases! { "review":
    "J1, J3" => what_is_not_saved_waits_with_its_reason_and_what_is_in_the_way,
    "J1" => a_value_that_cannot_be_read_waits_as_it_was_sent,
    "J2" => the_same_client_waits_once_and_goes_when_it_comes_well,
    "J2" => a_client_that_gets_an_external_id_no_longer_waits_without_one,
    "J1" => a_dry_run_leaves_nothing_for_review,
    "J4" => an_erased_client_leaves_nothing_for_review,
    "J3, O22" => what_waits_is_read_in_pages_of_one_account,
}

pub(super) fn ray(external_id: &str) -> Value {
    json!({"external_id": external_id, "first_name": "Ada", "last_name": "Ray", "address_line1": "1 Elm St", "zip": "62704"})
}

pub(super) fn review(firm: &Firm<'_>) -> Result<Answer, Failure> {
    Operator::of(firm.service).call("GET", &firm.path("/review"))?.ok()
}

pub(super) fn waiting(firm: &Firm<'_>) -> Result<usize, Failure> {
    Ok(review(firm)?.array("/review")?.len())
}

fn what_is_not_saved_waits_with_its_reason_and_what_is_in_the_way(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&ray("a"))?;
    let mut other = ray("b");
    other["phone"] = json!("(217) 555-0100");
    let posted = firm.post_clients(&[other])?.ok()?;
    let found = review(&firm)?;
    equal("how many wait", &found.array("/review")?.len(), &1)?;
    let item = found.at("/review/0");
    equal("the status", &item["status"], &json!("conflict"))?;
    equal("the message", &item["message"], posted.at("/results/0/message"))?;
    equal("what is in the way", &item["candidates"], &json!([id]))?;
    let sent = json!({
        "external_id": "b", "first_name": "Ada", "last_name": "Ray", "address_line1": "1 Elm St", "zip": "62704",
        "phone": "+12175550100",
    });
    equal("what was sent", &item["sent"], &sent)?;
    equal("who sent it", &item["by"]["kind"], &json!("key"))?;
    equal("its request", &item["request_id"], &json!(posted.header("x-request-id")))?;
    equal("its import", &item["import_id"], &Value::Null)?;
    equal("when it came", &item["first_seen_at"], &item["last_seen_at"])
}

fn a_value_that_cannot_be_read_waits_as_it_was_sent(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let mut bad = ray("a");
    bad["zip"] = json!("021");
    bad["nickname"] = json!("Addie");
    let posted = firm.post_clients(&[bad, json!(7), json!({"external_id": "new"})])?.ok()?;
    let found = review(&firm)?;
    let items = found.array("/review")?;
    equal("how many wait", &items.len(), &3)?;
    let nobody = json!({"external_id": "new"});
    let unreadable =
        json!({"first_name": "Ada", "last_name": "Ray", "address_line1": "1 Elm St", "zip": "021", "external_id": "a"});
    for (item, (index, sent)) in items.iter().zip([(2, nobody), (1, json!({})), (0, unreadable)]) {
        equal("the status", &item["status"], &json!("error"))?;
        equal("the message", &item["message"], posted.at(&format!("/results/{index}/message")))?;
        equal("what was sent", &item["sent"], &sent)?;
    }
    Ok(())
}

fn the_same_client_waits_once_and_goes_when_it_comes_well(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let mut bad = ray("a");
    bad["zip"] = json!("021");
    firm.post_clients(&[bad.clone(), ray("b")])?.ok()?;
    let first = review(&firm)?;
    firm.post_clients(&[bad.clone(), ray("b")])?.ok()?;
    equal("what waits after the same request", &review(&firm)?.json, &first.json)?;
    bad["zip"] = json!("02134-");
    firm.post_clients(&[bad])?.ok()?;
    let changed = review(&firm)?;
    equal("how many wait", &changed.array("/review")?.len(), &1)?;
    equal("the item", changed.at("/review/0/id"), first.at("/review/0/id"))?;
    equal("what was sent", changed.at("/review/0/sent/zip"), &json!("02134-"))?;
    firm.post_client(&ray("c"), "conflict")?;
    firm.post_client(&ray("a"), "conflict")?;
    let conflicts = review(&firm)?;
    equal("how many wait", &conflicts.array("/review")?.len(), &2)?;
    let mut elsewhere = ray("a");
    elsewhere["address_line1"] = json!("2 Elm St");
    firm.post_client(&elsewhere, "created")?;
    equal("how many wait", &waiting(&firm)?, &1)?;
    // It comes well and does not change.
    let mut elsewhere = ray("c");
    elsewhere["address_line1"] = json!("3 Elm St");
    firm.post_client(&elsewhere, "created")?;
    equal("how many wait", &waiting(&firm)?, &0)?;
    elsewhere["zip"] = json!("x");
    firm.post_client(&elsewhere, "error")?;
    equal("how many wait", &waiting(&firm)?, &1)?;
    elsewhere["zip"] = json!("62704");
    firm.post_client(&elsewhere, "updated")?;
    equal("how many wait after an unchanged client", &waiting(&firm)?, &0)
}

fn a_client_that_gets_an_external_id_no_longer_waits_without_one(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let mut bad = ray("a");
    bad["email"] = json!("no address");
    if let Some(members) = bad.as_object_mut() {
        members.remove("external_id");
    }
    firm.post_client(&bad, "error")?;
    equal("how many wait", &waiting(&firm)?, &1)?;
    firm.post_client(&ray("a"), "created")?;
    equal("how many wait once the client came with an external id", &waiting(&firm)?, &0)
}

fn a_dry_run_leaves_nothing_for_review(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let body = json!({"clients": [{"first_name": 7}]});
    firm.post("/clients?dry_run=true", &body)?.ok()?;
    equal("how many wait", &waiting(&firm)?, &0)
}

fn an_erased_client_leaves_nothing_for_review(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&ray("a"))?;
    let mut bad = ray("a");
    bad["phone"] = json!("1");
    let other = json!({"external_id": "x", "first_name": "Zoe", "last_name": "Kim", "zip": "1"});
    firm.post_clients(&[bad, ray("b"), other])?.ok()?;
    equal("how many wait", &waiting(&firm)?, &3)?;
    Operator::of(service).call("DELETE", &firm.path(&format!("/clients/{id}")))?.ok()?;
    let left = review(&firm)?;
    equal("how many wait after the erasure", &left.array("/review")?.len(), &1)?;
    equal("what waits", left.at("/review/0/sent/last_name"), &json!("Kim"))
}

fn what_waits_is_read_in_pages_of_one_account(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let other = Firm::open(service)?;
    let bad = |external_id: &str| json!({"external_id": external_id, "zip": "1"});
    firm.post_clients(&[bad("1"), bad("2"), bad("3")])?.ok()?;
    other.post_clients(&[bad("4")])?.ok()?;
    let operator = Operator::of(service);
    let mut path = firm.path("/review?limit=2");
    let mut ids = Vec::new();
    loop {
        let page = operator.call("GET", &path)?.ok()?;
        ids.extend(page.array("/review")?.iter().map(|item| item["sent"]["external_id"].clone()));
        let Some(cursor) = page.at("/next_cursor").as_str() else { break };
        path = firm.path(&format!("/review?limit=2&cursor={cursor}"));
        let elsewhere = other.path(&format!("/review?cursor={cursor}"));
        operator.call("GET", &elsewhere)?.expect_error(400, "invalid_request")?;
    }
    equal("what waits", &ids, &["3", "2", "1"].map(Value::from).to_vec())
}
