//! `dry_run=true` on both POSTs: the answer that the request would get, and nothing is saved
//! (docs/decisions/0014).

use serde_json::{Value, json};

use crate::wire::{Answer, CaseResult, Failure, Firm, Service, failure::equal, firm::rate_left, send};

cases! { "dry_run":
    "X2" => a_batch_is_answered_as_it_would_be,
    "X2" => a_settled_case_is_answered_as_it_would_be,
    "X2" => nothing_is_saved,
    "X3" => ids_are_those_of_clients_who_exist,
    "X2, X3" => an_erased_client_stays_erased,
    "H19, X2" => every_check_is_made,
    "X2" => it_counts_toward_the_rate_limit,
    "X4" => an_idempotency_key_is_checked_and_not_used,
    "X1" => false_is_a_request_for_real,
}

const TRIED: &str = "/clients?dry_run=true";
const TRIED_SETTLED: &str = "/cases/settled?dry_run=true";

fn ray(id: &str) -> Value {
    json!({"external_id": id, "first_name": "Ada", "last_name": "Ray", "address_line1": "1 Elm St", "zip": "02139"})
}

/// A dry run and the same real request get equal answers, except for the ids of clients that the real
/// request creates, and for the plan.
fn is_rehearsal(tried: &Answer, done: &Answer) -> CaseResult {
    let without_new_ids = |answer: &Answer, known: &[&Value]| {
        let mut json = answer.json.clone();
        json.as_object_mut().map(|object| object.remove("plan"));
        let results = match json.get("results") {
            Some(_) => json["results"].as_array_mut().map(|results| results.iter_mut().collect()).unwrap_or_default(),
            None => json.get_mut("result").into_iter().collect::<Vec<_>>(),
        };
        for result in results {
            if let Some(object) = result.as_object_mut()
                && object.get("id").is_some_and(|id| !known.contains(&id))
            {
                object.remove("id");
            }
        }
        json
    };
    let results = tried.at("/results").as_array().cloned().unwrap_or_else(|| vec![tried.at("/result").clone()]);
    let known: Vec<&Value> = results.iter().filter_map(|result| result.get("id")).collect();
    equal(&format!("{}: the status of the real request", tried.sent), &done.status, &tried.status)?;
    equal(
        &format!("{}: the answer for real", tried.sent),
        &without_new_ids(done, &known),
        &without_new_ids(tried, &known),
    )
}

fn a_batch_is_answered_as_it_would_be(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.create(&ray("a"))?;
    for clients in [
        json!([]),
        json!([ray("a"), ray("b"), {"external_id": "a", "city": "Peoria"}, {"zip": "1"}, 7, {"external_id": "c"}]),
        json!([{"last_name": "Stone"}, {"last_name": "Stone"}, {"first_name": "Ada", "last_name": "Ray"}]),
        json!([{"external_id": "d", "last_name": "New"}, {"external_id": "d", "city": "Reno"}, {"external_id": "a"}]),
    ] {
        let body = json!({ "clients": clients });
        let tried = firm.post(TRIED, &body)?.ok()?;
        is_rehearsal(&firm.post(TRIED, &body)?.ok()?, &tried)?;
        is_rehearsal(&tried, &firm.post("/clients", &body)?)?;
    }
    Ok(())
}

fn a_settled_case_is_answered_as_it_would_be(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.create(&ray("a"))?;
    let settled = |mut client: Value| {
        client["settled_on"] = json!("2025-01-02");
        client
    };
    for (body, status) in [
        (settled(json!({"external_id": "a"})), 200),
        (settled(json!({"external_id": "new", "last_name": "Stone"})), 200),
        (settled(json!({"external_id": "nobody"})), 404),
        (settled(ray("b")), 409),
        (settled(json!({"last_name": "Stone"})), 400),
        (json!({"external_id": "a"}), 400),
        (json!({"external_id": "a", "settled_on": "soon"}), 400),
    ] {
        let tried = firm.post(TRIED_SETTLED, &body)?;
        tried.expect_status(status)?;
        is_rehearsal(&tried, &firm.settle(&body)?)?;
    }
    Ok(())
}

