//! What waits for review, and the people who decide about it.

use serde_json::json;

use super::{
    browser::{is_served, member, open, page},
    imports::client,
};
use crate::wire::{CaseResult, Service, failure::holds};

pub(super) fn what_waits_is_decided_by_a_person(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let firm = open(service)?;
    let (_, tea) = member(service, &firm, "teammate")?;
    let (_, vi) = member(service, &firm, "view_only")?;
    let saved = firm.create(&client("R-1", "Reno"))?;
    let mut other = client("R-1", "Reno");
    other["external_id"] = "R-2".into();
    other["case_type"] = "<Auto>".into();
    firm.post_client(&other, "conflict")?;
    let item = firm.operator().call("GET", &firm.path("/review"))?.ok()?.text("/review/0/id")?;
    let path = format!("/app/review/{item}");

    let looked = page(&vi.get("/app/review")?);
    holds(looked.contains("R-2") && !looked.contains(&path), "a view-only login", "the item, and no button", || {
        looked
    })?;
    vi.post(&path, "decision=leave")?.expect_status(403)?;

    let shown = page(&tea.get("/app/review")?);
    for part in ["R-2", "&lt;Auto&gt;", "The same person as", "Another person: add as a client", path.as_str()] {
        holds(shown.contains(part), "the page", part, || shown.clone())?;
    }
    // A form without a decision that is known decides nothing.
    for form in ["", "decision=maybe"] {
        let refused = tea.post(&path, form)?;
        refused.expect_status(400)?;
        let refused = page(&refused);
        holds(refused.contains("Nothing was changed") && refused.contains(&path), "a wrong form", "the item", || {
            refused
        })?;
    }

    tea.post(&path, &format!("decision=same&client={saved}"))?.expect_status(303)?;
    let rest = page(&tea.get("/app/review")?);
    holds(rest.contains("Nothing waits for review."), "the page after the decision", "nothing", || rest.clone())?;
    let found = firm.post("/clients", &json!({"clients": [{"external_id": "R-2"}]}))?.ok()?;
    found.expect("/results/0/id", json!(saved))?;
    let searched = page(&tea.get("/app/clients?q=r-2")?);
    holds(searched.contains(&format!("/app/clients/{saved}")), "the search by the alias", "the client", || searched)?;
    let history = page(&tea.get(&format!("/app/clients/{saved}"))?);
    holds(history.contains("teammate@example.com"), "the history", "the person who decided", || history.clone())?;
    tea.post(&path, "decision=leave")?.expect_status(404)?;
    Ok(())
}

pub(super) fn possible_duplicates_are_decided_by_a_person(service: &dyn Service) -> CaseResult {
    if !is_served(service)? {
        return Ok(());
    }
    let firm = open(service)?;
    let (_, tea) = member(service, &firm, "teammate")?;
    let (_, vi) = member(service, &firm, "view_only")?;
    let path = "/app/review/similar";
    let before = page(&tea.get(path)?);
    holds(before.contains("were not compared yet"), "before a comparison", "that there was none", || before.clone())?;

    let person = |number: &str, first_name: &str| {
        json!({"external_id": number, "first_name": first_name, "last_name": "Specimenez",
            "address_line1": "12 Oak St", "zip": "02134", "case_type": "<Auto>"})
    };
    let one = firm.create(&person("S-1", "Robert"))?;
    let other = firm.create(&person("S-2", "Bob"))?;
    firm.operator().call("POST", &firm.path("/similar/find"))?.ok()?;
    let pair = format!("pair={one}+{other}");

    let looked = page(&vi.get(path)?);
    holds(
        looked.contains("S-2") && !looked.contains("One person"),
        "a view-only login",
        "the pair, no button",
        || looked,
    )?;
    vi.post(path, &format!("{pair}&decision=same"))?.expect_status(403)?;
    let overview = page(&tea.get("/app")?);
    holds(overview.contains(path), "the overview", "a link to the pairs", || overview)?;
    let shown = page(&tea.get(path)?);
    for part in
        ["Robert Specimenez, number S-1", "Bob Specimenez, number S-2", "a nickname", "&lt;Auto&gt;", "Two people"]
    {
        holds(shown.contains(part), "the page", part, || shown.clone())?;
    }
    for form in [pair.clone(), format!("{pair}&decision=maybe")] {
        let refused = tea.post(path, &form)?;
        refused.expect_status(400)?;
        let refused = page(&refused);
        holds(refused.contains("Nothing was changed"), "a wrong form", "that nothing was changed", || refused)?;
    }
    for form in ["decision=same", "pair=x&decision=same", &format!("pair={one}+{one}&decision=same")] {
        tea.post(path, form)?.expect_status(404)?;
    }

    tea.post(path, &format!("{pair}&decision=different"))?.expect_status(303)?;
    firm.operator().call("POST", &firm.path("/similar/find"))?.ok()?;
    let rest = page(&tea.get(path)?);
    holds(rest.contains("No possible duplicates."), "the page after the decision", "nothing", || rest.clone())?;
    let decided = page(&tea.get(&format!("{path}?show=decided"))?);
    for part in ["They are two people.", "teammate@example.com", "Take the decision back"] {
        holds(decided.contains(part), "what is decided", part, || decided.clone())?;
    }
    tea.post(path, &format!("{pair}&decision=open"))?.expect_status(303)?;
    let again = page(&tea.get(path)?);
    holds(again.contains("One person"), "the page after taking it back", "the pair", || again.clone())
}
