//! Explained answers that are given again by their `Idempotency-Key` (docs/decisions/0014).

use serde_json::{Value, json};

use super::explain::{EXPLAINED, ray};
use crate::wire::{Answer, CaseResult, Failure, Firm, Service, failure::equal};

cases! { "explain_replays":
    "I2, I3" => an_explained_answer_is_replayed_as_it_was,
    "I7" => a_large_explained_answer_is_replayed_without_explanations,
    "I8" => saved_values_go_with_an_erased_client,
}

fn keyed(firm: &Firm<'_>, path: &str, key: &str, client: &Value) -> Result<Answer, Failure> {
    firm.send(&firm.request("POST", path).header("Idempotency-Key", key).json(&json!({"clients": [client]})))
}

fn an_explained_answer_is_replayed_as_it_was(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let client = json!({"external_id": " a ", "last_name": "Ray"});
    let first = keyed(&firm, EXPLAINED, "told", &client)?.ok()?;
    first.expect("/results/0/changed", json!(["last_name", "external_id"]))?;
    let again = keyed(&firm, EXPLAINED, "told", &client)?.ok()?;
    again.expect_header("idempotent-replayed", "true")?;
    equal("the saved answer", &again.json, &first.json)?;
    // Whether an explanation is asked for is a part of the request.
    keyed(&firm, "/clients", "told", &client)?.expect_error(422, "invalid_request")?;
    keyed(&firm, "/clients?explain=false", "untold", &client)?.ok()?;
    keyed(&firm, "/clients", "untold", &client)?.ok()?.expect_header("idempotent-replayed", "true")?;
    keyed(&firm, EXPLAINED, "untold", &client)?.expect_error(422, "invalid_request")?;
    Ok(())
}

fn a_large_explained_answer_is_replayed_without_explanations(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    // Quotes, which are escaped wherever the answer is kept.
    let name = format!("Ray{}", "\"\\".repeat(90));
    let padded = format!("{name}{}", " ".repeat(40_000));
    let clients: Vec<Value> =
        (0..12).map(|number| json!({"external_id": format!("{number} "), "last_name": padded})).collect();
    let send = || {
        let request = firm.request("POST", EXPLAINED).header("Idempotency-Key", "large");
        firm.send(&request.json(&json!({ "clients": clients })))?.ok()
    };
    let first = send()?;
    first.expect_no_header("idempotent-replayed")?.expect("/results/11/repaired/last_name/to", name)?;
    let again = send()?;
    again.expect_header("idempotent-replayed", "true")?.expect_absent("/results/11/repaired")?;
    let plain = |answer: &Answer| -> Vec<Value> {
        let pick = |result: &Value| json!([result["index"], result["status"], result["id"]]);
        answer.at("/results").as_array().into_iter().flatten().map(pick).collect()
    };
    equal("the results", &plain(&again), &plain(&first))
}

fn saved_values_go_with_an_erased_client(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&ray("a"))?;
    // An error has no client id, but it contains a client's name.
    let refused = json!({"external_id": "a", "first_name": " Ada ", "zip": "123"});
    keyed(&firm, EXPLAINED, "refused", &refused)?.ok()?.expect("/results/0/repaired/first_name/to", "Ada")?;
    keyed(&firm, EXPLAINED, "refused", &refused)?.ok()?.expect_header("idempotent-replayed", "true")?;
    firm.operator().call("DELETE", &firm.path(&format!("/clients/{id}")))?.ok()?;
    keyed(&firm, EXPLAINED, "refused", &refused)?.ok()?.expect_no_header("idempotent-replayed")?;
    Ok(())
}
