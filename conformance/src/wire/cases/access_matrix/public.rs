//! The public API's part of the matrix.

use std::collections::BTreeSet;

use serde_json::json;

use super::{
    super::{auth::is_invalid_token, operator_keys::ended_key, rate_limit::exhaust},
    Check, Fails, alone_and_together, in_cell, told, wrong_method,
};
use crate::wire::{
    Answer, Body, CaseResult, Failure, Firm, Request, Service,
    failure::{equal, holds},
    firm::keeps_rate_headers,
    send,
};

/// An endpoint, and the body of a request that succeeds.
pub(super) struct Endpoint {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    body: Option<&'static str>,
    /// Whether it asks for the digital bundle.
    is_of_the_bundle: bool,
    /// The status of a request that passes every check.
    passes_with: u16,
}

const fn get(path: &'static str) -> Endpoint {
    Endpoint { method: "GET", path, body: None, is_of_the_bundle: false, passes_with: 200 }
}

const fn post(path: &'static str, body: &'static str) -> Endpoint {
    Endpoint { method: "POST", path, body: Some(body), is_of_the_bundle: false, passes_with: 200 }
}

const CLIENTS: &str = r#"{"clients": [{"external_id": "7", "last_name": "Ray", "settled_on": "2025-01-02"}]}"#;
const SETTLED: &str = r#"{"external_id": "7", "last_name": "Ray", "settled_on": "2025-01-02"}"#;

pub(super) const ENDPOINTS: [Endpoint; 7] = [
    get("/api/v1/me"),
    get("/api/v1/clients"),
    // Of an id that no client has.
    Endpoint { passes_with: 404, ..get("/api/v1/clients/{client}") },
    Endpoint { passes_with: 404, ..get("/api/v1/clients/{client}/history") },
    Endpoint { is_of_the_bundle: true, ..get("/api/v1/prospects") },
    post("/api/v1/clients", CLIENTS),
    post("/api/v1/cases/settled", SETTLED),
];

/// What the operator can take from a firm, and what its requests then do not pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Taken {
    Key,
    Rate,
    Admission,
    Role,
    Api,
    /// The key is limited to prospects.
    Clients,
    /// The key is limited to clients.
    Prospects,
    Bundle,
}

impl Taken {
    const fn check(self) -> Check {
        match self {
            Self::Key => Check::Key,
            Self::Rate => Check::Rate,
            Self::Admission | Self::Role => Check::Admission,
            Self::Api => Check::ApiOn,
            Self::Clients | Self::Prospects => Check::Scope,
            Self::Bundle => Check::Bundle,
        }
    }
}

/// Whose requests they are.
enum Caller {
    /// Somebody without a live key, who sends this.
    Stranger { name: &'static str, authorization: Vec<String> },
    /// A firm that lost something, before or after the first use of its key.
    Firm { lost: BTreeSet<Taken>, is_used: bool },
}

impl std::fmt::Display for Caller {
    /// Shows no key.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Stranger { name, .. } => formatter.write_str(name),
            Self::Firm { lost, is_used } => {
                write!(formatter, "a {} key that lost {lost:?}", if *is_used { "used" } else { "fresh" })
            }
        }
    }
}

/// A firm that may do everything.
pub(super) fn open(service: &dyn Service) -> Result<Firm<'_>, Failure> {
    Firm::with(service, &json!({"api_enabled": true, "digital_bundle": true}))
}

/// Everybody who may ask.
fn callers(service: &dyn Service) -> Result<Vec<Caller>, Failure> {
    let facts = service.facts();
    let key = open(service)?.key;
    let ended = ended_key(&open(service)?)?;
    let strangers = [
        ("no key", vec![]),
        ("an empty key", vec!["Bearer ".to_owned()]),
        ("a malformed key", vec![format!("Bearer {key}x")]),
        ("another scheme", vec![format!("Basic {key}")]),
        ("two keys", vec![format!("Bearer {key}"), format!("Bearer {key}")]),
        ("an unknown key", vec![format!("Bearer {}{}", facts.key_prefix, "u".repeat(43))]),
        ("an ended key", vec![format!("Bearer {ended}")]),
        ("the operator token", vec![format!("Bearer {}", facts.operator_token)]),
    ];
    let strangers = strangers.map(|(name, authorization)| Caller::Stranger { name, authorization });
    let all = [
        Taken::Key,
        Taken::Rate,
        Taken::Admission,
        Taken::Role,
        Taken::Api,
        Taken::Prospects,
        Taken::Clients,
        Taken::Bundle,
    ];
    let alone = all.iter().map(|taken| BTreeSet::from([*taken]));
    let together = (0..=all.len()).map(|first| all.iter().skip(first).copied().collect());
    let lost: BTreeSet<BTreeSet<Taken>> = alone.chain(together).collect();
    let firms =
        lost.into_iter().flat_map(|lost| [false, true].map(|is_used| Caller::Firm { lost: lost.clone(), is_used }));
    // A key reaches its rate limit only by being used.
    let is_possible =
        |firm: &Caller| !matches!(firm, Caller::Firm { lost, is_used: false } if lost.contains(&Taken::Rate));
    let firms = firms.filter(is_possible);
    Ok(strangers.into_iter().chain(firms).collect())
}

