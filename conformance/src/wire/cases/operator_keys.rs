//! Keys through the operator API: who creates them, what is shown, how they end.

use std::time::Duration;

use matterbook_core::time::Timestamp;
use serde_json::{Value, json};

use crate::wire::{
    CaseResult, Failure, Firm, Operator, Request, Service, a_moment_later,
    failure::{equal, holds},
    send,
};

cases! { "operator_keys":
    "K4, O13, O14" => a_key_is_shown_once_and_never_again,
    "K5" => only_an_owners_login_creates_keys,
    "K5" => the_default_login_is_the_accounts_oldest_owner,
    "O13" => a_label_has_up_to_200_characters,
    "K6" => revoking_is_final_and_keeps_its_first_time,
    "A9, O13" => a_login_of_another_account_creates_no_key,
    "K7" => the_last_use_is_recorded,
    "K12" => a_key_with_a_scope_opens_nothing_else,
    "K13" => a_key_is_refused_from_its_end_on,
    "K12, K13, O13" => a_scope_and_an_end_are_checked_and_shown,
}

fn a_key_is_shown_once_and_never_again(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    a_moment_later(service);
    let created = operator.call_with("POST", &firm.path("/keys"), &json!({"label": "Zapier"}))?.ok()?;
    let key = created.text("/key/key")?;
    let listed = operator.call("GET", &firm.path("/keys"))?.ok()?;
    let keys = listed.array("/keys")?;
    equal(
        "how many keys, oldest first",
        &keys.iter().map(|row| &row["id"]).collect::<Vec<_>>(),
        &vec![&json!(firm.key_id), created.at("/key/id")],
    )?;
    let mut expected = created.at("/key").clone();
    if let Some(members) = expected.as_object_mut() {
        members.remove("key");
    }
    equal("the new key's record", &keys.last(), &Some(&expected))?;
    let shape = json!({
        "id": created.at("/key/id"), "account_id": firm.account, "login_id": firm.owner, "label": "Zapier",
        "last_four": &key[key.len() - 4..], "scope": null, "ends_at": null, "created_at": expected["created_at"], "last_used_at": null, "revoked_at": null,
    });
    equal("a key's record", &expected, &shape)?;
    // Neither failure text shows a key: these only say that one was found.
    let text = String::from_utf8_lossy(&listed.body).into_owned();
    holds(!text.contains(&key) && !text.contains(&firm.key), "the list of keys", "no key in it", || {
        "a key".to_owned()
    })?;
    let account = operator.call("GET", &firm.path(""))?.ok()?;
    let text = String::from_utf8_lossy(&account.body).into_owned();
    holds(!text.contains(&key) && !text.contains(&firm.key), "the account", "no key in it", || "a key".to_owned())
}

fn only_an_owners_login_creates_keys(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    for role in ["teammate", "view_only"] {
        let login = operator
            .call_with("POST", &firm.path("/logins"), &json!({"email": "mate@example.com", "role": role}))?
            .ok()?
            .text("/login/id")?;
        let body = json!({ "login_id": login });
        operator.call_with("POST", &firm.path("/keys"), &body)?.expect_error(400, "invalid_request")?;
        operator.call_with("PATCH", &format!("/logins/{login}"), &json!({"role": "owner"}))?.ok()?;
        operator.call_with("POST", &firm.path("/keys"), &body)?.ok()?.expect("/key/login_id", login)?;
    }
    let firm = Firm::open(service)?;
    operator.call_with("PATCH", &format!("/logins/{}", firm.owner), &json!({"role": "teammate"}))?.ok()?;
    operator.call_with("POST", &firm.path("/keys"), &json!({}))?.expect_error(400, "invalid_request")?;
    Ok(())
}

fn the_default_login_is_the_accounts_oldest_owner(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    a_moment_later(service);
    let second = operator
        .call_with("POST", &firm.path("/logins"), &json!({"email": "second@example.com", "role": "owner"}))?
        .ok()?
        .text("/login/id")?;
    let create = || operator.call_with("POST", &firm.path("/keys"), &json!({}))?.ok();
    create()?.expect("/key/login_id", firm.owner.as_str())?.expect("/key/label", Value::Null)?;
    operator.call_with("PATCH", &format!("/logins/{}", firm.owner), &json!({"role": "teammate"}))?.ok()?;
    create()?.expect("/key/login_id", second)?;
    Ok(())
}

