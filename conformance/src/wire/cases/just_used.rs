//! A key that was in use a moment ago, and what is true of it now: a host may remember whose a key
//! is, never what it may do (docs/decisions/0010). The order of checks holds as for any request.

use serde_json::{Value, json};

use super::{auth::is_invalid_token, rate_limit::exhaust};
use crate::wire::{Body, CaseResult, Firm, Request, Service, failure::equal, send};

cases! { "just_used":
    "A8, K6" => a_key_revoked_after_a_use_is_401_whatever_is_asked,
    "A8, H23" => a_key_revoked_at_its_limit_is_401_not_429,
    "A7, K6" => a_key_revoked_after_a_use_saves_nothing,
    "A4, A8, H23" => an_account_suspended_after_a_use_is_told_so_first,
    "A4, A8, H23" => a_login_made_view_only_after_a_use_is_told_so_first,
    "A5, A8, H23" => an_api_turned_off_after_a_use_is_told_so_first,
    "A6, A8, H23" => a_withdrawn_bundle_is_reported_before_wrong_parameters,
    "A4, A5, A6, A8" => access_given_back_after_a_refusal_is_there_at_once,
    "R2" => requests_before_and_after_a_change_count_alike,
}

/// Something to ask, right or wrong in one of the ways in which a request can be.
struct Asked {
    method: &'static str,
    path: &'static str,
    media_type: &'static str,
    body: &'static str,
    /// What it gets from an account that may do everything.
    status: u16,
}

const fn get(path: &'static str, status: u16) -> Asked {
    Asked { method: "GET", path, media_type: "", body: "", status }
}

const fn post(path: &'static str, media_type: &'static str, body: &'static str, status: u16) -> Asked {
    Asked { method: "POST", path, media_type, body, status }
}

const JSON: &str = "application/json";
const CLIENTS: &str = r#"{"clients": [{"external_id": "7", "last_name": "Ray"}]}"#;
const SETTLED: &str = r#"{"external_id": "7", "last_name": "Ray", "settled_on": "2025-01-02"}"#;

