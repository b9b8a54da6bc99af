//! Who may speak the operator API, and the shape of its refusals (rules O1 to O5).

use serde_json::{Value, json};

use crate::wire::{Body, CaseResult, Firm, Operator, Request, Service, failure::holds, send};

cases! { "operator_access":
    "O2" => without_the_token_every_path_is_401,
    "H4, H6" => an_unknown_path_is_404_and_a_wrong_method_405,
    "H10, O4" => a_type_that_is_not_json_is_415_where_a_body_is_read,
    "O5" => an_unknown_id_is_404,
    "H13, O5" => a_body_that_cannot_be_read_is_400,
    "C3, H20, O22" => lists_take_limit_and_cursor,
    "H19" => a_dry_run_is_refused_and_nothing_is_done,
    "O8" => settings_say_how_the_service_is_set_up,
    "R9" => the_operator_is_not_rate_limited_by_a_firms_key,
}

const NOBODY: &str = "00000000-0000-7000-8000-000000000000";

fn without_the_token_every_path_is_401(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for (method, path) in [
        ("GET", "/operator/v1/settings".to_owned()),
        ("GET", "/operator/v1/accounts".to_owned()),
        ("POST", "/operator/v1/accounts".to_owned()),
        ("GET", format!("/operator/v1/accounts/{}", firm.account)),
        ("DELETE", format!("/operator/v1/keys/{}", firm.key_id)),
        ("POST", "/operator/v1/prospects".to_owned()),
        ("GET", "/operator/v1/log".to_owned()),
    ] {
        let request = Request::new(method, path);
        send(service, &request)?.expect_error(401, "unauthorized")?;
        let token = &service.facts().operator_token;
        for wrong in [firm.key.clone(), "wrong".to_owned(), format!("{token}x"), token.chars().skip(1).collect()] {
            send(service, &request.clone().bearer(&wrong))?.expect_error(401, "unauthorized")?;
        }
        send(service, &request.clone().header("Authorization", format!("Basic {token}")))?
            .expect_error(401, "unauthorized")?;
    }
    firm.get("/me")?.ok()?;
    Ok(())
}

fn an_unknown_path_is_404_and_a_wrong_method_405(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    for path in ["", "/", "/nothing", "/accounts/", "/settings/", "/keys", "/clients"] {
        operator.call("GET", path)?.expect_error(404, "not_found")?;
    }
    for (method, path, allowed) in [
        ("DELETE", "/accounts".to_owned(), "GET"),
        ("POST", "/settings".to_owned(), "GET"),
        ("DELETE", firm.path(""), "PATCH"),
        ("GET", format!("/keys/{}", firm.key_id), "DELETE"),
        ("GET", "/prospects".to_owned(), "POST"),
        ("POST", firm.path("/counties/17031"), "PUT"),
    ] {
        let answer = operator.call(method, &path)?;
        answer.expect_error(405, "invalid_request")?;
        let allow = answer.header("allow").unwrap_or_default().to_owned();
        holds(
            allow.contains(allowed) && !allow.contains(method),
            &answer.sent,
            &format!("Allow with {allowed}"),
            || allow,
        )?;
    }
    Ok(())
}

/// As in the public API, path and method come first.
fn a_type_that_is_not_json_is_415_where_a_body_is_read(service: &dyn Service) -> CaseResult {
    let operator = Operator::of(service);
    for (method, path, status, code) in [
        ("POST", "/accounts", 415, "invalid_request"),
        ("POST", "/prospects", 415, "invalid_request"),
        ("POST", "/settings", 405, "invalid_request"),
        ("POST", "/nothing", 404, "not_found"),
    ] {
        let request = operator.request(method, path).header("Content-Type", "multipart/form-data; boundary=x");
        send(service, &request)?.expect_error(status, code)?;
    }
    Ok(())
}

fn an_unknown_id_is_404(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    for id in [NOBODY, "nonsense", "1"] {
        for (method, path, body) in [
            ("GET", format!("/accounts/{id}"), Value::Null),
            ("PATCH", format!("/accounts/{id}"), json!({"suspended": true})),
            ("POST", format!("/accounts/{id}/logins"), json!({"email": "a@example.com", "role": "owner"})),
            ("PATCH", format!("/logins/{id}"), json!({"role": "owner"})),
            ("POST", format!("/accounts/{id}/keys"), json!({})),
            ("GET", format!("/accounts/{id}/keys"), Value::Null),
            ("DELETE", format!("/keys/{id}"), Value::Null),
            ("PUT", format!("/accounts/{id}/counties/17031"), json!({"from_date": "2025-01-01"})),
            ("DELETE", format!("/accounts/{id}/counties/17031"), Value::Null),
            ("DELETE", format!("/prospects/{id}"), Value::Null),
            ("GET", firm.path(&format!("/clients/{id}")), Value::Null),
            ("POST", firm.path(&format!("/clients/{id}/mail-on")), Value::Null),
            ("DELETE", firm.path(&format!("/clients/{id}")), Value::Null),
            ("GET", format!("/accounts/{id}/settlements"), Value::Null),
        ] {
            let answer = if body.is_null() {
                operator.call(method, &path)?
            } else {
                operator.call_with(method, &path, &body)?
            };
            answer.expect_error(404, "not_found")?;
        }
    }
    Ok(())
}

