//! Files that people send: batches through the code of `POST /clients`, with a session.

use serde_json::{Value, json};

use super::browser::{Browser, is_served, link, member, open, page};
use crate::wire::{Answer, Body, CaseResult, Failure, Service, failure::holds};

impl Browser<'_> {
    /// Sends JSON as a script of the console does.
    pub(super) fn send_json(&self, path: &str, body: &Value) -> Result<Answer, Failure> {
        self.send_batch(path, body, None)
    }

    fn send_batch(&self, path: &str, body: &Value, idempotency_key: Option<&str>) -> Result<Answer, Failure> {
        let request = self.request("POST", path).header("Sec-Fetch-Site", "same-origin");
        let request = request.header("Content-Type", "application/json");
        let request = idempotency_key.into_iter().fold(request, |request, key| request.header("Idempotency-Key", key));
        self.send(&request.body(Body::Whole(body.to_string().into_bytes())))
    }
}

pub(super) fn file(digit: char, rows: u32) -> Value {
    let digest = digit.to_string().repeat(64);
    json!({"file_name": "Cases \u{e9}.xlsx", "digest": digest, "rows": rows, "mapping": {"No": "external_id", "Name": "last_name"}})
}

pub(super) fn begin(browser: &Browser<'_>, file: &Value, status: u16) -> Result<String, Failure> {
    let begun = browser.send_json("/app/imports/new", file)?;
    begun.expect_status(status)?;
    begun.text("/import/id")
}

/// The numbers of an import: rows done, created, updated, unchanged, refused.
fn numbers(browser: &Browser<'_>, import: &str) -> Result<[u64; 5], Failure> {
    let shown = browser.get(&format!("/app/imports/{import}"))?;
    shown.expect_status(200)?;
    let number =
        |name: &str| shown.json.pointer(&format!("/import/{name}")).and_then(Value::as_u64).unwrap_or(u64::MAX);
    Ok(["sent_rows", "created", "updated", "unchanged", "refused"].map(number))
}

pub(super) fn client(external_id: &str, city: &str) -> Value {
    json!({"external_id": external_id, "first_name": "Ana", "last_name": "Specimenez", "address_line1": format!("{external_id} Main St"),
        "zip": "62704", "city": city})
}

