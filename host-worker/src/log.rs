//! The log: one JSON line for each request, with its cost on D1. It contains nothing of a client, a
//! prospect or a key (rules D5 and D6).

use matterbook_core::{api::Handled, time::Timestamp};
use serde::Serialize;
use uuid::Uuid;
use worker::console_log;

use crate::{database::D1Cost, platform};

/// The line of a request in progress.
pub(crate) struct Line {
    method: &'static str,
    began_at: Timestamp,
}

#[derive(Serialize)]
struct Fields<'a> {
    request_id: Uuid,
    method: &'a str,
    route: &'a str,
    status: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<Uuid>,
    duration_ms: i64,
    /// Batches sent to D1.
    round_trips: u32,
    statements: u32,
    rows_read: u64,
    rows_written: u64,
    /// The size of the database.
    #[serde(skip_serializing_if = "Option::is_none")]
    database_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'a str>,
}

impl Line {
    /// Starts the line when the request arrives.
    pub(crate) fn begin(method: &str) -> Self {
        Self { method: standard_name(method), began_at: platform::now() }
    }

    /// Writes the line.
    pub(crate) fn end(self, handled: &Handled, cost: &D1Cost) {
        let fields = Fields {
            request_id: handled.request_id,
            method: self.method,
            route: handled.route,
            status: handled.response.status().as_u16(),
            account: handled.account,
            duration_ms: (platform::now().micros() - self.began_at.micros()) / 1_000,
            round_trips: cost.round_trips.get(),
            statements: cost.statements.get(),
            rows_read: cost.rows_read.get(),
            rows_written: cost.rows_written.get(),
            database_bytes: Some(cost.database_bytes.get()).filter(|bytes| *bytes > 0),
            cause: handled.cause.as_deref(),
        };
        console_log!("{}", serde_json::to_string(&fields).unwrap_or_default());
    }
}

/// The name of a known method. Any other method is text of the caller's, which the log must not contain.
fn standard_name(method: &str) -> &'static str {
    const STANDARD: [&str; 8] = ["GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];
    STANDARD.into_iter().find(|standard| *standard == method).unwrap_or("other")
}
