//! Turns the rows of a file into requests, and defines the state of a push (rules F16 to F20, F25).
//!
//! A batch has the same bytes and the same `Idempotency-Key` on each attempt, so it can be sent again after
//! its response was lost. The state counts the finished rows; the caller syncs it to disk after each answered
//! batch.

mod batch;
mod counts;
mod error_rows;
mod plan_file;
mod state;
mod survey;
mod verdict;

pub use batch::{Batch, Limits, Queue, hex};
pub use counts::Counts;
pub use error_rows::{REPORT_NAMES, Refused, error_rows};
pub use plan_file::{PlanFile, PlannedBatch};
pub use state::{State, Subject};
pub use survey::{Arrangement, Settlements, Survey};
pub use verdict::{Verdict, VerdictStatus, plan, refused, verdicts};

use crate::records::Records;

/// The maximum number of clients in one request.
pub const BATCH_ROWS: usize = 500;
/// The largest request, except for a single larger row: below the usual limit of reverse proxies.
pub const BATCH_BYTES: usize = 900_000;

/// The use of each column as text, for the state: the same text means the same clients.
#[must_use]
pub fn mapping_text(rows: &Records) -> String {
    let columns = rows.mapping().sources().iter().map(|(target, places)| {
        let headers: Vec<&str> =
            places.iter().filter_map(|place| Some(rows.mapping().columns().get(*place)?.header.as_str())).collect();
        let join = if rows.mapping().is_joined(*target) { " + " } else { ", " };
        format!("{} from {}", target.name(), headers.join(join))
    });
    let sheet = rows.sheet().map(|sheet| format!("sheet {}", sheet.name));
    rows.condition_text() + &sheet.into_iter().chain(columns).collect::<Vec<_>>().join("; ")
}