fn nothing_is_saved(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&ray("a"))?;
    firm.settle(&json!({"external_id": "a", "settled_on": "2025-01-02"}))?.ok()?;
    let (record, settlements) = (firm.show(&id)?, firm.settlements()?);
    let change = json!({
        "external_id": "a", "first_name": "Adah", "city": "Peoria", "do_not_mail": true, "settled_on": "2025-03-04",
        "new_settlement": true,
    });
    let new = json!({"external_id": "b", "last_name": "Stone", "settled_on": "2025-03-04"});
    let tried = firm.post(TRIED, &json!({"clients": [change, new]}))?.ok()?;
    tried.expect("/results/0/status", "updated")?.expect("/results/1/status", "created")?;
    firm.post(TRIED_SETTLED, &change)?.ok()?.expect("/result/status", "updated")?;
    firm.post(TRIED_SETTLED, &new)?.ok()?.expect("/result/status", "created")?;
    equal("the client after dry runs", &firm.show(&id)?, &record)?;
    equal("the settlements after dry runs", &firm.settlements()?, &settlements)?;
    // The clients that they would have created do not exist.
    firm.settle(&json!({"external_id": "b", "settled_on": "2025-03-04"}))?.expect_error(404, "not_found")?;
    firm.post_client(&json!({"external_id": "b"}), "error")?;
    Ok(())
}

fn ids_are_those_of_clients_who_exist(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&ray("a"))?;
    let stone = json!({"last_name": "Stone", "address_line1": "2 Oak Ave", "zip": "02139"});
    let clients = json!({"clients": [stone, stone, {"external_id": "a", "city": "Peoria"}, ray("b")]});
    let tried = firm.post(TRIED, &clients)?.ok()?;
    tried.expect("/results/0/status", "created")?.expect_absent("/results/0/id")?;
    tried.expect("/results/1/status", "updated")?.expect_absent("/results/1/id")?;
    tried.expect("/results/2/status", "updated")?.expect("/results/2/id", id.as_str())?;
    tried.expect("/results/3/status", "conflict")?.expect_absent("/results/3/id")?;
    let settled = |external_id: &str| json!({"external_id": external_id, "last_name": "X", "settled_on": "2025-01-02"});
    let tried = firm.post(TRIED_SETTLED, &settled("a"))?.ok()?;
    tried.expect("/result/id", id)?;
    let tried = firm.post(TRIED_SETTLED, &settled("new"))?.ok()?;
    tried.expect("/result/status", "created")?.expect_absent("/result/id")?;
    Ok(())
}

fn an_erased_client_stays_erased(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&ray("a"))?;
    firm.operator().call("DELETE", &firm.path(&format!("/clients/{id}")))?.ok()?;
    let tried = firm.post(TRIED, &json!({"clients": [ray("a")]}))?.ok()?;
    tried.expect("/results/0/status", "created")?.expect_absent("/results/0/id")?;
    firm.post_client(&json!({"external_id": "a"}), "error")?;
    Ok(())
}

