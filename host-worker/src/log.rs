//! The log: one JSON line a request, with nothing in it of a client, a prospect or a key (design
//! section 10), and with what the request cost.

use matterbook_core::{api::Handled, time::Timestamp};
use serde::Serialize;
use uuid::Uuid;
use worker::console_log;

use crate::{database::Usage, platform};

/// A line that is begun with its request.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'a str>,
}

impl Line {
    /// Begins the line of a request with this method.
    pub(crate) fn begin(method: &str) -> Self {
        Self { method: standard_name(method), began_at: platform::now() }
    }

    /// Writes it.
    pub(crate) fn end(self, handled: &Handled, usage: &Usage) {
        let fields = Fields {
            request_id: handled.request_id,
            method: self.method,
            route: handled.route,
            status: handled.response.status().as_u16(),
            account: handled.account,
            duration_ms: (platform::now().micros() - self.began_at.micros()) / 1_000,
            round_trips: usage.round_trips.get(),
            statements: usage.statements.get(),
            rows_read: usage.rows_read.get(),
            rows_written: usage.rows_written.get(),
            cause: handled.cause.as_deref(),
        };
        console_log!("{}", serde_json::to_string(&fields).unwrap_or_default());
    }
}

/// A method is a word of the caller's choice; only the known ones are written down.
fn standard_name(method: &str) -> &'static str {
    const STANDARD: [&str; 8] = ["GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];
    STANDARD.into_iter().find(|standard| *standard == method).unwrap_or("other")
}
