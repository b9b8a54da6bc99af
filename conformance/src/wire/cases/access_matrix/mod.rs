//! Every endpoint × every state of a key × every fault of a request. The expected answer of each cell
//! follows from the order of checks alone (rules H23 and O4). The endpoints come from the router's own
//! table; a test fails if one of them has no request here.

mod checks;
mod operator;
mod public;

use matterbook_core::api::endpoints;

use crate::wire::{Answer, CaseResult, Failure, Request, Service, failure::equal, send};
use checks::{Check, Fails, alone_and_together};
use operator::every_operator_endpoint_asks_for_the_token_first;
use public::{every_public_endpoint_tells_every_key_the_first_thing_wrong, unknown_and_revoked_keys_are_told_the_same};

cases! { "access_matrix":
    "H23" => every_public_endpoint_tells_every_key_the_first_thing_wrong,
    "A3" => unknown_and_revoked_keys_are_told_the_same,
    "O4" => every_operator_endpoint_asks_for_the_token_first,
    "H6, O4" => every_path_has_the_methods_of_the_table_and_no_others,
    "H3, H4" => what_needs_no_key_is_the_same_for_every_key,
}

/// The methods that a caller may think of.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// A method that the path of an endpoint does not have.
fn wrong_method(path: &str) -> &'static str {
    METHODS.into_iter().find(|method| *method != "HEAD" && !has(path, method)).unwrap_or("OPTIONS")
}

fn has(path: &str, method: &str) -> bool {
    let wanted = if method == "HEAD" { "GET" } else { method };
    endpoints().any(|(method, template)| template == path && method == wanted)
}

/// The failure, with the cell that it is in.
fn in_cell(cell: &str) -> impl FnOnce(Failure) -> Failure {
    move |failure| Failure { sent: format!("{cell}: {}", failure.sent), ..failure }
}

/// What an answer tells: all of it but what differs from request to request.
fn told(answer: &Answer) -> (u16, Vec<(String, String)>, String) {
    let differs = ["x-request-id", "date"];
    let mut headers: Vec<_> = answer
        .headers
        .iter()
        .filter(|(name, _)| !differs.contains(&name.as_str()))
        .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    headers.sort();
    (answer.status, headers, String::from_utf8_lossy(&answer.body).into_owned())
}

fn every_path_has_the_methods_of_the_table_and_no_others(service: &dyn Service) -> CaseResult {
    let firm = public::open(service)?;
    let mut paths: Vec<&str> = endpoints().map(|(_, path)| path).collect();
    paths.dedup();
    for path in paths {
        let token = if path.starts_with("/operator") { &service.facts().operator_token } else { &firm.key };
        for method in METHODS.into_iter().filter(|method| !has(path, method)) {
            // The method is checked before the ids in the path.
            let answer = send(service, &Request::new(method, path.replace(['{', '}'], "x")).bearer(token))?;
            let expected: Vec<&str> = METHODS.into_iter().filter(|method| has(path, method)).collect();
            let allow = answer.header("allow").unwrap_or_default();
            let mut allowed: Vec<&str> = allow.split(", ").collect();
            allowed.sort_by_key(|allowed| METHODS.into_iter().position(|method| method == *allowed));
            equal(&format!("{}: Allow", answer.sent), &allowed, &expected)?;
            if method == "HEAD" {
                answer.expect_status(405)?
            } else {
                answer.expect_error(405, "invalid_request")?
            };
        }
    }
    Ok(())
}

fn what_needs_no_key_is_the_same_for_every_key(service: &dyn Service) -> CaseResult {
    let firm = public::open(service)?;
    let revoked = public::open(service)?;
    revoked.operator().call("DELETE", &format!("/keys/{}", revoked.key_id))?.ok()?;
    let facts = service.facts();
    let tokens = [&firm.key, &revoked.key, &format!("{}{}", facts.key_prefix, "a".repeat(43)), &facts.operator_token];
    let described = if facts.has_viewer { 200 } else { 404 };
    for (path, status) in
        [("/healthz", 200), ("/openapi.json", described), ("/nothing", 404), ("/api", 404), ("/api/v2/me", 404)]
    {
        let first = told(&send(service, &Request::new("GET", path))?);
        equal(path, &first.0, &status)?;
        for token in tokens {
            equal(path, &told(&send(service, &Request::new("GET", path).bearer(token))?), &first)?;
        }
    }
    // None of it was counted.
    let left = crate::wire::firm::rate_left(&firm.get("/me")?).map(|(left, _)| left);
    equal("what is left of the limit", &left.unwrap_or_default(), &facts.rate_limit_per_minute.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_endpoint_of_the_router_is_in_the_matrix() {
        let listed: BTreeSet<(&str, &str)> =
            public::ENDPOINTS.iter().map(|row| (row.method, row.path)).chain(operator::rows()).collect();
        let others = ["/", "/healthz", "/openapi.json", "/docs", "/docs/{file}"].map(|path| ("GET", path));
        let routed: BTreeSet<(&str, &str)> = endpoints().map(|(method, path)| (method.as_str(), path)).collect();
        assert_eq!(routed, listed.into_iter().chain(others).collect());
    }
}
