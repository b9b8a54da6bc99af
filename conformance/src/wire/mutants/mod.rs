//! Services broken on purpose, each with the case that must detect it. They test the suite itself.
//!
//! A mutant sits between a case and a sound service and alters requests or answers. Mutants of state
//! that only a store can break belong to the store suite ([`crate::mutants`]).

mod previews;
mod protocol;
mod records;

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Duration,
};

use http::{HeaderName, HeaderValue};
use serde_json::{Value, json};

use super::{Answer, Body, Facts, Request, Service, firm::rate_left};

/// One way to be wrong.
pub struct Mutant {
    /// What it does wrong.
    pub name: &'static str,
    /// The name of the case that must fail.
    pub caught_by: &'static str,
    exchange: fn(&Broken<'_>, &Request) -> Result<Answer, String>,
}

/// A good service with a mutant in front of it.
pub struct Broken<'s> {
    service: &'s dyn Service,
    mutant: &'static Mutant,
    erred: AtomicBool,
    /// Time that passed for the service and not for the case.
    hidden_seconds: AtomicU64,
}

impl<'s> Broken<'s> {
    /// That service, broken in that way.
    #[must_use]
    pub fn new(service: &'s dyn Service, mutant: &'static Mutant) -> Self {
        Self { service, mutant, erred: AtomicBool::new(false), hidden_seconds: AtomicU64::new(0) }
    }

    /// Whether this is the first time that this is asked.
    fn once(&self) -> bool {
        !self.erred.swap(true, Ordering::SeqCst)
    }

    /// Lets time pass for the service, unseen by the case.
    fn elapse_unseen(&self, seconds: u64) {
        self.hidden_seconds.fetch_add(seconds, Ordering::SeqCst);
        self.service.elapse(Duration::from_secs(seconds));
    }
}

impl Service for Broken<'_> {
    fn exchange(&self, request: &Request) -> Result<Answer, String> {
        (self.mutant.exchange)(self, request)
    }

    fn elapse(&self, duration: Duration) {
        self.service.elapse(duration);
    }

    fn clock(&self) -> Duration {
        self.service.clock() - Duration::from_secs(self.hidden_seconds.load(Ordering::SeqCst))
    }

    fn facts(&self) -> &Facts {
        self.service.facts()
    }
}

/// Every mutant.
pub fn all() -> impl Iterator<Item = &'static Mutant> {
    protocol::MUTANTS.iter().chain(records::MUTANTS).chain(previews::MUTANTS)
}

fn header<'r>(request: &'r Request, name: &str) -> Option<&'r str> {
    request.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

fn without_header(request: &Request, name: &str) -> Request {
    let mut request = request.clone();
    request.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    request
}

/// The request with its body's text altered.
fn with_text(request: &Request, alter: impl Fn(&str) -> String) -> Request {
    let mut request = request.clone();
    if let Body::Whole(bytes) = &request.body
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        request.body = Body::Whole(alter(text).into_bytes());
    }
    request
}

/// A settled case whose `new_settlement`, where not given, is that.
fn settled_with(request: &Request, new_settlement: bool) -> Request {
    with_text(request, |text| match serde_json::from_str::<Value>(text) {
        Ok(mut body) if request.target == "/api/v1/cases/settled" && body["new_settlement"].is_null() => {
            body["new_settlement"] = json!(new_settlement);
            body.to_string()
        }
        _ => text.to_owned(),
    })
}

/// The request at another address.
fn at(request: &Request, target: impl Into<String>) -> Request {
    Request { target: target.into(), ..request.clone() }
}

/// The answer to the request at the address that has `to` in place of `from`.
fn with_target(broken: &Broken<'_>, request: &Request, from: &str, to: &str) -> Result<Answer, String> {
    broken.service.exchange(&at(request, request.target.replace(from, to)))
}

/// The answer to the request, of another status where it has this one.
fn with_status(broken: &Broken<'_>, request: &Request, status: u16, other: u16) -> Result<Answer, String> {
    after(broken, request, |answer| {
        if answer.status == status {
            answer.status = other;
        }
    })
}

/// The answer to the request, altered.
fn after(broken: &Broken<'_>, request: &Request, alter: impl FnOnce(&mut Answer)) -> Result<Answer, String> {
    let mut answer = broken.service.exchange(request)?;
    alter(&mut answer);
    Ok(answer)
}

/// The answer to the request, its JSON altered.
fn with_json(broken: &Broken<'_>, request: &Request, alter: impl FnOnce(&mut Value)) -> Result<Answer, String> {
    after(broken, request, |answer| alter(&mut answer.json))
}

/// The answer to the request, each row of its list altered.
fn with_rows(broken: &Broken<'_>, request: &Request, list: &str, alter: impl Fn(&mut Value)) -> Result<Answer, String> {
    with_json(broken, request, |json| {
        json.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten().for_each(alter);
    })
}

fn drop_header(answer: &mut Answer, name: &str) {
    answer.headers.remove(name);
}

fn set_header(answer: &mut Answer, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        answer.headers.insert(HeaderName::from_static(name), value);
    }
}

/// Takes one from what the answer says was used of the rate limit.
fn count_one_less(answer: &mut Answer) {
    if let Some((left, seconds)) = rate_left(answer) {
        set_header(answer, "ratelimit", &format!("\"default\";r={};t={seconds}", left + 1));
    }
}

/// Makes the answer that error.
fn tell(answer: &mut Answer, status: u16, code: &str) {
    answer.status = status;
    answer.json["error"]["code"] = json!(code);
}