/// A caller made ready: what its requests carry, and what none of them passes.
struct Ready<'s> {
    authorization: Vec<String>,
    fails: Fails,
    /// What its key is limited to.
    scope: Option<&'static str>,
    firm: Option<Firm<'s>>,
}

fn ready<'s>(service: &'s dyn Service, caller: &Caller) -> Result<Ready<'s>, Failure> {
    let (lost, is_used) = match caller {
        Caller::Stranger { authorization, .. } => {
            let (authorization, fails) = (authorization.clone(), Fails::from([Check::Key]));
            return Ok(Ready { authorization, fails, scope: None, firm: None });
        }
        Caller::Firm { lost, is_used } => (lost, *is_used),
    };
    let mut firm = open(service)?;
    let scope = match lost {
        lost if lost.contains(&Taken::Clients) => Some("prospects"),
        lost if lost.contains(&Taken::Prospects) => Some("clients"),
        _ => None,
    };
    if scope.is_some() {
        (firm.key_id, firm.key) = firm.new_key_with(&json!({ "scope": scope }))?;
    }
    let mut fails: Fails = lost.iter().map(|taken| taken.check()).collect();
    if lost.contains(&Taken::Rate) && exhaust(&firm)? == 0 {
        // There is no limit here.
        fails.remove(&Check::Rate);
    }
    if is_used {
        firm.get("/me")?;
    }
    let operator = firm.operator();
    if lost.contains(&Taken::Role) {
        operator.call_with("PATCH", &format!("/logins/{}", firm.owner), &json!({"role": "view_only"}))?.ok()?;
    }
    firm.set(&json!({
        "suspended": lost.contains(&Taken::Admission),
        "api_enabled": !lost.contains(&Taken::Api),
        "digital_bundle": !lost.contains(&Taken::Bundle),
    }))?;
    if lost.contains(&Taken::Key) {
        operator.call("DELETE", &format!("/keys/{}", firm.key_id))?.ok()?;
    }
    Ok(Ready { authorization: vec![format!("Bearer {}", firm.key)], fails, scope, firm: Some(firm) })
}

impl Endpoint {
    /// All that can be wrong with a request to it.
    fn faults(&self) -> BTreeSet<Fails> {
        let checks = [Check::Path, Check::Method, Check::MediaType, Check::Parameters, Check::Body];
        let checks: Vec<Check> = checks
            .into_iter()
            .filter(|check| self.body.is_some() || !matches!(check, Check::MediaType | Check::Body))
            .collect();
        alone_and_together(&checks)
    }

    /// A request that is wrong in these ways.
    fn request(&self, faults: &Fails, authorization: &[String]) -> Request {
        let is = |check| faults.contains(&check);
        let path = self.path.replace("{client}", "00000000-0000-7000-8000-000000000404");
        let path = if is(Check::Path) { format!("{path}/") } else { path };
        let query = if is(Check::Parameters) { "?dry_run=1" } else { "" };
        let method = if is(Check::Method) { wrong_method(self.path) } else { self.method };
        let mut request = Request::new(method, format!("{path}{query}"));
        for value in authorization {
            request = request.header("Authorization", value.as_str());
        }
        let Some(body) = self.body else { return request };
        let media_type = if is(Check::MediaType) { "image/png" } else { "application/json" };
        let body = if is(Check::Body) { "[" } else { body };
        request.header("Content-Type", media_type).body(Body::Whole(body.as_bytes().to_vec()))
    }