pub(super) fn a_file_is_sent_in_batches_that_count_each_row_once(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let firm = open(service)?;
    let (_, tea) = member(service, &firm, "teammate")?;
    let import = begin(&tea, &file('a', 9), 201)?;
    let batch = |from: u32, rows: u32| format!("/app/imports/{import}/batch?from={from}&rows={rows}");

    // A preview says the same and saves nothing.
    let first = json!({"clients": [client("I-1", "Reno"), client("I-2", "Reno"), {"last_name": "X", "zip": "x"}]});
    let previewed = tea.send_json("/app/imports/preview", &first)?;
    previewed.expect_status(200)?;
    holds(numbers(&tea, &import)? == [0; 5], "a preview", "no row done", || format!("{:?}", numbers(&tea, &import)))?;
    let shown = page(&tea.get("/app/clients?q=I-1")?);
    holds(!shown.contains("Specimenez"), "a preview", "no client saved", || shown.clone())?;

    // Five rows, two of which the page held back.
    let sent = tea.send_batch(&batch(0, 5), &first, Some("one"))?;
    sent.expect_status(200)?.expect("/results/0/status", "created")?;
    sent.expect("/results/2/status", "error")?.expect_no_header("idempotent-replayed")?;
    let statuses = |answer: &Answer| {
        let status = |result: &Value| result.get("status").cloned();
        answer.json.get("results").and_then(Value::as_array).map(|all| all.iter().map(status).collect::<Vec<_>>())
    };
    holds(statuses(&sent) == statuses(&previewed), "a preview", "the results of the batch", || {
        format!("{:?}", statuses(&previewed))
    })?;
    let expected = [5, 2, 0, 0, 3];
    let found = numbers(&tea, &import)?;
    holds(found == expected, "the first batch", &format!("{expected:?}"), || format!("{found:?}"))?;

    // The same batch again: its saved answer, and nothing counted twice. Without its key it is in the way.
    let again = tea.send_batch(&batch(0, 5), &first, Some("one"))?;
    again.expect_status(200)?.expect_header("idempotent-replayed", "true")?;
    tea.send_json(&batch(0, 5), &first)?.expect_error(409, "conflict")?;
    tea.send_json(&batch(6, 1), &json!({"clients": []}))?.expect_error(409, "conflict")?;
    tea.send_json(&batch(5, 5), &json!({"clients": []}))?.expect_error(400, "invalid_request")?;
    tea.send_json(&batch(5, 1), &first)?.expect_error(400, "invalid_request")?;
    tea.send_json(&batch(5, 0), &first)?.expect_error(400, "invalid_request")?;
    let found = numbers(&tea, &import)?;
    holds(found == expected, "batches in the way", &format!("{expected:?}"), || format!("{found:?}"))?;

    // Another browser of the firm goes on with the same file.
    let owner = Browser::signed_in(service, &link(&firm, &firm.owner)?)?;
    holds(begin(&owner, &file('a', 9), 200)? == import, "the same file", "the same import", || import.clone())?;
    let second = json!({"clients": [client("I-1", "Reno"), client("I-2", "Elko")]});
    owner.send_json(&batch(5, 2), &second)?.expect_status(200)?;
    owner.send_json(&batch(7, 2), &json!({"clients": []}))?.expect_status(200)?;
    let expected = [9, 2, 1, 1, 5];
    let found = numbers(&tea, &import)?;
    holds(found == expected, "all rows", &format!("{expected:?}"), || format!("{found:?}"))?;
    let shown = page(&tea.get("/app/clients?q=I-2")?);
    holds(shown.contains("Specimenez"), "a batch", "its client saved", || shown.clone())?;

    let end = format!("/app/imports/{import}/end");
    let ended = tea.send_json(&end, &json!({}))?;
    ended.expect_status(200)?;
    holds(ended.text("/import/ended_at").is_ok(), &ended.sent, "a time", || ended.json.to_string())?;
    tea.send_json(&batch(9, 1), &json!({"clients": []}))?.expect_error(409, "conflict")?;
    holds(begin(&owner, &file('a', 9), 201)? != import, "a file after its end", "a new import", || import.clone())
}

pub(super) fn a_batch_is_saved_only_as_its_preview_showed(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let firm = open(service)?;
    let (_, tea) = member(service, &firm, "teammate")?;
    let saved = firm.post("/clients", &json!({"clients": [client("P-1", "Reno")]}))?.ok()?.text("/results/0/id")?;
    let mut settled = client("P-2", "Reno");
    settled["settled_on"] = "2025-05-01".into();
    let batch = json!({"clients": [client("P-1", "Elko"), {"zip": "x"}, settled]});
    let preview = || -> Result<Answer, Failure> {
        let answer = tea.send_json("/app/imports/preview?explain=true", &batch)?;
        answer.expect_status(200)?;
        Ok(answer)
    };
    let previewed = preview()?;
    previewed.expect("/results/0/changed", json!(["city"]))?;
    let known = json!([{"id": saved, "external_id": "P-1", "aliases": [], "first_name": "Ana", "last_name": "Specimenez",
        "address_line1": "P-1 Main St", "address_line2": null, "zip": "62704", "settlements": []}]);
    previewed.expect("/known", known)?;

    // Another program changes the client in between.
    firm.post("/clients", &json!({"clients": [{"external_id": "P-1", "city": "Elko"}]}))?.ok()?;
    let import = begin(&tea, &file('c', 3), 201)?;
    let planned = |answer: &Answer, body: &Value, key: &str| -> Result<Answer, Failure> {
        let path = format!("/app/imports/{import}/batch?from=0&rows=3&explain=true&plan={}", answer.text("/plan")?);
        tea.send_batch(&path, body, Some(key))
    };
    let refused = planned(&previewed, &batch, "p")?;
    refused.expect_error(409, "conflict")?;
    refused.expect("/results/0/changed", json!([]))?;
    let found = numbers(&tea, &import)?;
    holds(found == [0; 5], "a refused plan", "no row done", || format!("{found:?}"))?;
    planned(&previewed, &json!({"clients": []}), "p")?.expect_error(400, "invalid_request")?;

    let sent = planned(&preview()?, &batch, "p")?;
    sent.expect_status(200)?;
    let found = numbers(&tea, &import)?;
    holds(found == [3, 1, 0, 1, 1], "a kept plan", "its rows done", || format!("{found:?}"))?;
    let settles = json!({"clients": [{"external_id": "P-2", "settled_on": "2024-05-01"}]});
    let settlements = tea.send_json("/app/imports/preview", &settles)?;
    settlements.expect("/known/0/settlements", json!([["2025-05-01", []]]))?;
    let others = tea.send_json("/app/imports/preview", &json!({"clients": [{"external_id": "P-2"}]}))?;
    others.expect("/known/0/settlements", Value::Null)?;

    // A further number of a client, which finds it.
    let mut further = client("P-1", "Elko");
    further["external_id"] = "P-9".into();
    firm.post_client(&further, "conflict")?;
    let item = firm.operator().call("GET", &firm.path("/review"))?.ok()?.text("/review/0/id")?;
    let same = json!({"decision": "same", "client": saved});
    firm.operator().call_with("POST", &firm.path(&format!("/review/{item}")), &same)?.ok()?;
    let found = tea.send_json("/app/imports/preview", &json!({"clients": [{"external_id": "P-9"}]}))?;
    found.expect("/known/0/external_id", "P-1")?.expect("/known/0/aliases", json!(["P-9"]))?;
    Ok(())
}

