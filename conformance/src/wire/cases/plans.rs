//! `plan`: a dry run gives a text that saves the request only with the results that it showed.

use serde_json::{Value, json};

use crate::wire::{Answer, CaseResult, Failure, Firm, Service, failure::equal};

cases! { "plans":
    "X14" => a_dry_run_has_a_plan_and_a_request_for_real_has_none,
    "X15" => a_plan_saves_what_its_dry_run_showed,
    "X15, X16" => a_plan_whose_results_have_changed_saves_nothing_and_shows_those_of_now,
    "X15" => a_plan_of_an_explained_dry_run_binds_its_explanations,
    "X16" => a_settled_case_is_bound_too,
    "X17" => a_plan_is_for_one_request_of_one_account,
    "X17" => a_plan_is_not_for_a_dry_run,
    "X18" => a_plan_is_no_part_of_what_an_idempotency_key_is_for,
}

fn ray(id: &str) -> Value {
    json!({"external_id": id, "first_name": "Ada", "last_name": "Ray", "address_line1": "1 Elm St", "zip": "02139"})
}

fn settled(id: &str) -> Value {
    json!({"external_id": id, "last_name": "Stone", "settled_on": "2025-01-02"})
}

/// The plan of a dry run of this body.
fn plan_of(firm: &Firm<'_>, path: &str, body: &Value) -> Result<String, Failure> {
    firm.post(&format!("{path}{}dry_run=true", if path.contains('?') { "&" } else { "?" }), body)?.ok()?.text("/plan")
}

fn with_plan(firm: &Firm<'_>, path: &str, plan: &str, body: &Value) -> Result<Answer, Failure> {
    firm.post(&format!("{path}?plan={plan}"), body)
}

fn a_dry_run_has_a_plan_and_a_request_for_real_has_none(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let body = json!({"clients": [ray("a")]});
    let plan = plan_of(&firm, "/clients", &body)?;
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    equal("whether a plan can stand in a query as it is", &plan.chars().all(is_plain), &true)?;
    firm.post("/clients", &body)?.ok()?.expect_absent("/plan")?;
    plan_of(&firm, "/cases/settled", &settled("b"))?;
    firm.settle(&settled("b"))?.ok()?.expect_absent("/plan")?;
    // There is nothing to save where the answer is an error.
    firm.post("/cases/settled?dry_run=true", &json!({"external_id": "c", "settled_on": "2025-01-02"}))?
        .expect_error(404, "not_found")?
        .expect_absent("/plan")?;
    Ok(())
}

fn a_plan_saves_what_its_dry_run_showed(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.create(&ray("a"))?;
    let body = json!({"clients": [ray("a"), {"external_id": "a", "city": "Peoria"}, ray("b"), settled("c"), 7]});
    let tried = firm.post("/clients?dry_run=true", &body)?.ok()?;
    let done = with_plan(&firm, "/clients", &tried.text("/plan")?, &body)?.ok()?;
    let statuses = |answer: &Answer| -> Result<Vec<Value>, Failure> {
        Ok(answer.array("/results")?.iter().map(|result| result["status"].clone()).collect())
    };
    equal("the results of the request with its plan", &statuses(&done)?, &statuses(&tried)?)?;
    done.expect_absent("/plan")?;
    firm.show(&done.text("/results/3/id")?)?;
    Ok(())
}

fn a_plan_whose_results_have_changed_saves_nothing_and_shows_those_of_now(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let body = json!({"clients": [ray("a"), settled("b")]});
    let plan = plan_of(&firm, "/clients", &body)?;
    let id = firm.create(&settled("b"))?;
    let refused = with_plan(&firm, "/clients", &plan, &body)?;
    refused.expect_error(409, "conflict")?;
    refused.expect("/results/0/status", "created")?.expect_absent("/results/0/id")?;
    refused.expect("/results/1/status", "updated")?.expect("/results/1/id", id)?;
    // The first client was not saved.
    firm.post("/clients?dry_run=true", &json!({"clients": [ray("a")]}))?
        .ok()?
        .expect("/results/0/status", "created")?;
    let plan = plan_of(&firm, "/clients", &body)?;
    let done = with_plan(&firm, "/clients", &plan, &body)?.ok()?;
    done.expect("/results/0/status", "created")?.expect("/results/1/status", "updated")?;
    // The results are others now that the first client is there.
    with_plan(&firm, "/clients", &plan, &body)?.expect_error(409, "conflict")?;
    Ok(())
}

