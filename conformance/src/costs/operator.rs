//! The cost of the operator's requests, and of requests without an account.

use std::time::Duration;

use serde_json::json;

use super::{
    Row,
    callers::of,
    stage::{OPEN_COUNTY, Stage, prospects},
};
use crate::wire::{Answer, Failure, Firm, Operator, Request, Service as _};

pub(super) fn measure(stage: &Stage<'_>, firm: &Firm<'_>) -> Result<Vec<Row>, Failure> {
    let operator = Operator::of(stage);
    let mut rows = Vec::new();
    let mut row = |request: &'static str, budget: [u64; 4], sent: Request| -> Result<Answer, Failure> {
        let (answer, cost) = stage.cost_of(&sent)?;
        rows.push(Row { request, cost, round_trips_unseen: None, budget: of(budget) });
        Ok(answer)
    };
    let get = |path: &str| operator.request("GET", path);

    let email = json!({"email": "someone@example.com"});
    let account = row("POST /operator/v1/accounts", [1, 7, 15, 8], operator.request("POST", "/accounts").json(&email))?;
    let path = format!("/accounts/{}", account.text("/account/id")?);
    row("GET /operator/v1/accounts", [2, 3, 25, 0], get("/accounts?limit=100"))?;
    row("GET /operator/v1/accounts/{account}", [1, 3, 8, 0], get(&path))?;
    let change = json!({"api_enabled": true, "digital_bundle": true});
    row("PATCH /operator/v1/accounts/{account}", [1, 8, 15, 3], operator.request("PATCH", &path).json(&change))?;
    let login = json!({"email": "else@example.com", "role": "teammate"});
    let sent = operator.request("POST", &format!("{path}/logins")).json(&login);
    let login = row("POST /operator/v1/accounts/{account}/logins", [1, 5, 11, 4], sent)?.text("/login/id")?;
    let sent = operator.request("PATCH", &format!("/logins/{login}")).json(&json!({"role": "owner"}));
    row("PATCH /operator/v1/logins/{login}", [1, 6, 12, 3], sent)?;
    row("GET /operator/v1/accounts/{account}/logins", [1, 3, 9, 0], get(&format!("{path}/logins")))?;
    let sent = operator.request("DELETE", &format!("/logins/{login}"));
    row("DELETE /operator/v1/logins/{login}", [2, 9, 14, 3], sent)?;
    let sent = operator.request("POST", &format!("{path}/keys")).json(&json!({}));
    let key = row("POST /operator/v1/accounts/{account}/keys", [4, 12, 25, 6], sent)?.text("/key/id")?;
    row("GET /operator/v1/accounts/{account}/keys", [1, 2, 4, 0], get(&format!("{path}/keys")))?;
    row("DELETE /operator/v1/keys/{key}", [1, 5, 9, 3], operator.request("DELETE", &format!("/keys/{key}")))?;
    let county = format!("{path}/counties/{OPEN_COUNTY}");
    let sent = operator.request("PUT", &county).json(&json!({"from_date": "2025-01-01"}));
    row("PUT …/counties/{fips}", [1, 4, 8, 3], sent)?;
    row("GET …/counties", [1, 3, 9, 0], get(&format!("{path}/counties")))?;
    row("DELETE …/counties/{fips}", [2, 6, 13, 3], operator.request("DELETE", &county))?;

    let import = |group: &str, county: &str| {
        let prospects = prospects(group, county, 0);
        operator.request("POST", "/prospects").json(&json!({ "prospects": prospects }))
    };
    let sent = import("cost", OPEN_COUNTY);
    let imported = row("POST /operator/v1/prospects, 500 new", [2, 8, 2_000, 1_510], sent.clone())?;
    row("POST /operator/v1/prospects, 500 unchanged", [2, 6, 2_000, 2], sent)?;
    row("POST /operator/v1/prospects, 500 moved", [2, 9, 7_000, 1_510], import("cost", "06001"))?;
    let prospect = imported.text("/results/0/id")?;
    let sent = operator.request("DELETE", &format!("/prospects/{prospect}"));
    row("DELETE /operator/v1/prospects/{prospect}", [1, 6, 9, 4], sent)?;

    let small = Firm::open(stage)?;
    let client = small.create(&json!({
        "external_id": "1", "first_name": "Ada", "last_name": "Ray", "address_line1": "1 Elm St", "zip": "62704",
        "settled_on": "2025-06-01", "do_not_mail": true,
    }))?;
    let client = format!("/clients/{client}");
    stage.elapse(Duration::from_secs(120));
    row("GET …/clients/{client}", [1, 2, 4, 0], get(&small.path(&client)))?;
    row("GET …/clients by external_id", [1, 3, 8, 0], get(&small.path("/clients?external_id=1")))?;
    let sent = operator.request("POST", &small.path(&format!("{client}/mail-on")));
    row("POST …/clients/{client}/mail-on", [2, 14, 40, 8], sent)?;
    row("DELETE …/clients/{client}", [2, 19, 40, 12], operator.request("DELETE", &small.path(&client)))?;
    let feed = get(&firm.path("/settlements?limit=100"));
    let page = row("GET …/settlements, 100", [1, 2, 250, 0], feed)?;
    if page.array("/settlements")?.len() != 100 {
        return Err(page.failure("100 settlements"));
    }
    // Two clients with one e-mail address.
    let alike = |first_name: &str| json!({"first_name": first_name, "last_name": "Ray", "email": "ray@example.com"});
    let [one, other] = [small.create(&alike("Ada"))?, small.create(&alike("Bo"))?];
    let find = || operator.request("POST", &small.path("/similar/find"));
    row("POST …/similar/find, 2 clients, a new pair", [5, 13, 40, 4], find())?;
    row("POST …/similar/find, 2 clients, a known pair", [5, 13, 40, 2], find())?;
    row("GET …/similar", [1, 2, 10, 0], get(&small.path("/similar")))?;
    let sent = operator.request("POST", &small.path(&format!("/similar/{one}/{other}")));
    row("POST …/similar/{client}/{other}", [2, 8, 25, 4], sent.json(&json!({"decision": "same"})))?;
    row("GET /operator/v1/log, 20", [1, 1, 30, 0], get("/log?limit=20"))?;
    row("GET /operator/v1/settings", [1, 1, 2, 0], get("/settings"))?;
    row("GET /healthz", [1, 1, 0, 0], Request::new("GET", "/healthz"))?;
    Ok(rows)
}
