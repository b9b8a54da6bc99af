//! The Worker under measurement: its clock and its data.

use std::{
    sync::atomic::{AtomicI64, AtomicU64, Ordering},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use super::{Cost, OPERATOR_TOKEN};
use crate::wire::{Answer, Facts, Failure, Firm, OverHttp, Request, ServedWorker, Service, send};

/// The first moment of 2026, in microseconds.
const START_MICROS: i64 = 1_767_225_600_000_000;

/// The county that is granted to the firm. The other has as many prospects and is not granted.
pub(super) const OPEN_COUNTY: &str = "06037";
const CLOSED_COUNTY: &str = "06073";

/// The most clients or prospects in a request.
pub(super) const BATCH: usize = 500;

/// A served Worker with a manual clock.
pub(super) struct Stage<'w> {
    worker: &'w ServedWorker,
    http: OverHttp,
    now_micros: AtomicI64,
    draws: AtomicU64,
    clients: usize,
}

impl<'w> Stage<'w> {
    pub(super) fn set(worker: &'w ServedWorker, clients: usize) -> Result<Self, Failure> {
        let http = OverHttp::connect(&worker.url, OPERATOR_TOKEN)
            .map_err(|problem| Failure::new("a connection", "a service", problem.to_string()))?;
        let now_micros = AtomicI64::new(START_MICROS);
        Ok(Self { worker, http, now_micros, draws: AtomicU64::new(0), clients })
    }

    /// Creates the firm with its clients, another firm with as many, and the prospects.
    pub(super) fn firm(&self) -> Result<Firm<'_>, Failure> {
        let stranger = Firm::open(self)?;
        let firm = Firm::with(self, &json!({"api_enabled": true, "digital_bundle": true}))?;
        firm.grant(OPEN_COUNTY, "2025-01-01")?;
        for from in (0..self.clients).step_by(BATCH) {
            for firm in [&stranger, &firm] {
                firm.post_clients(&people("base", from, BATCH))?;
            }
            for county in [OPEN_COUNTY, CLOSED_COUNTY] {
                firm.operator().import(&prospects(county, county, from))?;
            }
            self.elapse(Duration::from_secs(1));
        }
        self.elapse(Duration::from_secs(self.facts().prospect_delay_seconds + 1));
        Ok(firm)
    }

    /// Sends a request that has to succeed. Returns the response and its cost.
    pub(super) fn cost_of(&self, request: &Request) -> Result<(Answer, Cost), Failure> {
        let answer = send(self, request)?.ok()?;
        let request_id = answer.header("x-request-id").unwrap_or_default().to_owned();
        // The log line is written after the response.
        let line = (0..500).find_map(|_| {
            let line = self.worker.line_of(&request_id);
            if line.is_none() {
                thread::sleep(Duration::from_millis(10));
            }
            line
        });
        let number = |name: &str| line.as_ref().and_then(|line| line.get(name)?.as_u64());
        let cost = || {
            Some(Cost {
                round_trips: number("round_trips")?,
                statements: number("statements")?,
                rows_read: number("rows_read")?,
                rows_written: number("rows_written")?,
            })
        };
        let cost = cost().ok_or_else(|| answer.failure("a log line with the cost"))?;
        Ok((answer, cost))
    }
}

impl Service for Stage<'_> {
    fn exchange(&self, request: &Request) -> Result<Answer, String> {
        // A request draws random bytes at most a few times. No two requests may draw the same ones.
        let draws = self.draws.fetch_add(8, Ordering::Relaxed);
        let now = self.now_micros.load(Ordering::Relaxed);
        let request = request.clone().header("matterbook-test-now", now.to_string());
        self.http.exchange(&request.header("matterbook-test-draws", draws.to_string()))
    }

    fn elapse(&self, duration: Duration) {
        let micros = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        self.now_micros.fetch_add(micros, Ordering::Relaxed);
    }

    fn clock(&self) -> Duration {
        Duration::from_micros(u64::try_from(self.now_micros.load(Ordering::Relaxed)).unwrap_or_default())
    }

    fn facts(&self) -> &Facts {
        self.http.facts()
    }
}

/// Generated clients, numbered from `from`, each with every field that letters need.
pub(super) fn people(group: &str, from: usize, count: usize) -> Vec<Value> {
    let person = |number| {
        json!({
            "external_id": format!("{group}-{number}"), "first_name": "Ada", "last_name": format!("Ray {group} {number}"),
            "address_line1": format!("{number} Elm St"), "city": "Springfield", "state": "IL", "zip": "62704",
            "email": format!("{group}-{number}@example.com"), "phone": "217-555-0123", "case_type": "auto",
        })
    };
    (from..from + count).map(person).collect()
}

/// A batch of generated prospects of a county.
pub(super) fn prospects(group: &str, county: &str, from: usize) -> Vec<Value> {
    let prospect = |number| {
        json!({
            "source_id": format!("{group}-{number}"), "first_name": "Ada", "last_name": format!("Ray {number}"),
            "address_line1": format!("{number} Elm St"), "city": "Springfield", "state": "IL", "zip": "62704",
            "crash_date": "2025-07-01", "crash_county_fips": county, "person_type": "driver",
        })
    };
    (from..from + BATCH).map(prospect).collect()
}
