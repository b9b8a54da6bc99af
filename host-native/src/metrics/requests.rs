//! Requests by endpoint and status, how long they took, and what became of the clients they brought.

use std::time::Duration;

use http::Method;
use matterbook_core::api::{Handled, OutcomeCounts, UpsertStatus, endpoints};

use super::{
    counts::Counts,
    histogram::{DURATIONS, Histograms},
    text::Text,
};

/// Every status that an answer has; any other is counted with the last, which is none.
const STATUSES: [u16; 15] = [200, 400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 431, 500, 0];

/// The label of what is at no endpoint: an unknown path, a method that a path does not have, or a request
/// that was refused before it was read.
const NOWHERE: (&str, &str) = ("other", "other");

/// What the requests of one server come to.
pub struct RequestMetrics {
    /// Method and template of every endpoint, as labels, and [`NOWHERE`] at the end.
    labels: Vec<(&'static str, &'static str)>,
    statuses: Counts,
    durations: Histograms,
    outcomes: Counts,
    refused_connections: Counts,
}

impl Default for RequestMetrics {
    fn default() -> Self {
        let labels: Vec<_> =
            endpoints().map(|(method, template)| (method.as_str(), template)).chain([NOWHERE]).collect();
        Self {
            statuses: Counts::new(labels.len() * STATUSES.len()),
            durations: Histograms::new(labels.len(), DURATIONS),
            outcomes: Counts::new(UpsertStatus::ALL.len()),
            refused_connections: Counts::new(1),
            labels,
        }
    }
}

impl RequestMetrics {
    /// Counts a request that was answered. There is no method where it was not read.
    pub(crate) fn count(&self, method: Option<&Method>, handled: &Handled, duration: Duration) {
        let endpoint = self.endpoint(method, handled.route);
        let status = handled.response.status().as_u16();
        let place = STATUSES.iter().position(|known| *known == status).unwrap_or(STATUSES.len() - 1);
        self.statuses.add(endpoint * STATUSES.len() + place, 1);
        self.durations.add_duration(endpoint, duration);
        if let Some(outcomes) = &handled.outcomes {
            self.count_outcomes(outcomes);
        }
    }

    /// Counts a connection that was refused because all places were taken.
    pub(crate) fn count_refused_connection(&self) {
        self.refused_connections.add(0, 1);
    }

    fn count_outcomes(&self, outcomes: &OutcomeCounts) {
        for (index, status) in UpsertStatus::ALL.into_iter().enumerate() {
            let count = outcomes.of(status);
            if count > 0 {
                self.outcomes.add(index, u64::from(count));
            }
        }
    }

    /// The number of an endpoint. A HEAD is answered where a GET is.
    fn endpoint(&self, method: Option<&Method>, route: &str) -> usize {
        let wanted = match method {
            Some(&Method::HEAD) => Method::GET.as_str(),
            Some(method) => method.as_str(),
            None => "",
        };
        let found = self.labels.iter().position(|(method, template)| *method == wanted && *template == route);
        found.unwrap_or(self.labels.len() - 1)
    }

    pub(super) fn write(&self, text: &mut Text) {
        text.family("matterbook_http_requests_total", "counter", "Requests that were answered.");
        for (endpoint, (method, route)) in self.labels.iter().enumerate() {
            for (place, status) in STATUSES.iter().enumerate() {
                let count = self.statuses.get(endpoint * STATUSES.len() + place);
                if count > 0 {
                    let status = if *status == 0 { "other".to_owned() } else { status.to_string() };
                    text.sample(&[("method", method), ("route", route), ("status", &status)], count);
                }
            }
        }
        let help = "From a request's head to its answer, the time in which its body came included.";
        text.family("matterbook_http_request_duration_seconds", "histogram", help);
        for (endpoint, (method, route)) in self.labels.iter().enumerate() {
            let durations = self.durations.get(endpoint);
            if durations.count > 0 {
                text.durations(&[("method", method), ("route", route)], &durations);
            }
        }
        let help = "Clients of batches and settled cases, by what became of them; not where a saved answer was given.";
        text.family("matterbook_clients_total", "counter", help);
        for (index, status) in UpsertStatus::ALL.into_iter().enumerate() {
            text.sample(&[("outcome", status.name())], self.outcomes.get(index));
        }
        let help = "Connections that were refused because all places were taken.";
        text.family("matterbook_connections_refused_total", "counter", help);
        text.sample(&[], self.refused_connections.get(0));
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