fn every_check_is_made(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for (body, words) in [
        ("{", "JSON"),
        ("[]", "object"),
        ("{}", "clients"),
        (r#"{"clients": 7}"#, "array"),
        (r#"{"clients": [], "dry_run": true}"#, "dry_run"),
    ] {
        firm.send(&firm.request("POST", TRIED).json_text(body))?.expect_refusal(&[words])?;
    }
    let many = json!({ "clients": vec![json!({}); 501] });
    firm.post(TRIED, &many)?.expect_refusal(&["501", "500"])?;
    let body = json!({"clients": [ray("a")]});
    let image = firm.request("POST", TRIED).json(&body).header("Content-Type", "image/png");
    let typed = crate::wire::Request {
        headers: image
            .headers
            .iter()
            .filter(|(name, value)| name != "Content-Type" || value == "image/png")
            .cloned()
            .collect(),
        ..image
    };
    firm.send(&typed)?.expect_error(415, "invalid_request")?;
    for path in [TRIED, TRIED_SETTLED] {
        firm.get(path)?.expect_status(if path == TRIED { 400 } else { 405 })?;
        firm.set(&json!({"suspended": true}))?;
        firm.post(path, &body)?.expect_error(403, "forbidden")?;
        firm.set(&json!({"suspended": false, "api_enabled": false}))?;
        firm.post(path, &body)?.expect_error(403, "not_enabled")?;
        firm.set(&json!({"api_enabled": true}))?;
    }
    firm.post(TRIED, &body)?.ok()?;
    firm.operator().call("DELETE", &format!("/keys/{}", firm.key_id))?.ok()?;
    for path in [TRIED, TRIED_SETTLED] {
        send(service, &firm.request("POST", path).json(&body))?.expect_error(401, "unauthorized")?;
    }
    Ok(())
}

fn it_counts_toward_the_rate_limit(service: &dyn Service) -> CaseResult {
    if service.facts().rate_limit_per_minute == 0 {
        // Where there is no limit, no answer speaks of one: `Firm::send` holds each to that.
        Firm::open(service)?.post(TRIED, &json!({"clients": []}))?.ok()?;
        return Ok(());
    }
    let firm = Firm::open(service)?;
    let left = |answer: &Answer| -> Result<u64, Failure> {
        rate_left(answer).map(|(left, _)| left).ok_or_else(|| answer.failure("how many requests are left"))
    };
    let first = left(&firm.post(TRIED, &json!({"clients": []}))?.ok()?)?;
    let second = left(&firm.post(TRIED_SETTLED, &json!({"external_id": "a", "settled_on": "2025-01-02"}))?)?;
    equal("what two dry runs leave", &second, &(first - 1))
}

fn an_idempotency_key_is_checked_and_not_used(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let keyed = |path: &str, key: &str, body: &Value| {
        firm.send(&firm.request("POST", path).header("Idempotency-Key", key).json(body))
    };
    let body = json!({"clients": [ray("a")]});
    for path in [TRIED, TRIED_SETTLED] {
        keyed(path, "two words", &body)?.expect_refusal(&["idempotency-key"])?;
    }
    for _ in 0..2 {
        let tried = keyed(TRIED, "once", &body)?.ok()?;
        tried.expect("/results/0/status", "created")?.expect_no_header("idempotent-replayed")?;
    }
    // The key is still free, for another request too.
    keyed("/clients", "once", &json!({"clients": []}))?.ok()?.expect_no_header("idempotent-replayed")?;
    let done = keyed("/clients", "twice", &body)?.ok()?;
    done.expect("/results/0/status", "created")?.expect_no_header("idempotent-replayed")?;
    // A saved answer is not what would become of the clients.
    let tried = keyed(TRIED, "twice", &body)?.ok()?;
    tried.expect("/results/0/status", "updated")?.expect_no_header("idempotent-replayed")?;
    keyed(TRIED, "twice", &json!({"clients": []}))?.ok()?;
    keyed("/clients", "twice", &body)?.ok()?.expect_header("idempotent-replayed", "true")?;
    Ok(())
}

fn false_is_a_request_for_real(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let done = firm.post("/clients?dry_run=false", &json!({"clients": [ray("a")]}))?.ok()?;
    firm.show(&done.text("/results/0/id")?)?;
    let done = firm.post("/cases/settled?dry_run=false", &json!({"external_id": "a", "settled_on": "2025-01-02"}))?;
    let record = firm.show(&done.text("/result/id")?)?;
    equal("the settled date", &record["settled_on"], &json!("2025-01-02"))
}
