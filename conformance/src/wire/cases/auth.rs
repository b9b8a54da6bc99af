//! Who is let in: the bearer key, its form, and what makes it stop working.

use serde_json::json;

use crate::wire::{Answer, Body, CaseResult, Failure, Firm, Request, Service, failure::holds, send};

cases! { "auth":
    "A2" => no_key_is_401_with_the_realm_alone,
    "A3, K1" => a_badly_formed_key_is_401_invalid_token,
    "A3" => an_unknown_key_is_401_invalid_token,
    "A3" => another_scheme_is_401,
    "A1" => the_scheme_is_read_in_any_case,
    "A11" => a_key_elsewhere_than_in_the_header_is_no_key,
    "K1" => a_key_has_the_prefix_and_43_characters,
    "A3, K6" => a_revoked_key_is_401_from_the_next_request_on,
    "K6" => another_key_of_the_account_outlives_a_revoked_one,
    "A4" => a_suspended_account_is_403_forbidden_until_readmitted,
    "A4" => a_view_only_login_is_403_forbidden_until_it_is_more,
    "A10" => a_key_of_an_owner_who_becomes_a_teammate_goes_on_working,
    "A5" => an_account_whose_api_is_off_is_403_not_enabled,
    "A11" => the_operator_token_is_no_key,
    "H24" => the_body_of_a_stranger_is_not_read,
}

const PATHS: [(&str, &str); 6] = [
    ("GET", "/api/v1/me"),
    ("GET", "/api/v1/clients"),
    ("POST", "/api/v1/clients"),
    ("POST", "/api/v1/cases/settled"),
    ("GET", "/api/v1/prospects"),
    ("GET", "/api/v1/nothing"),
];

/// A 401 of a request that brought something that is no live key.
pub(super) fn is_invalid_token(service: &dyn Service, answer: &Answer) -> Result<(), Failure> {
    let challenge = format!("Bearer realm=\"{}\", error=\"invalid_token\"", service.facts().service_name);
    answer
        .expect_error(401, "unauthorized")?
        .expect_header("www-authenticate", &challenge)?
        .expect_no_header("ratelimit")?
        .expect_no_header("ratelimit-policy")?;
    Ok(())
}

fn stranger(service: &dyn Service, letter: &str) -> String {
    format!("{}{}", service.facts().key_prefix, letter.repeat(43))
}

fn no_key_is_401_with_the_realm_alone(service: &dyn Service) -> CaseResult {
    let challenge = format!("Bearer realm=\"{}\"", service.facts().service_name);
    for (method, path) in PATHS {
        send(service, &Request::new(method, path))?
            .expect_error(401, "unauthorized")?
            .expect_header("www-authenticate", &challenge)?
            .expect_no_header("ratelimit")?
            .expect_no_header("ratelimit-policy")?;
    }
    Ok(())
}

fn a_badly_formed_key_is_401_invalid_token(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let prefix = &service.facts().key_prefix;
    let body = firm.key.trim_start_matches(prefix.as_str());
    for key in [
        body.to_owned(),
        format!("xyz_{body}"),
        format!("{prefix}{body}A"),
        firm.key.chars().take(46).collect(),
        format!("{prefix}{}", "a".repeat(42)),
        format!("{prefix}{}.", "a".repeat(42)),
        format!("{prefix}{}/", "a".repeat(42)),
        firm.key.to_uppercase(),
        format!("{} {}", firm.key, firm.key),
        "x".to_owned(),
        "a".repeat(4_000),
    ] {
        is_invalid_token(service, &send(service, &Request::new("GET", "/api/v1/me").bearer(&key))?)?;
    }
    Ok(())
}

fn an_unknown_key_is_401_invalid_token(service: &dyn Service) -> CaseResult {
    for (method, path) in PATHS {
        let request = Request::new(method, path).bearer(&stranger(service, "A"));
        is_invalid_token(service, &send(service, &request)?)?;
    }
    Ok(())
}

fn another_scheme_is_401(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for value in [format!("Basic {}", firm.key), format!("Token {}", firm.key), firm.key.clone(), "Bearer".to_owned()] {
        let answer = send(service, &Request::new("GET", "/api/v1/me").header("Authorization", value))?;
        answer.expect_error(401, "unauthorized")?;
        let challenge = answer.header("www-authenticate").unwrap_or_default();
        if !challenge.starts_with(&format!("Bearer realm=\"{}\"", service.facts().service_name)) {
            return Err(answer.failure("a WWW-Authenticate with the Bearer scheme and the realm"));
        }
    }
    Ok(())
}

fn the_scheme_is_read_in_any_case(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
        let value = format!("{scheme} {}", firm.key);
        firm.send(&Request::new("GET", "/api/v1/me").header("Authorization", value))?.ok()?;
    }
    Ok(())
}

