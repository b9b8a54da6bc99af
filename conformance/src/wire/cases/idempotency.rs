//! `Idempotency-Key`: a repeated request gets the saved answer (group I of the specification).

use serde_json::{Value, json};

use crate::wire::{Answer, CaseResult, Failure, Firm, Service, failure::equal};

cases! { "idempotency":
    "I3" => the_same_request_again_gets_the_saved_answer,
    "I3" => a_replay_saves_nothing,
    "I2, I4" => another_request_with_the_key_is_422,
    "I1" => a_key_may_be_quoted_or_bare,
    "I1" => a_key_has_up_to_255_visible_characters,
    "I3" => a_key_is_the_accounts_and_not_the_api_keys,
    "I3" => without_a_key_nothing_is_replayed,
    "I6" => a_request_that_was_refused_may_be_mended_under_its_key,
    "I6" => a_404_and_a_409_are_saved_answers_too,
    "I9" => a_key_means_nothing_to_a_get,
}

fn keyed(firm: &Firm<'_>, path: &str, key: &str, body: &Value) -> Result<Answer, Failure> {
    firm.send(&firm.request("POST", path).header("Idempotency-Key", key).json(body))
}

fn is_first(answer: Answer) -> Result<Answer, Failure> {
    answer.expect_status(200)?.expect_no_header("idempotent-replayed")?;
    Ok(answer)
}

fn is_replay(answer: &Answer, of: &Answer) -> CaseResult {
    answer.expect_status(of.status)?.expect_header("idempotent-replayed", "true")?;
    equal(&format!("{}: the saved answer", answer.sent), &answer.json, &of.json)
}

const BATCH: &str = "/clients";
const SETTLED: &str = "/cases/settled";

fn body_for(path: &str, id: &str) -> Value {
    let client = json!({"external_id": id, "last_name": "Ray", "settled_on": "2025-01-02"});
    if path == BATCH { json!({ "clients": [client, {"zip": "1"}] }) } else { client }
}

fn the_same_request_again_gets_the_saved_answer(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for path in [BATCH, SETTLED] {
        let body = body_for(path, path);
        let first = is_first(keyed(&firm, path, &format!("key of {path}").replace(' ', "-"), &body)?)?;
        for _ in 0..2 {
            let again = keyed(&firm, path, &format!("key of {path}").replace(' ', "-"), &body)?;
            is_replay(&again, &first)?;
        }
    }
    Ok(())
}

fn a_replay_saves_nothing(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let body = json!({"clients": [{"external_id": "a", "last_name": "Ray", "city": "Peoria"}]});
    let first = is_first(keyed(&firm, BATCH, "once", &body)?)?;
    let id = first.text("/results/0/id")?;
    firm.post_client(&json!({"external_id": "a", "city": "Joliet"}), "updated")?;
    let record = firm.show(&id)?;
    let again = keyed(&firm, BATCH, "once", &body)?;
    is_replay(&again, &first)?;
    again.expect("/results/0/status", "created")?;
    equal("the client after a replay", &firm.show(&id)?, &record)
}

fn another_request_with_the_key_is_422(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let body = body_for(SETTLED, "a");
    let first = is_first(keyed(&firm, SETTLED, "used", &body)?)?;
    let mut other = body.clone();
    other["city"] = json!("Peoria");
    keyed(&firm, SETTLED, "used", &other)?.expect_error(422, "invalid_request")?;
    keyed(&firm, BATCH, "used", &json!({"clients": [body]}))?.expect_error(422, "invalid_request")?;
    keyed(&firm, BATCH, "used", &body_for(BATCH, "b"))?.expect_error(422, "invalid_request")?;
    // The saved answer is still there, and the refused requests saved nothing.
    is_replay(&keyed(&firm, SETTLED, "used", &body)?, &first)?;
    equal("the client", &firm.show(&first.text("/result/id")?)?["city"], &Value::Null)?;
    firm.post_client(&json!({"external_id": "b"}), "error")?;
    Ok(())
}

