//! How the rows of a file become requests, and what is kept of a push.
//!
//! A batch has the same bytes and the same `Idempotency-Key` whenever it is sent, so a batch whose answer was
//! lost can be sent again. The state says which rows are done; its keeper puts it on the disk after each
//! answered batch.

mod batch;
mod counts;
mod error_rows;
mod state;
mod verdict;

pub use batch::{Batch, Limits, Queue, hex};
pub use counts::Counts;
pub use error_rows::{Refused, error_rows};
pub use state::{State, Subject};
pub use verdict::{Verdict, VerdictStatus, refused, verdicts};

use crate::records::Records;

/// The most clients of one request.
pub const BATCH_ROWS: usize = 500;
/// The largest request, but for one row that is larger by itself: below what reverse proxies usually take.
pub const BATCH_BYTES: usize = 900_000;

/// Every column with what it is used as, for the state: the same text means the same clients.
#[must_use]
pub fn mapping_text(rows: &Records) -> String {
    let columns = rows.mapping().sources().iter().map(|(target, places)| {
        let headers: Vec<&str> =
            places.iter().filter_map(|place| Some(rows.mapping().columns().get(*place)?.header.as_str())).collect();
        format!("{} from {}", target.name(), headers.join(", "))
    });
    let sheet = rows.sheet().map(|sheet| format!("sheet {}", sheet.name));
    sheet.into_iter().chain(columns).collect::<Vec<_>>().join("; ")
}
