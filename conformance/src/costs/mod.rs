//! What requests cost the Worker, as its log says: round trips to D1, statements, and the rows
//! that D1 bills; each with its budget (design sections 2 and 8).
//!
//! The same scenario gives the table of the documentation and the test that holds it. It needs the
//! build whose clock is set by headers, for what a request costs depends on how long ago the key
//! was seen and on the states that `GET /clients` keeps for a minute.

mod callers;
mod operator;
mod stage;
mod table;

use crate::wire::{Failure, ServedWorker};
use stage::Stage;
pub use table::markdown;

/// The settings of a Worker that is measured: the defaults, with an operator and a rate limit that
/// leaves room for the scenario.
pub const SETTINGS: [(&str, &str); 2] =
    [("MATTERBOOK_OPERATOR_TOKEN", OPERATOR_TOKEN), ("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "10000")];

const OPERATOR_TOKEN: &str = "operator-token-of-the-scenario";

/// What one request costs.
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
    /// Whether nothing of it is over the budget.
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
    /// What is requested, such as `POST /clients, 500 new`.
    pub request: &'static str,
    /// Its cost; with an API key, for one that was seen live within the last minute.
    pub cost: Cost,
    /// Round trips with an API key that was not.
    pub round_trips_unseen: Option<u64>,
    /// The most that it may cost.
    pub budget: Cost,
}

/// Measures every kind of request on a fresh Worker with test hooks and [`SETTINGS`], for an
/// account of so many clients beside another of as many, and as many prospects in each of two
/// counties. Needs at least 1,500.
///
/// # Errors
/// When a request is not answered as it should be.
pub fn measure(worker: &ServedWorker, clients: usize) -> Result<Vec<Row>, Failure> {
    let stage = Stage::set(worker, clients)?;
    let firm = stage.firm()?;
    let mut rows = callers::measure(&stage, &firm)?;
    rows.extend(operator::measure(&stage, &firm)?);
    Ok(rows)
}
