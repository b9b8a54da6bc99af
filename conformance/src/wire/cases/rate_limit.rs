//! The exact sliding limit: in any 60 seconds, so many requests of a key are let through.

use std::time::Duration;

use serde_json::json;

use crate::wire::{
    Body, CaseResult, Failure, Firm, Request, Service,
    failure::{equal, holds},
    firm::rate_left,
    send,
};

cases! { "rate_limit":
    "R4" => every_answer_to_a_live_key_says_what_is_left,
    "R2, R4" => what_is_left_goes_down_by_one,
    "R1" => of_300_parallel_requests_exactly_the_limit_is_let_through,
    "R3" => a_429_says_when_to_come_back_and_holds_it,
    "R1" => the_window_slides_and_does_not_restart,
    "R1" => the_limit_is_of_a_key_not_of_an_account,
    "R2" => a_429_is_not_counted,
    "R2, R4" => a_401_is_not_limited_and_says_nothing_of_the_limit,
}

const AT_ONCE: usize = 24;

/// Sends `count` requests of the key, several at a time; the statuses that came.
fn burst(firm: &Firm<'_>, count: u64) -> Result<Vec<u16>, Failure> {
    let request = firm.request("GET", "/me");
    let next = std::sync::atomic::AtomicU64::new(0);
    let service = firm.service;
    let statuses = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE)
            .map(|_| {
                scope.spawn(|| {
                    let mut statuses = Vec::new();
                    while next.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < count {
                        let answer = send(service, &request)?;
                        crate::wire::firm::keeps_rate_headers(service, &answer)?;
                        statuses.push(answer.status);
                    }
                    Ok(statuses)
                })
            })
            .collect();
        let panicked = || Err(Failure::new("parallel requests", "answers", "a panic"));
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| panicked())).collect::<Result<Vec<_>, _>>()
    })?;
    Ok(statuses.into_iter().flatten().collect())
}

/// Uses the key's limit up; what the limit is, 0 when there is none.
pub(super) fn exhaust(firm: &Firm<'_>) -> Result<u64, Failure> {
    let limit = firm.service.facts().rate_limit_per_minute;
    let left = if limit == 0 { 0 } else { rate_left(&firm.get("/me")?).map_or(0, |(left, _)| left) };
    burst(firm, left)?;
    Ok(limit)
}

fn every_answer_to_a_live_key_says_what_is_left(service: &dyn Service) -> CaseResult {
    // `Firm::send` holds both fields on each of these.
    let firm = Firm::with(service, &json!({"api_enabled": true}))?;
    let text = |body: &str, media_type: &str| {
        firm.request("POST", "/clients").header("Content-Type", media_type).body(Body::Whole(body.as_bytes().to_vec()))
    };
    firm.get("/me")?.ok()?;
    firm.send(&firm.request("HEAD", "/me"))?.expect_status(200)?;
    firm.get("/nothing")?.expect_error(404, "not_found")?;
    firm.send(&firm.request("PUT", "/me"))?.expect_error(405, "invalid_request")?;
    firm.send(&text("x", "image/png"))?.expect_error(415, "invalid_request")?;
    firm.send(&text("x", "application/json"))?.expect_error(400, "invalid_request")?;
    let too_large = " ".repeat(service.facts().body_limit_bytes + 1);
    firm.send(&text(&too_large, "application/json"))?.expect_error(413, "invalid_request")?;
    firm.get("/prospects")?.expect_error(403, "bundle_required")?;
    let settled = json!({"external_id": "nobody", "settled_on": "2025-01-01"});
    firm.settle(&settled)?.expect_error(404, "not_found")?;
    firm.create(&json!({"external_id": "1", "last_name": "Ray", "address_line1": "1 Elm St", "zip": "02139"}))?;
    let other = json!({"external_id": "2", "last_name": "Ray", "address_line1": "1 Elm St", "zip": "02139",
        "settled_on": "2025-01-01"});
    firm.settle(&other)?.expect_error(409, "conflict")?;
    let keyed = |body: serde_json::Value| firm.request("POST", "/clients").header("Idempotency-Key", "k").json(&body);
    firm.send(&keyed(json!({"clients": []})))?.ok()?;
    firm.send(&keyed(json!({"clients": [{}]})))?.expect_error(422, "invalid_request")?;
    firm.set(&json!({"api_enabled": false}))?;
    firm.get("/me")?.expect_error(403, "not_enabled")?;
    firm.set(&json!({"suspended": true}))?;
    firm.get("/me")?.expect_error(403, "forbidden")?;
    Ok(())
}

