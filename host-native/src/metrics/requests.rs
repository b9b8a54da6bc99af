//! Requests by endpoint and status, their latency, and the outcomes of the clients in them.

use std::{
    array,
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use http::Method;
use matterbook_core::api::{Handled, UpsertStatus, endpoints};
use parking_lot::Mutex;

use super::{histogram::Histogram, text::Text};

/// The labels of what is at no endpoint: an unknown path, a method that a path does not have, or a request
/// that was refused before it was read.
const OTHER: (&str, &str) = ("other", "other");

/// What the requests of one server come to.
pub struct RequestMetrics {
    /// Every endpoint, and [`OTHER`] at the end.
    endpoints: Vec<Endpoint>,
    outcomes: [AtomicU64; UpsertStatus::ALL.len()],
    refused_connections: AtomicU64,
}

/// What the requests of one endpoint come to.
struct Endpoint {
    method: &'static str,
    route: &'static str,
    /// How many answers had each status.
    statuses: Mutex<BTreeMap<u16, u64>>,
    durations: Histogram,
}

impl Default for RequestMetrics {
    fn default() -> Self {
        let labels = endpoints().map(|(method, template)| (method.as_str(), template)).chain([OTHER]);
        let endpoint = |(method, route)| Endpoint {
            method,
            route,
            statuses: Mutex::default(),
            durations: Histogram::of_durations(),
        };
        Self {
            endpoints: labels.map(endpoint).collect(),
            outcomes: array::from_fn(|_| AtomicU64::new(0)),
            refused_connections: AtomicU64::new(0),
        }
    }
}

impl RequestMetrics {
    /// Counts a request that was answered. There is no method where it was not read.
    pub(crate) fn count(&self, method: Option<&Method>, handled: &Handled, duration: Duration) {
        // A HEAD is answered where a GET is.
        let method = method.map(|method| if method == Method::HEAD { "GET" } else { method.as_str() });
        let is_at = |endpoint: &&Endpoint| Some(endpoint.method) == method && endpoint.route == handled.route;
        let Some(endpoint) = self.endpoints.iter().find(is_at).or(self.endpoints.last()) else { return };
        *endpoint.statuses.lock().entry(handled.response.status().as_u16()).or_default() += 1;
        endpoint.durations.add_duration(duration);
        if let Some(counts) = &handled.counts {
            for (count, status) in self.outcomes.iter().zip(UpsertStatus::ALL) {
                count.fetch_add(u64::from(counts.of(status)), Ordering::Relaxed);
            }
        }
    }

    /// Counts a connection that was refused because too many were open.
    pub(crate) fn count_refused_connection(&self) {
        self.refused_connections.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn write(&self, text: &mut Text) {
        text.family("matterbook_http_requests_total", "counter", "Requests that were answered.");
        for Endpoint { method, route, statuses, .. } in &self.endpoints {
            for (status, count) in &*statuses.lock() {
                text.sample(&[("method", method), ("route", route), ("status", &status.to_string())], count);
            }
        }
        let help = "From a request's head to its answer, the time in which its body came included.";
        text.family("matterbook_http_request_duration_seconds", "histogram", help);
        for Endpoint { method, route, durations, .. } in self.endpoints.iter().filter(|one| !one.durations.is_empty()) {
            text.histogram(&[("method", method), ("route", route)], durations);
        }
        let help = "Clients of batches and settled cases, by what became of them; not where a saved answer was given.";
        text.family("matterbook_clients_total", "counter", help);
        for (count, status) in self.outcomes.iter().zip(UpsertStatus::ALL) {
            text.sample(&[("outcome", status.name())], count.load(Ordering::Relaxed));
        }
        let help = "Connections that were refused because all places were taken.";
        text.counter("matterbook_connections_refused_total", help, &self.refused_connections);
    }
}
