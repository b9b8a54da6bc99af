//! Changes and imports that people take back.

use serde_json::json;

use super::{
    browser::{is_served, member, open, page},
    imports::{begin, client, file},
};
use crate::wire::{CaseResult, Service, failure::holds};

/// A client as the operator sees it.
fn city(firm: &crate::wire::Firm<'_>, id: &str) -> Result<serde_json::Value, crate::wire::Failure> {
    Ok(firm.show(id)?["city"].clone())
}

pub(super) fn a_change_is_taken_back_by_a_person(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let firm = open(service)?;
    let (_, tea) = member(service, &firm, "teammate")?;
    let (_, vi) = member(service, &firm, "view_only")?;
    let id = firm.post("/clients", &json!({"clients": [client("U-1", "Reno")]}))?.ok()?.text("/results/0/id")?;
    let changed =
        firm.post("/clients", &json!({"clients": [client("U-1", "<Tampa>"), client("U-2", "Reno")]}))?.ok()?;
    let request = changed.header("x-request-id").unwrap_or_default().to_owned();
    let path = format!("/app/changes/{request}");

    // The history of the client leads to the page, for those who may use it.
    let history = page(&tea.get(&format!("/app/clients/{id}"))?);
    holds(history.contains(&path), "the history", "a link to the undo", || history.clone())?;
    let looked = page(&vi.get(&format!("/app/clients/{id}"))?);
    holds(!looked.contains("/app/changes/"), "the history for a view-only login", "no undo", || looked.clone())?;
    vi.get(&path)?.expect_status(403)?;
    vi.post(&format!("{path}/undo"), "")?.expect_status(403)?;

    let shown = page(&tea.get(&path)?);
    for part in ["&lt;Tampa&gt; → Reno", "Is removed.", "Undo this change", "1 client came in, 1 client changed"] {
        holds(shown.contains(part), "the page of the change", part, || shown.clone())?;
    }
    holds(city(&firm, &id)? == "<Tampa>", "looking at a change", "nothing done", String::new)?;
    let undone = tea.post(&format!("{path}/undo"), "")?;
    undone.expect_status(303)?;
    holds(city(&firm, &id)? == "Reno", "the undo", "the earlier city", || format!("{:?}", city(&firm, &id)))?;
    let after = undone.header("location").unwrap_or_default().to_owned();
    let shown = page(&tea.get(&after)?);
    for part in ["It was taken back.", "nothing to take back any more", "Take this undo back"] {
        holds(shown.contains(part), "the page after the undo", part, || shown.clone())?;
    }
    let activity = page(&tea.get("/app/activity")?);
    holds(activity.contains("Took a change back"), "the activity", "the undo", || activity.clone())?;

    // The undo is a change, too.
    let by = after.split("by=").nth(1).unwrap_or_default().to_owned();
    tea.post(&format!("/app/changes/{by}/undo"), "")?.expect_status(303)?;
    holds(city(&firm, &id)? == "<Tampa>", "the undo of the undo", "the change", || format!("{:?}", city(&firm, &id)))
}

pub(super) fn an_import_is_taken_back_as_a_whole(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let firm = open(service)?;
    let (_, tea) = member(service, &firm, "teammate")?;
    let id = firm.post("/clients", &json!({"clients": [client("I-1", "Reno")]}))?.ok()?.text("/results/0/id")?;
    let import = begin(&tea, &file('e', 4), 201)?;
    for (from, clients) in [(0, ["I-1", "I-2"]), (2, ["I-1", "I-3"])] {
        let clients = clients.map(|external_id| client(external_id, if from == 0 { "Tampa" } else { "Miami" }));
        let path = format!("/app/imports/{import}/batch?from={from}&rows=2");
        tea.send_json(&path, &json!({"clients": clients}))?.expect_status(200)?;
    }
    let past = page(&tea.get("/app/imports")?);
    let path = format!("/app/changes/{import}");
    holds(past.contains(&path), "the past imports", "a link to the undo", || past.clone())?;
    let shown = page(&tea.get(&path)?);
    for part in ["Undo this import", "Cases \u{e9}.xlsx", "Miami → Reno", "Is removed."] {
        holds(shown.contains(part), "the page of the import", part, || shown.clone())?;
    }
    tea.post(&format!("{path}/undo"), "")?.expect_status(303)?;
    holds(city(&firm, &id)? == "Reno", "the undo", "the city before the import", || format!("{:?}", city(&firm, &id)))?;
    let rest = firm.operator().call("GET", &firm.path("/clients"))?.ok()?;
    let number = rest.array("/clients")?.len();
    holds(number == 1, "the clients after the undo", "those of before the import", || number.to_string())?;
    // It has ended: nothing more comes from it.
    let late = format!("/app/imports/{import}/batch?from=4&rows=1");
    let late = tea.send_json(&late, &json!({"clients": [client("I-9", "Reno")]}))?;
    holds(late.status >= 400, "a batch after the undo", "a refusal", || late.status.to_string())
}
