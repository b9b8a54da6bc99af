//! `GET /clients/{id}/history` and the operator's form of it.

use serde_json::{Value, json};

use super::{clients_get::wait_for_count, clients_post::full};
use crate::wire::{
    CaseResult, Failure, Firm, Operator, Service,
    failure::{equal, holds},
    wait_for_clients,
};

cases! { "client_history":
    "V15, V16" => a_history_tells_what_changed_by_whom_and_in_which_request,
    "V15" => a_history_is_delayed_as_the_list_is,
    "V17, C3" => a_history_has_pages_of_its_own_client,
    "V15, D8" => an_id_of_no_client_has_no_history,
    "O26" => the_operator_sees_a_history_at_once,
    "V15, U8" => a_post_that_changes_nothing_is_no_change,
}

/// The history, once it has so many changes.
fn wait_for_changes(firm: &Firm<'_>, client: &str, count: usize) -> Result<Vec<Value>, Failure> {
    wait_for_clients(firm.service, || {
        let answer = firm.get(&format!("/clients/{client}/history"))?.ok()?;
        let changes = answer.array("/changes")?.clone();
        holds(changes.len() == count, "the history after the delay", &format!("{count} changes"), || {
            format!("{} changes", changes.len())
        })?;
        Ok(changes)
    })
}

fn a_history_tells_what_changed_by_whom_and_in_which_request(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let client = json!({"first_name": "Ada", "last_name": "Ray", "address_line1": "1 Elm St", "zip": "62704"});
    let created = firm.post_clients(std::slice::from_ref(&client))?.ok()?;
    let id = created.text("/results/0/id")?;
    let mut change = client.clone();
    change["external_id"] = json!("77");
    change["phone"] = json!("(217) 555-0100");
    change["do_not_mail"] = json!("yes");
    let changed = firm.post_clients(&[change])?.ok()?;
    let changes = wait_for_changes(&firm, &id, 2)?;
    let [latest, first] = &changes[..] else { return Err(Failure::new("history", "two changes", "others")) };
    let expected = json!([
        {"field": "phone", "from": null, "to": "+12175550100"},
        {"field": "external_id", "from": null, "to": "77"},
        {"field": "do_not_mail", "from": false, "to": true},
    ]);
    equal("what changed", &latest["changed"], &expected)?;
    equal("how the client was found", &latest["matched_by"], &json!("name_address_zip"))?;
    equal("the request", &latest["request_id"], &json!(changed.header("x-request-id")))?;
    equal("the import", &latest["import_id"], &Value::Null)?;
    equal("the kind of author", &latest["by"]["kind"], &json!("key"))?;
    equal("the time", &latest["at"], &firm.show(&id)?["updated_at"])?;
    equal("the request that created the client", &first["request_id"], &json!(created.header("x-request-id")))?;
    equal("how a new client was found", &first["matched_by"], &Value::Null)?;
    let expected = json!([
        {"field": "first_name", "from": null, "to": "Ada"},
        {"field": "last_name", "from": null, "to": "Ray"},
        {"field": "address_line1", "from": null, "to": "1 Elm St"},
        {"field": "zip", "from": null, "to": "62704"},
    ]);
    equal("the fields of a new client", &first["changed"], &expected)
}

fn a_history_is_delayed_as_the_list_is(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&full("a"))?;
    wait_for_count(&firm, 1)?;
    firm.post_client(&json!({"external_id": "a", "city": "Peoria"}), "updated")?;
    let list = || Ok::<_, Failure>(firm.get(&format!("/clients/{id}"))?.ok()?.at("/client/updated_at").clone());
    let before = list()?;
    let answer = firm.get(&format!("/clients/{id}/history"))?.ok()?;
    let after = list()?;
    let newest = answer.at("/changes/0/at");
    holds(*newest == before || *newest == after, "the newest change", "the state of the list", || newest.to_string())?;
    let changes = wait_for_changes(&firm, &id, 2)?;
    equal("the newest change later", &changes[0]["at"], &firm.show(&id)?["updated_at"])
}

fn a_history_has_pages_of_its_own_client(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let other = json!({"external_id": "b", "last_name": "Ray"});
    let ids = [firm.create(&full("a"))?, firm.create(&other)?];
    for city in ["Peoria", "Joliet", "Aurora"] {
        firm.post_client(&json!({"external_id": "a", "city": city}), "updated")?;
    }
    let all = wait_for_changes(&firm, &ids[0], 4)?;
    let path = format!("/clients/{}/history", ids[0]);
    let (mut found, mut query) = (Vec::new(), "?limit=1".to_owned());
    loop {
        let page = firm.get(&format!("{path}{query}"))?.ok()?;
        found.extend(page.array("/changes")?.clone());
        let Some(cursor) = page.at("/next_cursor").as_str() else { break };
        query = format!("?limit=1&cursor={cursor}");
        let of_another = format!("/clients/{}/history{query}", ids[1]);
        firm.get(&of_another)?.expect_error(400, "invalid_request")?;
        holds(found.len() < 9, "the pages", "an end", || "none".to_owned())?;
    }
    equal("the changes, one on a page", &found, &all)?;
    firm.get(&format!("{path}?limit=0"))?.expect_error(400, "invalid_request")?;
    firm.get(&format!("{path}?dry_run=true"))?.expect_error(400, "invalid_request")?;
    Ok(())
}

fn an_id_of_no_client_has_no_history(service: &dyn Service) -> CaseResult {
    let (firm, other) = (Firm::open(service)?, Firm::open(service)?);
    let of_another = other.create(&full("a"))?;
    wait_for_count(&other, 1)?;
    for id in [of_another.as_str(), "00000000-0000-0000-0000-000000000000", "1"] {
        firm.get(&format!("/clients/{id}/history"))?.expect_error(404, "not_found")?;
        Operator::of(service)
            .call("GET", &firm.path(&format!("/clients/{id}/history")))?
            .expect_error(404, "not_found")?;
    }
    Ok(())
}

fn the_operator_sees_a_history_at_once(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let mut client = full("a");
    client["do_not_mail"] = json!(true);
    let id = firm.create(&client)?;
    let operator = Operator::of(service);
    operator.call("POST", &firm.path(&format!("/clients/{id}/mail-on")))?.ok()?;
    let path = firm.path(&format!("/clients/{id}/history"));
    let page = operator.call("GET", &format!("{path}?limit=1"))?.ok()?;
    equal("the author", page.at("/changes/0/by"), &json!({"kind": "operator", "label": "operator"}))?;
    let expected = json!([{"field": "do_not_mail", "from": true, "to": false}]);
    equal("what changed", page.at("/changes/0/changed"), &expected)?;
    let cursor = page.text("/next_cursor")?;
    let page = operator.call("GET", &format!("{path}?cursor={cursor}"))?.ok()?;
    equal("the author of the first change", page.at("/changes/0/by/kind"), &json!("key"))?;
    equal("the end", page.at("/next_cursor"), &Value::Null)
}

fn a_post_that_changes_nothing_is_no_change(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&full("a"))?;
    firm.post_client(&full("a"), "updated")?;
    let page = Operator::of(service).call("GET", &firm.path(&format!("/clients/{id}/history")))?.ok()?;
    equal("the number of changes", &page.array("/changes")?.len(), &1)
}