fn what_is_left_goes_down_by_one(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let limit = service.facts().rate_limit_per_minute;
    for (used, path) in (1..).zip(["/me", "/nothing", "/prospects", "/clients?limit=0", "/me"]) {
        let answer = firm.get(path)?;
        if limit > 0 && rate_left(&answer).is_none_or(|(left, _)| left != limit - used) {
            return Err(answer.failure(format!("{} requests left", limit - used)));
        }
    }
    Ok(())
}

fn of_300_parallel_requests_exactly_the_limit_is_let_through(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let limit = service.facts().rate_limit_per_minute;
    let count = 300.max(limit + limit / 2);
    let statuses = burst(&firm, count)?;
    let count_of = |status: u16| statuses.iter().filter(|came| **came == status).count() as u64;
    let expected = if limit == 0 { (count, 0) } else { (limit, count - limit) };
    equal(&format!("{count} parallel requests: let through, refused"), &(count_of(200), count_of(429)), &expected)
}

fn a_429_says_when_to_come_back_and_holds_it(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    if exhaust(&firm)? == 0 {
        return firm.get("/me")?.expect_no_header("retry-after").map(drop);
    }
    let refused = firm.get("/me")?;
    refused.expect_error(429, "rate_limited")?;
    let seconds = refused.header("retry-after").and_then(|value| value.parse::<u64>().ok());
    let Some(seconds) = seconds.filter(|seconds| (1..=60).contains(seconds)) else {
        return Err(refused.failure("Retry-After: whole seconds from 1 to 60"));
    };
    if rate_left(&refused).is_none_or(|(left, _)| left != 0) {
        return Err(refused.failure("RateLimit with r=0"));
    }
    service.elapse(Duration::from_secs(seconds));
    firm.get("/me")?.ok()?;
    Ok(())
}

fn the_window_slides_and_does_not_restart(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let limit = service.facts().rate_limit_per_minute;
    let first = firm.get("/me")?.ok()?;
    if limit == 0 {
        return first.expect_no_header("ratelimit").map(drop);
    }
    service.elapse(Duration::from_secs(30));
    let statuses = burst(&firm, limit - 1)?;
    holds(
        statuses.iter().all(|status| *status == 200),
        "the rest of the limit, half a minute later",
        "all 200",
        || format!("{statuses:?}"),
    )?;
    let refused = firm.get("/me")?;
    refused.expect_error(429, "rate_limited")?;
    // The first request alone leaves the window, not the whole of it.
    service.elapse(Duration::from_secs(31));
    let statuses = burst(&firm, 5)?;
    let let_through = statuses.iter().filter(|status| **status == 200).count();
    equal("five requests, a minute after the first", &let_through, &1)
}

fn the_limit_is_of_a_key_not_of_an_account(service: &dyn Service) -> CaseResult {
    let mut firm = Firm::open(service)?;
    let (_, other) = firm.new_key()?;
    let limit = exhaust(&firm)?;
    firm.get("/me")?.expect_status(if limit == 0 { 200 } else { 429 })?;
    firm.key = other;
    firm.get("/me")?.ok()?;
    Ok(())
}

fn a_429_is_not_counted(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    if exhaust(&firm)? == 0 {
        return firm.get("/me")?.ok().map(drop);
    }
    let seconds =
        |answer: &crate::wire::Answer| answer.header("retry-after").and_then(|value| value.parse::<u64>().ok());
    let before = seconds(&firm.get("/me")?);
    burst(&firm, 40)?;
    let answer = firm.get("/me")?;
    match (before, seconds(&answer)) {
        (Some(before), Some(after)) if after <= before => Ok(()),
        _ => Err(answer.failure("a Retry-After that refused requests do not put off")),
    }
}

fn a_401_is_not_limited_and_says_nothing_of_the_limit(service: &dyn Service) -> CaseResult {
    let unknown = format!("{}{}", service.facts().key_prefix, "C".repeat(43));
    for _ in 0..service.facts().rate_limit_per_minute.min(500) + 10 {
        send(service, &Request::new("GET", "/api/v1/me").bearer(&unknown))?
            .expect_error(401, "unauthorized")?
            .expect_no_header("ratelimit")?
            .expect_no_header("ratelimit-policy")?
            .expect_no_header("retry-after")?;
    }
    Ok(())
}
