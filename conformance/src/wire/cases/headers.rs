//! What every answer carries, and what HEAD answers.

use serde_json::json;

use crate::wire::{CaseResult, Firm, Request, Service, failure::holds, send};

cases! { "headers":
    "H8, H9" => every_answer_is_json_uncached_and_has_a_request_id,
    "H8" => request_ids_differ,
    "H5" => head_answers_like_get_without_a_body,
    "H5" => head_of_what_is_not_there_answers_like_get,
}

fn every_answer_is_json_uncached_and_has_a_request_id(service: &dyn Service) -> CaseResult {
    // `send` holds all three on every answer of every case; here is one of each kind.
    let firm = Firm::with(service, &json!({"api_enabled": true, "digital_bundle": true}))?;
    for path in ["/me", "/clients", "/prospects", "/nothing", "/clients?limit=0"] {
        let answer = firm.get(path)?;
        answer.expect_header("content-type", "application/json")?.expect_header("cache-control", "no-store")?;
    }
    for path in ["/healthz", "/nothing", "/api", "/api/v1/me", "/operator/v1/accounts"] {
        send(service, &Request::new("GET", path))?.expect_header("cache-control", "no-store")?;
    }
    Ok(())
}

fn request_ids_differ(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let mut ids = Vec::new();
    for path in ["/me", "/me", "/nothing", "/clients"] {
        ids.push(firm.get(path)?.header("x-request-id").unwrap_or_default().to_owned());
    }
    ids.push(send(service, &Request::new("GET", "/api/v1/me"))?.header("x-request-id").unwrap_or_default().to_owned());
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    holds(ids.len() == count, "five requests", "five request ids", || format!("{ids:?}"))
}

/// The header fields that GET and HEAD share.
const SHARED: [&str; 5] = ["content-type", "cache-control", "ratelimit-policy", "www-authenticate", "allow"];

fn head_answers_like_get_without_a_body(service: &dyn Service) -> CaseResult {
    let firm = Firm::with(service, &json!({"api_enabled": true, "digital_bundle": true}))?;
    for path in ["/me", "/clients", "/clients?limit=1", "/prospects", "/prospects?order=newest"] {
        let get = firm.get(path)?.ok()?;
        let head = firm.send(&firm.request("HEAD", path))?;
        head.expect_status(200)?;
        for name in SHARED {
            holds(head.header(name) == get.header(name), &head.sent, "the header fields of GET", || {
                format!("{name}: {:?}, and to GET {:?}", head.header(name), get.header(name))
            })?;
        }
    }
    Ok(())
}

fn head_of_what_is_not_there_answers_like_get(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for (path, status) in [("/nothing", 404), ("/cases/settled", 405), ("/clients?limit=0", 400), ("/prospects", 403)] {
        firm.send(&firm.request("HEAD", path))?.expect_status(status)?;
    }
    send(service, &Request::new("HEAD", "/api/v1/me"))?.expect_status(401)?;
    let operator = firm.operator();
    operator.call("HEAD", &firm.path(""))?.expect_status(200)?;
    Ok(())
}