fn a_label_has_up_to_200_characters(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    let create = |label: Value| operator.call_with("POST", &firm.path("/keys"), &json!({ "label": label }));
    let longest = "é".repeat(200);
    create(json!(longest))?.ok()?.expect("/key/label", longest)?;
    create(Value::Null)?.ok()?.expect("/key/label", Value::Null)?;
    create(json!("x".repeat(201)))?.expect_refusal(&["label"])?;
    create(json!(5))?.expect_refusal(&["label"])?;
    Ok(())
}

fn revoking_is_final_and_keeps_its_first_time(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    let path = format!("/keys/{}", firm.key_id);
    let first = operator.call("DELETE", &path)?.ok()?;
    first.expect("/key/id", firm.key_id.as_str())?.expect_absent("/key/key")?;
    first.text("/key/revoked_at")?;
    service.elapse(Duration::from_millis(20));
    let second = operator.call("DELETE", &path)?.ok()?;
    equal("a key revoked twice", second.at("/key/revoked_at"), first.at("/key/revoked_at"))?;
    let listed = operator.call("GET", &firm.path("/keys"))?.ok()?;
    equal("the revoked key in the list", listed.at("/keys/0/revoked_at"), first.at("/key/revoked_at"))?;
    send(service, &firm.request("GET", "/me"))?.expect_error(401, "unauthorized")?;
    Ok(())
}

fn a_login_of_another_account_creates_no_key(service: &dyn Service) -> CaseResult {
    let (one, other) = (Firm::open(service)?, Firm::open(service)?);
    let operator = Operator::of(service);
    let answer = operator.call_with("POST", &one.path("/keys"), &json!({"login_id": other.owner}))?;
    holds(matches!(answer.status, 400 | 404), &answer.sent, "a refusal", || answer.status.to_string())?;
    for login in [json!("nonsense"), json!(5)] {
        let answer = operator.call_with("POST", &one.path("/keys"), &json!({ "login_id": login }))?;
        holds(matches!(answer.status, 400 | 404), &answer.sent, "a refusal", || answer.status.to_string())?;
    }
    equal("the keys", &operator.call("GET", &one.path("/keys"))?.ok()?.array("/keys")?.len(), &1)
}

fn the_last_use_is_recorded(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.get("/me")?.ok()?;
    crate::wire::eventually(service, || {
        let listed = firm.operator().call("GET", &firm.path("/keys"))?.ok()?;
        listed.text("/keys/0/last_used_at")
    })?;
    // A stranger's request is no use of anything.
    send(service, &Request::new("GET", "/api/v1/me"))?.expect_error(401, "unauthorized")?;
    Ok(())
}

fn a_key_with_a_scope_opens_nothing_else(service: &dyn Service) -> CaseResult {
    let mut firm = Firm::with(service, &json!({"api_enabled": true, "digital_bundle": true}))?;
    let ray = json!({"clients": [{"external_id": "7", "last_name": "Ray"}]});
    (_, firm.key) = firm.new_key_with(&json!({"scope": "clients"}))?;
    firm.get("/me")?.ok()?;
    firm.post("/clients", &ray)?.ok()?;
    firm.get("/clients")?.ok()?;
    firm.get("/prospects")?.expect_error(403, "forbidden")?;
    (_, firm.key) = firm.new_key_with(&json!({"scope": "prospects"}))?;
    firm.get("/me")?.ok()?;
    firm.get("/prospects")?.ok()?;
    firm.get("/clients")?.expect_error(403, "forbidden")?;
    firm.get("/clients/00000000-0000-7000-8000-000000000404")?.expect_error(403, "forbidden")?;
    let other = json!({"clients": [{"external_id": "8", "last_name": "Roe"}]});
    firm.post("/clients", &other)?.expect_error(403, "forbidden")?;
    let settled = json!({"external_id": "7", "settled_on": "2025-01-02"});
    firm.post("/cases/settled", &settled)?.expect_error(403, "forbidden")?;
    let found = firm.operator().walk(&firm.path("/clients"), "clients")?;
    equal("clients after a refused post", &found.len(), &1)?;
    equal("settlements after a refused post", &firm.settlements()?.len(), &0)
}

