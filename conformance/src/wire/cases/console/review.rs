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
