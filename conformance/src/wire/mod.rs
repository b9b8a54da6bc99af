//! What every host of Matterbook does on the wire: named cases, and the ways to reach a service.
//!
//! A case is a plain function over a [`Service`]. The same cases run in process over any store and
//! over HTTP against any base URL, so "both hosts are the same service" is what this module says
//! and nothing else. A case opens its own account and keys through the operator API, so cases run
//! in any order, concurrently, and in a service that holds other data.
//!
//! Not here: what a store must hold (the store suite), and how a host reads sockets, files and
//! signals (the host's own tests).

mod answer;
pub mod cases;
mod eventually;
mod facts;
mod failure;
mod firm;
mod http1;
mod in_process;
pub mod mutants;
mod operator;
mod over_http;
mod recorded_request;
mod recording_service;
mod request;
mod run;
mod served_worker;

pub use answer::Answer;
pub use cases::{Case, OptionalPart};
pub use eventually::{a_moment_later, eventually, wait_for_clients, wait_for_prospects};
pub use facts::Facts;
pub use failure::{CaseResult, Failure};
pub use firm::Firm;
pub use in_process::InProcess;
pub use operator::{County, Operator};
pub use over_http::{OverHttp, UnusableUrl};
pub use recorded_request::{RecordedRequest, says_all_of};
pub use recording_service::RecordingService;
pub use request::{Body, Request};
pub use run::{Verdict, run, run_all};
pub use served_worker::{ServedWorker, WorkerOptions};

use std::time::Duration;

/// A service that answers requests, wherever it runs.
pub trait Service: Sync {
    /// Sends one request and hands back whatever came, unchecked.
    ///
    /// # Errors
    /// When no whole HTTP answer came: what went wrong, in words.
    fn exchange(&self, request: &Request) -> Result<Answer, String>;

    /// Lets time pass for the service: a manual clock is moved, a real one is waited for.
    fn elapse(&self, duration: Duration);

    /// The time that passed for the service since some fixed moment.
    fn clock(&self) -> Duration;

    /// How this service is set up.
    fn facts(&self) -> &Facts;
}

/// Sends a request and holds the answer to the rules that every answer keeps: JSON, never cached,
/// a request id, the error's shape (rules H8, H9 and E1).
///
/// # Errors
/// When no answer came, or one that breaks a rule.
pub fn send(service: &dyn Service, request: &Request) -> Result<Answer, Failure> {
    let answer = service
        .exchange(request)
        .map_err(|problem| Failure::new(request.to_string(), "a whole HTTP answer", problem))?;
    answer.keeps_common_rules(request.method == "HEAD")?;
    Ok(answer)
}
