//! Erasing a client: it leaves every view at once, and `do_not_mail` survives (rules D1 to D3).

use serde_json::{Value, json};

use super::{
    clients_get::{create_numbered, ids, wait_for_count},
    clients_post::full,
};
use crate::wire::{
    CaseResult, Firm, Operator, Service,
    failure::{equal, holds},
    wait_for_clients,
};

cases! { "erasure":
    "D1, O19" => an_erased_client_is_gone_from_every_view_at_once,
    "D1" => an_erased_client_whose_change_was_hidden_is_gone_too,
    "D1" => a_walk_goes_on_past_an_erased_client,
    "D2, D3, U13" => a_client_made_again_by_its_id_keeps_do_not_mail,
    "D2, D3, U13" => a_client_made_again_by_its_name_and_place_keeps_do_not_mail,
    "D3" => a_client_made_again_that_was_mailed_is_mailed,
    "I8" => saved_answers_that_name_an_erased_client_are_dropped_and_others_stay,
    "D1, M30, T9" => after_erasure_an_id_alone_finds_nobody,
}

fn erase(firm: &Firm<'_>, id: &str) -> CaseResult {
    let operator = Operator::of(firm.service);
    let path = firm.path(&format!("/clients/{id}"));
    let answer = operator.call("DELETE", &path)?.ok()?;
    equal("erasing", &answer.json, &json!({"client": {"id": id, "erased": true}}))?;
    operator.call("GET", &path)?.expect_error(404, "not_found")?;
    operator.call("DELETE", &path)?.expect_error(404, "not_found")?;
    operator.call("POST", &format!("{path}/mail-on"))?.expect_error(404, "not_found")?;
    Ok(())
}

fn an_erased_client_is_gone_from_every_view_at_once(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&full("a"))?;
    let other = firm.create(&full("b").as_object().map_or(Value::Null, |client| {
        let mut client = client.clone();
        client.insert("last_name".to_owned(), json!("Stone"));
        Value::Object(client)
    }))?;
    wait_for_count(&firm, 2)?;
    equal("settlements before", &firm.settlements()?.len(), &2)?;
    erase(&firm, &id)?;
    equal("GET /clients at once", &ids(&firm.walk_clients("limit=100")?), &vec![other.clone()])?;
    equal("by its external_id", &firm.walk_clients("external_id=a")?, &Vec::new())?;
    equal("since long ago", &ids(&firm.walk_clients("updated_since=2000-01-01T00:00:00Z")?), &vec![other.clone()])?;
    let feed = firm.settlements()?;
    equal("the settlements feed", &feed.iter().map(|row| &row["client_id"]).collect::<Vec<_>>(), &vec![&json!(other)])
}

fn an_erased_client_whose_change_was_hidden_is_gone_too(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let ids_before = create_numbered(&firm, 0..2)?;
    wait_for_count(&firm, 2)?;
    firm.post_client(&json!({"external_id": "n0", "city": "Peoria"}), "updated")?;
    erase(&firm, &ids_before[0])?;
    equal("GET /clients at once", &ids(&firm.walk_clients("limit=100")?), &ids_before[1..].to_vec())?;
    wait_for_clients(service, || {
        equal("and after the delay", &ids(&firm.walk_clients("limit=100")?), &ids_before[1..].to_vec())
    })
}

fn a_walk_goes_on_past_an_erased_client(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let created = create_numbered(&firm, 0..5)?;
    wait_for_count(&firm, 5)?;
    let cursor = firm.get("/clients?limit=2")?.ok()?.text("/next_cursor")?;
    // The client at the cursor, and one after it.
    erase(&firm, &created[1])?;
    erase(&firm, &created[3])?;
    let rest = ids(&firm.walk_clients_after(&cursor, "limit=1")?);
    equal("the rest of the walk", &rest, &vec![created[2].clone(), created[4].clone()])
}