/// How far ahead the end of a key lies that a case waits for.
const ENDS_IN_SECONDS: i64 = 5;

/// A new key of a firm that has come to its end.
pub(super) fn ended_key(firm: &Firm<'_>) -> Result<String, Failure> {
    let ends_at = end_soon(firm)?;
    let (_, key) = firm.new_key_with(&json!({"ends_at": ends_at.to_string()}))?;
    firm.service.elapse(Duration::from_secs(ENDS_IN_SECONDS.unsigned_abs()));
    Ok(key)
}

/// A few seconds from now, by the service's own clock.
fn end_soon(firm: &Firm<'_>) -> Result<Timestamp, Failure> {
    let body = json!({"email": "clock@example.com", "role": "view_only"});
    let answer = firm.operator().call_with("POST", &firm.path("/logins"), &body)?.ok()?;
    let now = Timestamp::parse_rfc3339(&answer.text("/login/created_at")?);
    let now = now.ok_or_else(|| answer.failure("created_at is a time"))?;
    Ok(now.plus_seconds(ENDS_IN_SECONDS))
}

fn a_key_is_refused_from_its_end_on(service: &dyn Service) -> CaseResult {
    let mut firm = Firm::open(service)?;
    let ends_at = end_soon(&firm)?;
    let unending = firm.key.clone();
    (_, firm.key) = firm.new_key_with(&json!({"ends_at": ends_at.to_string()}))?;
    firm.get("/me")?.ok()?;
    service.elapse(Duration::from_secs(ENDS_IN_SECONDS.unsigned_abs()));
    let clients = json!({"clients": [{"external_id": "7", "last_name": "Ray"}]});
    for request in
        [firm.request("GET", "/me"), firm.request("GET", "/clients"), firm.request("POST", "/clients").json(&clients)]
    {
        let answer = send(service, &request)?;
        answer.expect_error(401, "unauthorized")?.expect_no_header("ratelimit")?;
        super::auth::is_invalid_token(service, &answer)?;
    }
    firm.key = unending;
    firm.get("/me")?.ok()?;
    let found = firm.operator().walk(&firm.path("/clients"), "clients")?;
    equal("clients that a key saved after its end", &found.len(), &0)
}

fn a_scope_and_an_end_are_checked_and_shown(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    // Keys of one moment would be listed in the order of their ids.
    let create = |body: Value| {
        a_moment_later(service);
        firm.operator().call_with("POST", &firm.path("/keys"), &body)
    };
    let limited = create(json!({"scope": "prospects", "ends_at": "2200-01-31T08:00:00+01:00"}))?.ok()?;
    limited.expect("/key/scope", "prospects")?.expect("/key/ends_at", "2200-01-31T07:00:00.000000Z")?;
    create(json!({"scope": null, "ends_at": ""}))?
        .ok()?
        .expect("/key/scope", Value::Null)?
        .expect("/key/ends_at", Value::Null)?;
    let listed = firm.operator().call("GET", &firm.path("/keys"))?.ok()?;
    listed.expect("/keys/1/scope", "prospects")?.expect("/keys/1/ends_at", "2200-01-31T07:00:00.000000Z")?;
    for scope in [json!("both"), json!("Clients"), json!(["clients"]), json!(1)] {
        create(json!({ "scope": scope }))?.expect_refusal(&["scope"])?;
    }
    for ends_at in [json!("2020-01-01T00:00:00Z"), json!("2200-01-31"), json!("tomorrow"), json!(5)] {
        create(json!({ "ends_at": ends_at }))?.expect_refusal(&["ends_at"])?;
    }
    Ok(())
}
