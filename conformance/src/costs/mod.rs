//! What requests cost the Worker, as its log says: round trips to D1, statements, and the rows
//! that D1 bills; each with its budget.
//!
//! One scenario gives the table of the documentation and the test of the budgets. It needs the build whose
//! clock is set by headers: the cost depends on how long ago the key was used (rule A8), and on the earlier
//! states that `GET /clients` keeps for a minute.

mod callers;
mod operator;
mod stage;
mod table;

use crate::wire::{Failure, ServedWorker};
use stage::Stage;
pub use table::markdown;

/// The settings of the measured Worker: the defaults, with an operator token and a rate limit that the
/// scenario does not reach.
pub const SETTINGS: [(&str, &str); 2] =
    [("MATTERBOOK_OPERATOR_TOKEN", OPERATOR_TOKEN), ("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "10000")];

const OPERATOR_TOKEN: &str = "the-operator-token-of-all-the-scenario";

/// The cost of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Batches sent to D1.
    pub round_trips: u64,
    /// Statements in them.
    pub statements: u64,
    /// Rows read, as D1 bills them.
    pub rows_read: u64,
    /// Rows written, index entries included, as D1 bills them.
    pub rows_written: u64,
}

impl Cost {
    /// Whether every part is within the budget.
    #[must_use]
    pub fn is_within(&self, budget: &Self) -> bool {
        self.round_trips <= budget.round_trips
            && self.statements <= budget.statements
            && self.rows_read <= budget.rows_read
            && self.rows_written <= budget.rows_written
    }
}

/// One kind of request.
#[derive(Clone, Debug)]
pub struct Row {
    /// The request, such as `POST /clients, 500 new`.
    pub request: &'static str,
    /// Its cost. A request with an API key uses one that was used within the last minute.
    pub cost: Cost,
    /// Round trips with an API key that was not used within the last minute.
    pub round_trips_unseen: Option<u64>,
    /// Its highest allowed cost.
    pub budget: Cost,
}

/// Measures every kind of request on a new Worker with test hooks and [`SETTINGS`]. Two accounts have
/// `clients` clients each, and two counties as many prospects each. `clients` is at least 1,500.
///
/// # Errors
/// When a response is not the expected one.
pub fn measure(worker: &ServedWorker, clients: usize) -> Result<Vec<Row>, Failure> {
    let stage = Stage::set(worker, clients)?;
    let firm = stage.firm()?;
    let mut rows = callers::measure(&stage, &firm)?;
    rows.extend(operator::measure(&stage, &firm)?);
    Ok(rows)
}