/// Creates a client, erases it, and posts it again in these words; whether letters are stopped.
fn made_again(service: &dyn Service, first: &Value, again: &Value) -> Result<Value, crate::wire::Failure> {
    let firm = Firm::open(service)?;
    let id = firm.create(first)?;
    erase(&firm, &id)?;
    let new = firm.create(again)?;
    holds(new != id, "a client made again", "a new id", || new.clone())?;
    let record = firm.show(&new)?;
    for (name, value) in again.as_object().into_iter().flatten() {
        if name != "do_not_mail" {
            equal(&format!("{name} of the client made again"), &record[name], value)?;
        }
    }
    Ok(record)
}

fn stopped(client: &Value) -> Value {
    let mut client = client.clone();
    client["do_not_mail"] = json!(true);
    client
}

fn a_client_made_again_by_its_id_keeps_do_not_mail(service: &dyn Service) -> CaseResult {
    let again = json!({"external_id": "a", "first_name": "Other", "last_name": "Name"});
    let record = made_again(service, &stopped(&full("a")), &again)?;
    equal("do_not_mail", &record["do_not_mail"], &json!(true))?;
    equal("what was erased stays erased", &(&record["city"], &record["settled_on"]), &(&Value::Null, &Value::Null))
}

fn a_client_made_again_by_its_name_and_place_keeps_do_not_mail(service: &dyn Service) -> CaseResult {
    let place = json!({"first_name": "Ada", "last_name": "Reyes", "address_line1": "12 Elm Street", "zip": "62704"});
    for again in [
        place.clone(),
        json!({"first_name": "ADA", "last_name": "REYES", "address_line1": "12 ELM ST", "zip": "62704-0001"}),
        json!({"external_id": "new", "first_name": "Ada", "last_name": "Reyes", "address_line1": "12 Elm St", "zip": "62704"}),
    ] {
        let record = made_again(service, &stopped(&full("a")), &again)?;
        equal("do_not_mail", &record["do_not_mail"], &json!(true))?;
    }
    let elsewhere = json!({"first_name": "Ada", "last_name": "Reyes", "address_line1": "99 Oak Ave", "zip": "62704"});
    let record = made_again(service, &stopped(&full("a")), &elsewhere)?;
    equal("do_not_mail of somebody elsewhere", &record["do_not_mail"], &json!(false))
}

fn a_client_made_again_that_was_mailed_is_mailed(service: &dyn Service) -> CaseResult {
    let record = made_again(service, &full("a"), &full("a"))?;
    equal("do_not_mail", &record["do_not_mail"], &json!(false))
}

fn saved_answers_that_name_an_erased_client_are_dropped_and_others_stay(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let post = |key: &str, client: &Value| {
        let request = firm.request("POST", "/clients").header("Idempotency-Key", key);
        firm.send(&request.json(&json!({ "clients": [client] })))?.ok()
    };
    // An id that is a part of many an answer's other words.
    let client = json!({"external_id": "a", "last_name": "Ray", "address_line1": "1 Elm St", "zip": "02139"});
    let other = json!({"external_id": "b", "last_name": "Stone"});
    let mut rival = client.clone();
    rival["external_id"] = json!("c");
    let id = post("made", &client)?.text("/results/0/id")?;
    let kept = post("other", &other)?;
    post("rival", &rival)?.expect("/results/0/status", "conflict")?.expect_words("/results/0/message", &["\"a\""])?;
    erase(&firm, &id)?;
    let again = post("made", &client)?;
    again.expect_no_header("idempotent-replayed")?.expect("/results/0/status", "created")?;
    post("rival", &rival)?.expect_no_header("idempotent-replayed")?;
    let replayed = post("other", &other)?;
    replayed.expect_header("idempotent-replayed", "true")?;
    equal("the saved answer of another client", &replayed.json, &kept.json)
}

fn after_erasure_an_id_alone_finds_nobody(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&full("a"))?;
    erase(&firm, &id)?;
    firm.settle(&json!({"external_id": "a", "settled_on": "2025-01-01"}))?.expect_error(404, "not_found")?;
    firm.post_client(&json!({"external_id": "a", "city": "Peoria"}), "error")?;
    Ok(())
}
