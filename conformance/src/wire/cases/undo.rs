//! A change of an account's clients and its undo, through the operator API.

use serde_json::{Value, json};

use super::clients_post::full;
use crate::wire::{
    Answer, CaseResult, Failure, Firm, Operator, Service,
    failure::{equal, holds},
};

cases! { "undo":
    "Q1, Q2" => an_undo_gives_fields_back_and_removes_new_clients,
    "Q3" => an_undo_lists_what_it_leaves_with_the_reason,
    "Q4" => an_undo_can_be_undone_by_its_own_request,
    "Q5" => a_dry_run_of_an_undo_changes_nothing,
    "Q1, D8" => a_request_that_changed_nothing_is_not_found,
    "Q6" => a_client_that_an_undo_removed_is_new_when_it_is_sent_again,
}

/// The request of an answer.
fn request_of(answer: &Answer) -> String {
    answer.header("x-request-id").unwrap_or_default().to_owned()
}

fn undo(firm: &Firm<'_>, request: &str, query: &str) -> Result<Answer, Failure> {
    Operator::of(firm.service).call("POST", &firm.path(&format!("/changes/{request}/undo{query}")))?.ok()
}

/// All clients as they are now, without the times of their last changes.
fn all(firm: &Firm<'_>) -> Result<Vec<Value>, Failure> {
    let page = Operator::of(firm.service).call("GET", &firm.path("/clients"))?.ok()?;
    let mut clients = page.array("/clients")?.clone();
    clients.iter_mut().for_each(|client| client["updated_at"] = Value::Null);
    clients.sort_by_key(|client| client["id"].to_string());
    Ok(clients)
}

fn client(external_id: &str, name: &str) -> Value {
    json!({"external_id": external_id, "first_name": "Ada", "last_name": name, "address_line1": "1 Elm St", "zip": "62704"})
}

fn an_undo_gives_fields_back_and_removes_new_clients(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.create(&client("a", "Ray"))?;
    let before = all(&firm)?;
    let mut changed = client("a", "Reyes");
    changed["phone"] = json!("(217) 555-0100");
    let posted = firm.post_clients(&[changed, client("b", "Lee")])?.ok()?;
    let request = request_of(&posted);
    let answer = undo(&firm, &request, "")?;
    equal("the clients after the undo", &all(&firm)?, &before)?;
    let change = json!({"request_id": request, "created": 1, "changed": 1});
    for member in ["request_id", "created", "changed"] {
        equal(member, answer.at(&format!("/change/{member}")), &change[member])?;
    }
    equal("the author of the change", answer.at("/change/by/kind"), &json!("key"))?;
    let actions: Vec<_> = answer.array("/undo/clients")?.iter().map(|client| client["action"].clone()).collect();
    equal("what the undo does", &actions, &vec![json!("update"), json!("remove")])?;
    let fields = json!([
        {"field": "last_name", "from": "Reyes", "to": "Ray"},
        {"field": "phone", "from": "+12175550100", "to": null},
    ]);
    equal("the fields that go back", answer.at("/undo/clients/0/changed"), &fields)?;
    equal("what is left", answer.at("/undo/left"), &json!([]))
}

fn an_undo_lists_what_it_leaves_with_the_reason(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&client("a", "Ray"))?;
    let mut changed = client("a", "Ray");
    for (member, value) in [
        ("city", json!("Peoria")),
        ("phone", json!("2175550100")),
        ("do_not_mail", json!(true)),
        ("settled_on", json!("2026-01-05")),
    ] {
        changed[member] = value;
    }
    let request = request_of(&firm.post_clients(&[changed])?.ok()?);
    firm.post_client(&json!({"external_id": "a", "city": "Joliet"}), "updated")?;
    let answer = undo(&firm, &request, "")?;
    let left = json!([
        {"id": id, "field": "city", "reason": "changed_since"},
        {"id": id, "field": "settled_on", "reason": "settlement"},
        {"id": id, "field": "do_not_mail", "reason": "do_not_mail"},
    ]);
    equal("what is left", answer.at("/undo/left"), &left)?;
    let shown = firm.show(&id)?;
    let found = json!([shown["city"], shown["phone"], shown["do_not_mail"], shown["settled_on"]]);
    equal("the client", &found, &json!(["Joliet", null, true, "2026-01-05"]))?;
    equal("the settlements", &firm.settlements()?.len(), &1)
}