fn a_plan_of_an_explained_dry_run_binds_its_explanations(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.create(&ray("a"))?;
    let body = json!({"clients": [{"external_id": "a", "city": "Reno"}]});
    let plan = plan_of(&firm, "/clients", &body)?;
    let explained = plan_of(&firm, "/clients?explain=true", &body)?;
    // It is still updated, but no longer by its city.
    firm.post_client(&json!({"external_id": "a", "city": "Reno"}), "updated")?;
    with_plan(&firm, "/clients", &explained, &body)?
        .expect_error(409, "conflict")?
        .expect("/results/0/changed", json!([]))?;
    with_plan(&firm, "/clients", &plan, &body)?.ok()?.expect_absent("/results/0/changed")?;
    let explained = plan_of(&firm, "/clients?explain=true", &body)?;
    with_plan(&firm, "/clients", &explained, &body)?.ok()?.expect_absent("/results/0/changed")?;
    Ok(())
}

fn a_settled_case_is_bound_too(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let path = "/cases/settled";
    let body = settled("a");
    let plan = plan_of(&firm, path, &body)?;
    let id = firm.create(&json!({"external_id": "a", "last_name": "Stone"}))?;
    let refused = with_plan(&firm, path, &plan, &body)?;
    refused.expect_error(409, "conflict")?;
    refused.expect("/result/status", "updated")?.expect("/result/id", id.clone())?;
    equal("the settled date after a refused plan", &firm.show(&id)?["settled_on"], &json!(null))?;
    with_plan(&firm, path, &plan_of(&firm, path, &body)?, &body)?.ok()?.expect("/result/id", id.clone())?;
    equal("the settled date", &firm.show(&id)?["settled_on"], &json!("2025-01-02"))?;
    // A member named plan is one of the client's own, which no rule reads.
    firm.settle(&json!({"external_id": "a", "settled_on": "2025-01-02", "plan": "gold"}))?.ok()?;
    Ok(())
}

fn a_plan_is_for_one_request_of_one_account(service: &dyn Service) -> CaseResult {
    let (firm, other) = (Firm::open(service)?, Firm::open(service)?);
    let body = json!({"clients": [ray("a")]});
    let plan = plan_of(&firm, "/clients", &body)?;
    with_plan(&other, "/clients", &plan, &body)?.expect_refusal(&["plan"])?;
    with_plan(&firm, "/clients", &plan, &json!({"clients": [ray("b")]}))?.expect_refusal(&["plan"])?;
    with_plan(&firm, "/cases/settled", &plan, &settled("a"))?.expect_refusal(&["plan"])?;
    let altered = if plan.starts_with('A') { plan.replacen('A', "B", 1) } else { format!("A{}", &plan[1..]) };
    for text in [altered.as_str(), "x", "%20", &plan[..plan.len() - 1]] {
        with_plan(&firm, "/clients", text, &body)?.expect_refusal(&["plan"])?;
    }
    firm.post("/clients", &json!({"clients": [ray("a")], "plan": plan}))?.expect_refusal(&["plan", "query"])?;
    // None of them saved anything.
    with_plan(&firm, "/clients", &plan, &body)?.ok()?.expect("/results/0/status", "created")?;
    Ok(())
}

fn a_plan_is_not_for_a_dry_run(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let body = json!({"clients": [ray("a")]});
    let plan = plan_of(&firm, "/clients", &body)?;
    firm.post(&format!("/clients?dry_run=true&plan={plan}"), &body)?.expect_refusal(&["dry_run", "plan"])?;
    firm.get(&format!("/clients?plan={plan}"))?.expect_refusal(&["plan", "POST /clients"])?;
    Ok(())
}

fn a_plan_is_no_part_of_what_an_idempotency_key_is_for(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let body = json!({"clients": [ray("a")]});
    let plan = plan_of(&firm, "/clients", &body)?;
    let keyed =
        |path: String, key: &str| firm.send(&firm.request("POST", &path).header("Idempotency-Key", key).json(&body));
    let done = keyed(format!("/clients?plan={plan}"), "one")?.ok()?;
    // Sent again, it gets the saved answer, also without the plan, although the results would be others now.
    for path in [format!("/clients?plan={plan}"), "/clients".to_owned()] {
        let again = keyed(path, "one")?.ok()?;
        again.expect_header("idempotent-replayed", "true")?;
        equal("the saved answer", &again.json, &done.json)?;
    }
    // A refused plan leaves its key free.
    keyed(format!("/clients?plan={plan}"), "two")?.expect_error(409, "conflict")?;
    keyed("/clients".to_owned(), "two")?.ok()?.expect_no_header("idempotent-replayed")?;
    Ok(())
}
