//! A request that was answered: its line of the log, with nothing in it of a client, a prospect or a key
//! (rules D5 and D6), and its counts.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use http::Method;
use matterbook_core::api::Handled;

use crate::metrics::RequestMetrics;

/// A method is a word of the caller's choice; only these are logged.
const METHODS: [&str; 8] = ["GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];

/// Failed authentications past their limit: a line each would fill the log, so each second has one for all of
/// them (rule D6).
#[derive(Default)]
pub(super) struct FailuresPastLimit(AtomicU64);

impl FailuresPastLimit {
    pub(super) fn count(&self, metrics: &RequestMetrics, method: &Method, handled: &Handled, duration: Duration) {
        metrics.count(Some(method), handled, duration);
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Logs what was counted since the last time.
    pub(super) fn log(&self) {
        let count = self.0.swap(0, Ordering::Relaxed);
        if count > 0 {
            tracing::warn!(count, "requests without a valid key or token were refused");
        }
    }

    /// Logs each second, for as long as it is polled.
    pub(super) async fn log_each_second(&self) {
        loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            self.log();
        }
    }
}

/// Counts a request and logs it; the private cause of a failure has a line of its own. There is no method
/// where the request was not read.
pub(super) fn log_request(metrics: &RequestMetrics, method: Option<&Method>, handled: &Handled, duration: Duration) {
    metrics.count(method, handled, duration);
    if let Some(cause) = &handled.cause {
        tracing::error!(request_id = %handled.request_id, route = handled.route, cause, "request failed");
    }
    let duration_ms = (duration.as_secs_f64() * 1e6).round() / 1e3;
    tracing::info!(
        request_id = %handled.request_id,
        method = method.map(|method| METHODS.into_iter().find(|name| method == name).unwrap_or("other")),
        route = handled.route,
        status = handled.response.status().as_u16(),
        account = handled.account.map(tracing::field::display),
        created = handled.counts.map(|counts| counts.created),
        updated = handled.counts.map(|counts| counts.updated),
        conflicts = handled.counts.map(|counts| counts.conflict),
        errors = handled.counts.map(|counts| counts.error),
        duration_ms,
        "request"
    );
}