fn a_key_elsewhere_than_in_the_header_is_no_key(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for name in ["key", "api_key", "access_token"] {
        let request = Request::new("GET", format!("/api/v1/me?{name}={}", firm.key));
        // The request is not shown in a failure: its target holds a key.
        let status = service.exchange(&request).map(|answer| answer.status);
        holds(status == Ok(401), "GET /api/v1/me with the key in the query", "401", || format!("{status:?}"))?;
    }
    send(service, &Request::new("GET", "/api/v1/me").header("X-Api-Key", "none"))?.expect_error(401, "unauthorized")?;
    Ok(())
}

fn a_key_has_the_prefix_and_43_characters(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let body = firm.key.strip_prefix(&service.facts().key_prefix);
    let formed = body.is_some_and(|body| {
        body.len() == 43 && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    });
    holds(formed, "a new key", "the prefix and 43 letters, digits, - and _", || {
        format!("a key of {} characters", firm.key.len())
    })?;
    let (_, other) = firm.new_key()?;
    holds(other != firm.key, "two new keys", "different keys", || "the same key twice".to_owned())
}

fn a_revoked_key_is_401_from_the_next_request_on(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.get("/me")?.ok()?;
    firm.operator().call("DELETE", &format!("/keys/{}", firm.key_id))?.ok()?;
    for (method, path) in PATHS {
        is_invalid_token(service, &send(service, &Request::new(method, path).bearer(&firm.key))?)?;
    }
    Ok(())
}

fn another_key_of_the_account_outlives_a_revoked_one(service: &dyn Service) -> CaseResult {
    let mut firm = Firm::open(service)?;
    let (_, other) = firm.new_key()?;
    firm.operator().call("DELETE", &format!("/keys/{}", firm.key_id))?.ok()?;
    firm.key = other;
    firm.get("/me")?.ok()?.expect("/account/id", firm.account.as_str())?;
    Ok(())
}

fn a_suspended_account_is_403_forbidden_until_readmitted(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.get("/me")?.ok()?;
    firm.set(&json!({"suspended": true}))?;
    for (method, path) in PATHS {
        firm.send(&firm.request(method, path.trim_start_matches("/api/v1")))?.expect_error(403, "forbidden")?;
    }
    firm.set(&json!({"suspended": false}))?;
    firm.get("/me")?.ok()?;
    Ok(())
}

fn a_view_only_login_is_403_forbidden_until_it_is_more(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let role = |role: &str| {
        firm.operator().call_with("PATCH", &format!("/logins/{}", firm.owner), &json!({ "role": role }))?.ok()
    };
    role("view_only")?;
    for (method, path) in PATHS {
        firm.send(&firm.request(method, path.trim_start_matches("/api/v1")))?.expect_error(403, "forbidden")?;
    }
    role("owner")?;
    firm.get("/me")?.ok()?;
    Ok(())
}

fn a_key_of_an_owner_who_becomes_a_teammate_goes_on_working(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let path = format!("/logins/{}", firm.owner);
    firm.operator().call_with("PATCH", &path, &json!({"role": "teammate"}))?.ok()?;
    firm.get("/me")?.ok()?;
    firm.create(&json!({"first_name": "Ada", "last_name": "Reyes"}))?;
    Ok(())
}

fn an_account_whose_api_is_off_is_403_not_enabled(service: &dyn Service) -> CaseResult {
    let firm = Firm::with(service, &json!({}))?;
    for (method, path) in PATHS {
        firm.send(&firm.request(method, path.trim_start_matches("/api/v1")))?.expect_error(403, "not_enabled")?;
    }
    firm.set(&json!({"api_enabled": true}))?;
    firm.get("/me")?.ok()?;
    firm.set(&json!({"api_enabled": false}))?;
    firm.get("/me")?.expect_error(403, "not_enabled")?;
    Ok(())
}

fn the_operator_token_is_no_key(service: &dyn Service) -> CaseResult {
    let request = Request::new("GET", "/api/v1/me").bearer(&service.facts().operator_token);
    is_invalid_token(service, &send(service, &request)?)
}

fn the_body_of_a_stranger_is_not_read(service: &dyn Service) -> CaseResult {
    for path in ["/api/v1/clients", "/api/v1/cases/settled"] {
        let request = Request::new("POST", path)
            .bearer(&stranger(service, "B"))
            .header("Content-Type", "application/json")
            .body(Body::Withheld { length: 1_000 });
        is_invalid_token(service, &send(service, &request)?)?;
        let request = Request::new("POST", path).body(Body::Withheld { length: 1_000 });
        send(service, &request)?.expect_error(401, "unauthorized")?;
    }
    Ok(())
}