fn an_undo_can_be_undone_by_its_own_request(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&client("a", "Ray"))?;
    let request = request_of(&firm.post_clients(&[client("a", "Reyes"), client("b", "Lee")])?.ok()?);
    let after = all(&firm)?;
    let undone = undo(&firm, &request, "")?;
    let again = undo(&firm, &request_of(&undone), "")?;
    equal("the clients after the undo of the undo", &all(&firm)?, &after)?;
    equal("the author of the undo", again.at("/change/by"), &json!({"kind": "operator", "label": "operator"}))?;
    let path = firm.path(&format!("/clients/{id}/history"));
    let history = Operator::of(service).call("GET", &path)?.ok()?;
    let kinds: Vec<_> = history.array("/changes")?.iter().map(|change| change["by"]["kind"].clone()).collect();
    equal("who changed the client", &kinds, &["operator", "operator", "key", "key"].map(Value::from).to_vec())
}

fn a_dry_run_of_an_undo_changes_nothing(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.create(&client("a", "Ray"))?;
    let request = request_of(&firm.post_clients(&[client("a", "Reyes"), client("b", "Lee")])?.ok()?);
    let before = all(&firm)?;
    let tried = undo(&firm, &request, "?dry_run=true")?;
    let path = firm.path(&format!("/changes/{request}"));
    let operator = Operator::of(service);
    equal("the change that is shown", &operator.call("GET", &path)?.ok()?.json, &tried.json)?;
    equal("the clients after a dry run", &all(&firm)?, &before)?;
    operator.call("POST", &format!("{path}/undo?dry_run=yes"))?.expect_error(400, "invalid_request")?;
    operator.call("GET", &format!("{path}?dry_run=true"))?.expect_error(400, "invalid_request")?;
    let done = undo(&firm, &request, "?dry_run=false")?;
    equal("what is done", done.at("/undo/clients"), tried.at("/undo/clients"))?;
    holds(done.at("/undo/dry_run") == &json!(false), "dry_run", "false", || done.json.to_string())
}

fn a_request_that_changed_nothing_is_not_found(service: &dyn Service) -> CaseResult {
    let (firm, other) = (Firm::open(service)?, Firm::open(service)?);
    let created = request_of(&firm.post_clients(&[full("a")])?.ok()?);
    let unchanged = request_of(&firm.post_clients(&[full("a")])?.ok()?);
    let operator = Operator::of(service);
    for path in [
        firm.path(&format!("/changes/{unchanged}")),
        firm.path("/changes/1"),
        other.path(&format!("/changes/{created}")),
    ] {
        operator.call("GET", &path)?.expect_error(404, "not_found")?;
        operator.call("POST", &format!("{path}/undo"))?.expect_error(404, "not_found")?;
    }
    Ok(())
}

fn a_client_that_an_undo_removed_is_new_when_it_is_sent_again(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let mut stopped = client("a", "Ray");
    stopped["do_not_mail"] = json!(true);
    let posted = firm.post_clients(&[stopped])?.ok()?;
    undo(&firm, &request_of(&posted), "")?;
    let path = firm.path(&format!("/clients/{}", posted.text("/results/0/id")?));
    Operator::of(service).call("GET", &path)?.expect_error(404, "not_found")?;
    let id = firm.create(&client("a", "Ray"))?;
    equal("do_not_mail of the new client", &firm.show(&id)?["do_not_mail"], &json!(true))
}