const ASKED: [Asked; 22] = [
    get("/me", 200),
    get("/clients", 200),
    get("/prospects", 200),
    post("/clients", JSON, CLIENTS, 200),
    post("/cases/settled", JSON, SETTLED, 200),
    get("/nothing", 404),
    post("/nothing", "image/png", "x", 404),
    Asked { method: "PUT", path: "/clients", media_type: "image/png", body: "x", status: 405 },
    post("/me", JSON, "{}", 405),
    post("/clients", "image/png", "x", 415),
    post("/cases/settled", "image/png", "x", 415),
    get("/me?dry_run=1", 400),
    get("/clients?limit=0", 400),
    get("/clients?cursor=nonsense", 400),
    get("/prospects?limit=0", 400),
    get("/prospects?order=sideways", 400),
    post("/clients?explain=1", JSON, CLIENTS, 400),
    post("/clients", JSON, "not json", 400),
    post("/clients", JSON, r#"{"clients": 7}"#, 400),
    post("/cases/settled", JSON, "[]", 400),
    post("/cases/settled", JSON, r#"{"external_id": "7"}"#, 400),
    post("/clients", JSON, TOO_LARGE, 413),
];

/// Represents a body over the limit.
const TOO_LARGE: &str = "too large";

impl Asked {
    fn request(&self, firm: &Firm<'_>) -> Request {
        let request = firm.request(self.method, self.path);
        if self.media_type.is_empty() {
            return request;
        }
        let body = match self.body {
            TOO_LARGE => vec![b' '; firm.service.facts().body_limit_bytes + 1],
            text => text.as_bytes().to_vec(),
        };
        request.header("Content-Type", self.media_type).body(Body::Whole(body))
    }
}

/// A firm that may do everything, with a key that was just used.
fn open(service: &dyn Service) -> Result<Firm<'_>, crate::wire::Failure> {
    let firm = Firm::with(service, &json!({"api_enabled": true, "digital_bundle": true}))?;
    firm.get("/me")?.ok()?;
    Ok(firm)
}

fn revoke(firm: &Firm<'_>) -> CaseResult {
    firm.operator().call("DELETE", &format!("/keys/{}", firm.key_id))?.ok().map(drop)
}

fn a_key_revoked_after_a_use_is_401_whatever_is_asked(service: &dyn Service) -> CaseResult {
    let mut firm = open(service)?;
    for asked in &ASKED {
        // Each with a key that was never refused yet.
        (firm.key_id, firm.key) = firm.new_key()?;
        firm.send(&asked.request(&firm))?.expect_status(asked.status)?;
        revoke(&firm)?;
        let request = asked.request(&firm);
        is_invalid_token(service, &send(service, &request)?)?;
        is_invalid_token(service, &send(service, &request)?)?;
    }
    Ok(())
}

fn a_key_revoked_at_its_limit_is_401_not_429(service: &dyn Service) -> CaseResult {
    for asked in [&get("/me", 200), &post("/clients", JSON, CLIENTS, 200), &get("/clients?limit=0", 400)] {
        let firm = open(service)?;
        if exhaust(&firm)? > 0 {
            firm.send(&asked.request(&firm))?.expect_error(429, "rate_limited")?;
        }
        revoke(&firm)?;
        let answer = send(service, &asked.request(&firm))?;
        is_invalid_token(service, &answer)?;
        answer.expect_no_header("retry-after")?;
    }
    Ok(())
}

fn a_key_revoked_after_a_use_saves_nothing(service: &dyn Service) -> CaseResult {
    let mut firm = open(service)?;
    let (id, other) = firm.new_key()?;
    revoke(&firm)?;
    for (path, body) in [("/clients", CLIENTS), ("/cases/settled", SETTLED)] {
        is_invalid_token(service, &send(service, &post(path, JSON, body, 200).request(&firm))?)?;
    }
    (firm.key_id, firm.key) = (id, other);
    firm.create(&json!({"external_id": "7", "last_name": "Ray"}))?;
    equal("settlements of a revoked key", &firm.settlements()?.len(), &0)
}

/// Takes something from the account after each use of its key, and holds every next request to be
/// told so, whatever else it is; then gives it back.
fn told_first(
    service: &dyn Service,
    taken: impl Fn(&Firm<'_>, bool) -> CaseResult,
    code: &str,
    asked: impl Fn(&Asked) -> bool,
) -> CaseResult {
    let mut firm = open(service)?;
    // A large body takes a while; one that is wrong otherwise shows the same.
    for asked in ASKED.iter().filter(|item| item.status != 413 && asked(item)) {
        // A key's limit is not what this is about.
        (firm.key_id, firm.key) = firm.new_key()?;
        firm.get("/me")?.ok()?;
        taken(&firm, true)?;
        firm.send(&asked.request(&firm))?.expect_error(403, code)?;
        firm.send(&asked.request(&firm))?.expect_error(403, code)?;
        taken(&firm, false)?;
        firm.send(&asked.request(&firm))?.expect_status(asked.status)?;
    }
    Ok(())
}

fn set(firm: &Firm<'_>, change: &Value) -> CaseResult {
    firm.set(change).map(drop)
}

fn an_account_suspended_after_a_use_is_told_so_first(service: &dyn Service) -> CaseResult {
    told_first(service, |firm, is_taken| set(firm, &json!({ "suspended": is_taken })), "forbidden", |_| true)
}

fn a_login_made_view_only_after_a_use_is_told_so_first(service: &dyn Service) -> CaseResult {
    let set_role = |firm: &Firm<'_>, is_taken| {
        let role = if is_taken { "view_only" } else { "owner" };
        let path = format!("/logins/{}", firm.owner);
        firm.operator().call_with("PATCH", &path, &json!({ "role": role }))?.ok().map(drop)
    };
    told_first(service, set_role, "forbidden", |_| true)
}

fn an_api_turned_off_after_a_use_is_told_so_first(service: &dyn Service) -> CaseResult {
    told_first(service, |firm, is_taken| set(firm, &json!({ "api_enabled": !is_taken })), "not_enabled", |_| true)
}

fn a_withdrawn_bundle_is_reported_before_wrong_parameters(service: &dyn Service) -> CaseResult {
    let set = |firm: &Firm<'_>, is_taken: bool| set(firm, &json!({ "digital_bundle": !is_taken }));
    told_first(service, set, "bundle_required", |asked| asked.path.starts_with("/prospects"))?;
    // What comes before the bundle is told before it.
    let firm = open(service)?;
    set(&firm, true)?;
    for asked in ASKED.iter().filter(|asked| !asked.path.starts_with("/prospects")) {
        firm.send(&asked.request(&firm))?.expect_status(asked.status)?;
    }
    firm.send(&firm.request("POST", "/prospects?limit=0"))?.expect_error(405, "invalid_request")?;
    firm.set(&json!({"suspended": true}))?;
    firm.get("/prospects?limit=0")?.expect_error(403, "forbidden")?;
    Ok(())
}

fn access_given_back_after_a_refusal_is_there_at_once(service: &dyn Service) -> CaseResult {
    let firm = Firm::with(service, &json!({"api_enabled": false, "suspended": true}))?;
    firm.get("/clients")?.expect_error(403, "forbidden")?;
    firm.set(&json!({"suspended": false}))?;
    firm.get("/clients")?.expect_error(403, "not_enabled")?;
    firm.set(&json!({"api_enabled": true}))?;
    firm.get("/clients")?.ok()?;
    firm.get("/prospects")?.expect_error(403, "bundle_required")?;
    firm.set(&json!({"digital_bundle": true}))?;
    firm.get("/prospects")?.ok()?;
    Ok(())
}

fn requests_before_and_after_a_change_count_alike(service: &dyn Service) -> CaseResult {
    let firm = open(service)?;
    let limit = service.facts().rate_limit_per_minute;
    let change = |suspended: bool| firm.set(&json!({ "suspended": suspended }));
    for (used, (suspended, path)) in (2..).zip([
        (false, "/clients"),
        (true, "/clients"),
        (true, "/clients?limit=0"),
        (true, "/me"),
        (false, "/nothing"),
    ]) {
        change(suspended)?;
        let answer = firm.get(path)?;
        let left = crate::wire::firm::rate_left(&answer).map(|(left, _)| left);
        if limit > 0 && left != Some(limit - used) {
            return Err(answer.failure(format!("{} requests left", limit - used)));
        }
    }
    Ok(())
}
