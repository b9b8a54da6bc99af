//! Requests by endpoint and status, how long they took, and what became of the clients they brought.

use std::{
    array,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use http::Method;
use matterbook_core::api::{Handled, UpsertStatus, endpoints};

use super::{histogram::Histogram, text::Text};

/// Every status that an answer has; any other is counted with the last, which is none.
const STATUSES: [u16; 14] = [200, 400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 500, 0];

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
    statuses: [AtomicU64; STATUSES.len()],
    durations: Histogram,
}

impl Default for RequestMetrics {
    fn default() -> Self {
        let labels = endpoints().map(|(method, template)| (method.as_str(), template)).chain([OTHER]);
        let endpoint = |(method, route)| Endpoint {
            method,
            route,
            statuses: array::from_fn(|_| AtomicU64::new(0)),
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
        let status = handled.response.status().as_u16();
        let known = STATUSES.iter().position(|known| *known == status);
        if let Some(count) = known.and_then(|index| endpoint.statuses.get(index)).or(endpoint.statuses.last()) {
            count.fetch_add(1, Ordering::Relaxed);
        }
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
            for (status, count) in STATUSES.iter().zip(statuses) {
                let count = count.load(Ordering::Relaxed);
                if count > 0 {
                    let status = if *status == 0 { "other".to_owned() } else { status.to_string() };
                    text.sample(&[("method", method), ("route", route), ("status", &status)], count);
                }
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

#[cfg(test)]
mod tests {
    use matterbook_core::api::{ErrorCode, HostRefusal};

    use super::*;
    use crate::platform::SystemPlatform;

    #[test]
    fn every_status_of_the_table_of_errors_has_its_count() {
        for (_, name, status) in ErrorCode::TABLE {
            assert!(STATUSES.contains(&status.as_u16()), "{name}");
        }
    }

    #[test]
    fn what_is_at_no_endpoint_has_one_label() {
        let metrics = RequestMetrics::default();
        let mut handled = HostRefusal::MalformedHead.answer(&SystemPlatform::default());
        metrics.count(None, &handled, Duration::ZERO);
        for (method, route) in
            [("GET", "/api/v1/…"), ("BREW", "/api/v1/me"), ("DELETE", "/api/v1/clients"), ("GET", "")]
        {
            handled.route = route;
            metrics.count(Some(&method.parse().unwrap()), &handled, Duration::ZERO);
        }
        handled.route = "/api/v1/me";
        metrics.count(Some(&Method::HEAD), &handled, Duration::ZERO);
        let mut text = Text::default();
        metrics.write(&mut text);
        let page = text.into_string();
        let lines: Vec<_> = page.lines().filter(|line| line.starts_with("matterbook_http_requests_total{")).collect();
        assert_eq!(
            lines,
            [
                r#"matterbook_http_requests_total{method="GET",route="/api/v1/me",status="400"} 1"#,
                r#"matterbook_http_requests_total{method="other",route="other",status="400"} 5"#,
            ]
        );
    }
}
