//! The order of checks: of several faults of a request, the first one is answered (rule H23).

use serde_json::json;

use super::rate_limit::exhaust;
use crate::wire::{Body, CaseResult, Failure, Firm, Request, Service, failure::equal, send};

cases! { "access_order":
    "H23" => key_then_suspended_then_enabled_then_the_request,
    "H23" => path_then_method_then_media_type_then_parameters_then_body,
    "H23" => bundle_comes_after_the_path_and_before_the_parameters,
    "H23" => the_rate_comes_after_the_key_and_before_everything_else,
    "H24" => what_the_head_decides_does_not_wait_for_the_body,
}

/// Requests that are wrong, and what each is told by an account that may do everything but read
/// prospects.
const WRONG: [(&str, &str, &str, u16, &str); 10] = [
    ("GET", "/nothing?limit=0", "", 404, "not_found"),
    ("PUT", "/nothing?limit=0", "image/png", 404, "not_found"),
    ("PUT", "/clients?limit=0", "image/png", 405, "invalid_request"),
    ("POST", "/prospects?limit=0", "image/png", 405, "invalid_request"),
    ("POST", "/me?dry_run=1", "image/png", 405, "invalid_request"),
    ("POST", "/clients?dry_run=1", "image/png", 415, "invalid_request"),
    ("POST", "/cases/settled?dry_run=1", "image/png", 415, "invalid_request"),
    ("GET", "/prospects?limit=0", "", 403, "bundle_required"),
    ("GET", "/clients?limit=0", "", 400, "invalid_request"),
    ("POST", "/clients?dry_run=1", "application/json", 400, "invalid_request"),
];

fn wrong_request(firm: &Firm<'_>, method: &str, path: &str, media_type: &str) -> Request {
    let request = firm.request(method, path);
    if media_type.is_empty() {
        request
    } else {
        request.header("Content-Type", media_type).body(Body::Whole(b"not json".to_vec()))
    }
}

fn key_then_suspended_then_enabled_then_the_request(service: &dyn Service) -> CaseResult {
    let states = [
        (json!({"api_enabled": false, "suspended": true}), Some((403, "forbidden"))),
        (json!({"api_enabled": true, "suspended": true}), Some((403, "forbidden"))),
        (json!({"api_enabled": false, "suspended": false}), Some((403, "not_enabled"))),
        (json!({"api_enabled": true, "suspended": false}), None),
    ];
    for (flags, refused) in states {
        let firm = Firm::with(service, &flags)?;
        for (method, path, media_type, status, code) in WRONG {
            let request = wrong_request(&firm, method, path, media_type);
            let (status, code) = refused.unwrap_or((status, code));
            firm.send(&request)?.expect_error(status, code)?;
        }
        firm.operator().call("DELETE", &format!("/keys/{}", firm.key_id))?.ok()?;
        for (method, path, media_type, _, _) in WRONG {
            send(service, &wrong_request(&firm, method, path, media_type))?.expect_error(401, "unauthorized")?;
        }
    }
    Ok(())
}

fn path_then_method_then_media_type_then_parameters_then_body(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let too_large = vec![b'x'; service.facts().body_limit_bytes + 1];
    let post = |path: &str, media_type: &str| {
        firm.request("POST", path).header("Content-Type", media_type).body(Body::Whole(too_large.clone()))
    };
    for (request, status, code) in [
        (post("/nothing", "image/png"), 404, "not_found"),
        (post("/me", "image/png"), 405, "invalid_request"),
        (post("/clients?dry_run=1", "image/png"), 415, "invalid_request"),
        (post("/clients?dry_run=1", "application/json"), 400, "invalid_request"),
        (post("/clients", "application/json"), 413, "invalid_request"),
    ] {
        firm.send(&request)?.expect_error(status, code)?;
    }
    Ok(())
}

fn bundle_comes_after_the_path_and_before_the_parameters(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for query in ["", "?limit=0", "?order=sideways", "?cursor=nonsense", "?limit=1&limit=2", "?limit=%zz", "?dry_run=1"]
    {
        firm.get(&format!("/prospects{query}"))?.expect_error(403, "bundle_required")?;
    }
    firm.set(&json!({"digital_bundle": true}))?;
    firm.get("/prospects?limit=0")?.expect_refusal(&["limit"])?;
    Ok(())
}

fn the_rate_comes_after_the_key_and_before_everything_else(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    if exhaust(&firm)? == 0 {
        // Without a limit there is nothing to exhaust: the next checks answer.
        firm.set(&json!({"suspended": true}))?;
        firm.get("/nothing")?.expect_error(403, "forbidden")?;
        return Ok(());
    }
    let refused = |request: &Request| -> Result<(), Failure> {
        firm.send(request)?.expect_error(429, "rate_limited")?;
        Ok(())
    };
    for (method, path, media_type, _, _) in WRONG {
        refused(&wrong_request(&firm, method, path, media_type))?;
    }
    firm.set(&json!({"api_enabled": false}))?;
    refused(&firm.request("GET", "/me"))?;
    firm.set(&json!({"suspended": true}))?;
    refused(&firm.request("GET", "/me"))?;
    firm.operator().call("DELETE", &format!("/keys/{}", firm.key_id))?.ok()?;
    let answer = send(service, &firm.request("GET", "/me"))?;
    equal("GET /me with a revoked key that was at its limit", &answer.status, &401)
}

fn what_the_head_decides_does_not_wait_for_the_body(service: &dyn Service) -> CaseResult {
    // Of keys that were not used before: a host may read the body first for one that it knows.
    let withheld = |firm: &Firm<'_>, method: &str, path: &str, media_type: &str| {
        firm.send(&firm.request(method, path).header("Content-Type", media_type).body(Body::Withheld { length: 2_000 }))
    };
    let suspended = Firm::with(service, &json!({"api_enabled": true, "suspended": true}))?;
    withheld(&suspended, "POST", "/clients", "application/json")?.expect_error(403, "forbidden")?;
    let off = Firm::with(service, &json!({}))?;
    withheld(&off, "POST", "/clients", "application/json")?.expect_error(403, "not_enabled")?;
    for (method, path, media_type, status, code) in [
        ("POST", "/nothing", "application/json", 404, "not_found"),
        ("PUT", "/clients", "application/json", 405, "invalid_request"),
        ("POST", "/clients", "image/png", 415, "invalid_request"),
        ("POST", "/clients?dry_run=1", "application/json", 400, "invalid_request"),
    ] {
        withheld(&Firm::open(service)?, method, path, media_type)?.expect_error(status, code)?;
    }
    Ok(())
}