    /// What a key with a scope has to be limited to.
    fn scope(&self) -> Option<&'static str> {
        match self.path {
            "/api/v1/me" => None,
            "/api/v1/prospects" => Some("prospects"),
            _ => Some("clients"),
        }
    }

    /// The first check that such a request of such a caller does not pass.
    fn first_failure(&self, faults: &Fails, ready: &Ready<'_>) -> Option<Check> {
        let concerns = |check: &&Check| match check {
            Check::Bundle => self.is_of_the_bundle,
            Check::Scope => self.scope().is_some_and(|scope| ready.scope.is_some_and(|only| only != scope)),
            _ => true,
        };
        let of_caller = ready.fails.iter().filter(concerns);
        faults.iter().chain(of_caller).min().copied()
    }
}

pub(super) fn every_public_endpoint_tells_every_key_the_first_thing_wrong(service: &dyn Service) -> CaseResult {
    for caller in callers(service)? {
        let ready = ready(service, &caller)?;
        for endpoint in &ENDPOINTS {
            for faults in endpoint.faults() {
                let request = endpoint.request(&faults, &ready.authorization);
                let expected = endpoint.first_failure(&faults, &ready);
                check(service, &request, expected, endpoint.passes_with)
                    .map_err(in_cell(&format!("{caller}, wrong in {faults:?}, expected {expected:?}")))?;
            }
        }
        saved_only_what_was_let_through(&ready).map_err(in_cell(&caller.to_string()))?;
    }
    Ok(())
}

/// Holds the answer to a request, and that to the same with HEAD where it is a GET.
fn check(service: &dyn Service, request: &Request, expected: Option<Check>, passes_with: u16) -> CaseResult {
    let answer = send(service, request)?;
    match expected {
        None => answer.expect_status(passes_with)?,
        Some(check) => answer.expect_error(check.refusal().0, check.refusal().1)?,
    };
    match expected {
        Some(Check::Key) if request.headers.iter().all(|(name, _)| name != "Authorization") => {
            let challenge = format!("Bearer realm=\"{}\"", service.facts().service_name);
            answer.expect_header("www-authenticate", &challenge)?.expect_no_header("ratelimit")?;
        }
        Some(Check::Key) => is_invalid_token(service, &answer)?,
        _ => keeps_rate_headers(service, &answer)?,
    }
    holds(
        answer.headers.contains_key("retry-after") == (expected == Some(Check::Rate)),
        &answer.sent,
        "Retry-After with a 429 alone",
        || answer.status.to_string(),
    )?;
    if request.method == "GET" {
        let head = Request { method: "HEAD".to_owned(), ..request.clone() };
        equal("HEAD", &send(service, &head)?.status, &answer.status)?;
    }
    Ok(())
}

/// Refused requests saved nothing; accepted requests saved their data.
fn saved_only_what_was_let_through(ready: &Ready<'_>) -> CaseResult {
    let Some(firm) = &ready.firm else { return Ok(()) };
    let is_let_through = ready.scope != Some("prospects")
        && ready.fails.iter().all(|check| matches!(check, Check::Bundle | Check::Scope));
    equal("settlements", &firm.settlements()?.len(), &usize::from(is_let_through))
}

/// A revoked key, used or not, and an unknown key get the same bytes for every request, so a caller
/// cannot learn that a key once existed (rule A3).
pub(super) fn unknown_and_revoked_keys_are_told_the_same(service: &dyn Service) -> CaseResult {
    let unknown = vec![format!("Bearer {}{}", service.facts().key_prefix, "-".repeat(43))];
    let revoked = |is_used, lost: &[Taken]| {
        ready(service, &Caller::Firm { lost: lost.iter().copied().chain([Taken::Key]).collect(), is_used })
    };
    let everything = [Taken::Admission, Taken::Role, Taken::Api, Taken::Bundle];
    let callers = [revoked(false, &[])?, revoked(true, &[])?, revoked(true, &everything)?];
    for endpoint in &ENDPOINTS {
        for faults in endpoint.faults() {
            let ask = |authorization: &[String]| -> Result<Answer, Failure> {
                send(service, &endpoint.request(&faults, authorization))
            };
            let expected = told(&ask(&unknown)?);
            for caller in &callers {
                let answer = ask(&caller.authorization)?;
                equal(&format!("{} with a revoked key", answer.sent), &told(&answer), &expected)?;
            }
        }
    }
    Ok(())
}