fn a_key_may_be_quoted_or_bare(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for (number, key) in
        ["bare-1", "\"quoted-1\"", "8e03978e-40d5-43dd-bc93-6894a57f9324", "a.b:c/d=e+f"].iter().enumerate()
    {
        let body = body_for(BATCH, &number.to_string());
        let first = is_first(keyed(&firm, BATCH, key, &body)?)?;
        is_replay(&keyed(&firm, BATCH, key, &body)?, &first)?;
    }
    // Quotes are not part of the key.
    let first = keyed(&firm, BATCH, "bare-1", &body_for(BATCH, "0"))?;
    is_replay(&keyed(&firm, BATCH, "\"bare-1\"", &body_for(BATCH, "0"))?, &first)
}

fn a_key_has_up_to_255_visible_characters(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let body = body_for(BATCH, "a");
    let longest = "k".repeat(255);
    let first = is_first(keyed(&firm, BATCH, &longest, &body)?)?;
    is_replay(&keyed(&firm, BATCH, &longest, &body)?, &first)?;
    for key in ["k".repeat(256), "two words".to_owned(), format!("\"{}\"", "k".repeat(256))] {
        for path in [BATCH, SETTLED] {
            keyed(&firm, path, &key, &body_for(path, "b"))?.expect_refusal(&["idempotency-key"])?;
        }
    }
    firm.post_client(&json!({"external_id": "b"}), "error")?;
    Ok(())
}

fn a_key_is_the_accounts_and_not_the_api_keys(service: &dyn Service) -> CaseResult {
    let mut firm = Firm::open(service)?;
    let other = Firm::open(service)?;
    let body = body_for(BATCH, "a");
    let first = is_first(keyed(&firm, BATCH, "shared", &body)?)?;
    let theirs = is_first(keyed(&other, BATCH, "shared", &body)?)?;
    if theirs.at("/results/0/id") == first.at("/results/0/id") {
        return Err(theirs.failure("an answer of its own for another account"));
    }
    (firm.key_id, firm.key) = firm.new_key()?;
    is_replay(&keyed(&firm, BATCH, "shared", &body)?, &first)
}

fn without_a_key_nothing_is_replayed(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let body = body_for(BATCH, "a");
    firm.post(BATCH, &body)?.ok()?.expect_no_header("idempotent-replayed")?.expect("/results/0/status", "created")?;
    firm.post(BATCH, &body)?.ok()?.expect_no_header("idempotent-replayed")?.expect("/results/0/status", "updated")?;
    is_first(keyed(&firm, BATCH, "one", &body)?)?.expect("/results/0/status", "updated")?;
    is_first(keyed(&firm, BATCH, "two", &body)?)?.expect("/results/0/status", "updated")?;
    Ok(())
}

fn a_request_that_was_refused_may_be_mended_under_its_key(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    keyed(&firm, BATCH, "mended", &json!({"clients": 5}))?.expect_error(400, "invalid_request")?;
    keyed(&firm, SETTLED, "mended", &json!({"external_id": "a"}))?.expect_error(400, "invalid_request")?;
    is_first(keyed(&firm, BATCH, "mended", &body_for(BATCH, "a"))?)?.expect("/results/0/status", "created")?;
    Ok(())
}

fn a_404_and_a_409_are_saved_answers_too(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let unknown = json!({"external_id": "a", "settled_on": "2025-01-02"});
    let first = keyed(&firm, SETTLED, "unknown", &unknown)?;
    first.expect_error(404, "not_found")?.expect_no_header("idempotent-replayed")?;
    let person = json!({"external_id": "a", "last_name": "Ray", "address_line1": "1 Elm St", "zip": "02139"});
    let id = firm.create(&person)?;
    is_replay(&keyed(&firm, SETTLED, "unknown", &unknown)?, &first)?;
    let mut other = person;
    other["external_id"] = json!("b");
    other["settled_on"] = json!("2025-01-02");
    let conflict = keyed(&firm, SETTLED, "conflict", &other)?;
    conflict.expect_error(409, "conflict")?;
    is_replay(&keyed(&firm, SETTLED, "conflict", &other)?, &conflict)?;
    equal("the client that stood in the way", &firm.show(&id)?["settled_on"], &Value::Null)
}

fn a_key_means_nothing_to_a_get(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for path in ["/me", "/clients", "/clients?limit=1"] {
        firm.send(&firm.request("GET", path).header("Idempotency-Key", "read"))?
            .expect_status(200)?
            .expect_no_header("idempotent-replayed")?;
    }
    Ok(())
}