pub(super) fn an_import_is_of_its_firm_and_its_roles(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let (one, two) = (open(service)?, open(service)?);
    let owner = Browser::signed_in(service, &link(&one, &one.owner)?)?;
    let stranger = Browser::signed_in(service, &link(&two, &two.owner)?)?;
    let (_, viewer) = member(service, &one, "view_only")?;
    let import = begin(&owner, &file('b', 2), 201)?;
    let batch = format!("/app/imports/{import}/batch?from=0&rows=1");
    let clients = json!({"clients": [client("S-1", "Reno")]});
    stranger.send_json(&batch, &clients)?.expect_error(404, "not_found")?;
    stranger.get(&format!("/app/imports/{import}"))?.expect_error(404, "not_found")?;
    viewer.send_json(&batch, &clients)?.expect_error(403, "forbidden")?;
    viewer.send_json("/app/imports/preview", &clients)?.expect_error(403, "forbidden")?;
    viewer.get(&format!("/app/imports/{import}"))?.expect_status(200)?;
    let foreign = owner.request("POST", &batch).header("Sec-Fetch-Site", "cross-site");
    let foreign = foreign.header("Content-Type", "application/json");
    owner.send(&foreign.body(Body::Whole(clients.to_string().into_bytes())))?.expect_error(403, "forbidden")?;
    for browser in [&owner, &stranger] {
        let shown = page(&browser.get("/app/clients?q=S-1")?);
        holds(!shown.contains("Specimenez"), "refused batches", "no client saved", || shown.clone())?;
    }
    // The firm's columns are remembered, and no other firm's.
    let mappings = owner.get("/app/imports/mappings")?;
    mappings.expect_status(200)?.expect("/mappings/0/columns", json!(["Name", "No"]))?;
    mappings.expect("/mappings/0/mapping", json!({"No": "external_id", "Name": "last_name"}))?;
    stranger.get("/app/imports/mappings")?.expect("/mappings", json!([]))?;
    // The activity names the file, and no client.
    owner.send_json(&batch, &clients)?.expect_status(200)?;
    let activity = page(&owner.get("/app/activity")?);
    holds(activity.contains("Cases \u{e9}.xlsx"), "the activity", "the name of the file", || activity.clone())?;
    holds(!activity.contains("Specimenez") && !activity.contains("S-1"), "the activity", "no client", || {
        activity.clone()
    })
}