fn a_body_that_cannot_be_read_is_400(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    for (method, path) in [
        ("POST", "/accounts".to_owned()),
        ("PATCH", firm.path("")),
        ("POST", firm.path("/logins")),
        ("PATCH", format!("/logins/{}", firm.owner)),
        ("POST", firm.path("/keys")),
        ("PUT", firm.path("/counties/17031")),
        ("POST", "/prospects".to_owned()),
    ] {
        for text in ["{", "[]", "1", "null", "nonsense"] {
            send(service, &operator.request(method, &path).json_text(text))?.expect_error(400, "invalid_request")?;
        }
        let bytes = Body::Whole(b"{\"email\":\"\xff\"}".to_vec());
        send(service, &operator.request(method, &path).body(bytes))?.expect_error(400, "invalid_request")?;
    }
    Ok(())
}

/// Nothing of the operator can be tried out, and what was asked to leave nothing behind is not done.
fn a_dry_run_is_refused_and_nothing_is_done(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    let account = json!({"email": "dry-run@example.com"});
    for (query, name) in [
        ("dry_run=true", "dry_run"),
        ("dry_run=false", "dry_run"),
        ("dry_run=", "dry_run"),
        ("x=1&explain=true", "explain"),
        ("plan=x", "plan"),
    ] {
        operator.call_with("POST", &format!("/accounts?{query}"), &account)?.expect_refusal(&[name])?;
        operator.call("DELETE", &format!("/keys/{}?{query}", firm.key_id))?.expect_refusal(&[name])?;
        operator.call("GET", &format!("/accounts?{query}"))?.expect_refusal(&[name])?;
    }
    firm.get("/me")?.ok()?;
    Ok(())
}

fn lists_take_limit_and_cursor(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    Firm::open(service)?;
    let operator = Operator::of(service);
    for path in ["/accounts".to_owned(), "/log".to_owned(), firm.path("/settlements")] {
        for limit in ["0", "101", "x", "-1", "1.5"] {
            operator.call("GET", &format!("{path}?limit={limit}"))?.expect_refusal(&["limit"])?;
        }
        for limit in ["", "1", "100"] {
            operator.call("GET", &format!("{path}?limit={limit}"))?.ok()?;
        }
        operator.call("GET", &format!("{path}?limit=1&limit=1"))?.expect_refusal(&["limit"])?;
        operator.call("GET", &format!("{path}?cursor=nonsense"))?.expect_refusal(&["cursor"])?;
    }
    // There are two accounts at least, so a first page of one goes on, and is not for another list.
    let cursor = operator.call("GET", "/accounts?limit=1")?.ok()?.text("/next_cursor")?;
    operator.call("GET", &format!("/accounts?limit=1&cursor={cursor}"))?.ok()?;
    operator.call("GET", &format!("/log?cursor={cursor}"))?.expect_refusal(&["cursor"])?;
    operator.call("GET", &format!("/accounts?cursor={cursor}x"))?.expect_refusal(&["cursor"])?;
    Ok(())
}

fn settings_say_how_the_service_is_set_up(service: &dyn Service) -> CaseResult {
    // A key was made, so its secret is known.
    Firm::open(service)?;
    let answer = Operator::of(service).call("GET", "/settings")?.ok()?;
    let facts = service.facts();
    answer
        .expect("/settings/service_name", facts.service_name.as_str())?
        .expect("/settings/key_prefix", facts.key_prefix.as_str())?
        .expect("/settings/key_secret", "known")?
        .expect("/settings/client_delay_seconds", facts.client_delay_seconds)?
        .expect("/settings/prospect_delay_seconds", facts.prospect_delay_seconds)?
        .expect("/settings/rate_limit_per_minute", facts.rate_limit_per_minute)?
        .expect("/settings/body_limit_bytes", facts.body_limit_bytes)?;
    holds(!answer.body.is_empty() && answer.at("/settings/operator_token").is_null(), &answer.sent, "no token", || {
        "an operator token".to_owned()
    })
}

fn the_operator_is_not_rate_limited_by_a_firms_key(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    super::rate_limit::exhaust(&firm)?;
    firm.operator()
        .call("GET", &firm.path(""))?
        .ok()?
        .expect_no_header("ratelimit")?
        .expect_no_header("ratelimit-policy")?;
    Ok(())
}
