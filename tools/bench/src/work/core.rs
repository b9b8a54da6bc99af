//! The core alone: batches of 500 on one core.

use super::Session;
use crate::{
    Outcome,
    core_alone::{WORKS, batches_per_second},
    report::{Row, Unit},
};

/// It is measured more often than the rest, because it takes little time.
const ROUNDS_MORE: usize = 3;

pub(super) fn measure(session: &Session) -> Outcome<Vec<Row>> {
    session.say("the core alone");
    let row = |(name, known, posted)| {
        let figure = batches_per_second(session.rounds * ROUNDS_MORE, known, posted);
        Row::alone("core", format!("the core alone, 500 {name}"), Unit::BatchesPerSecond, figure)
    };
    Ok(WORKS.into_iter().map(row).collect())
}
