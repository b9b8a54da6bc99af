//! Pages of a listing: after a position, up to a limit, at a bounded cost (S10).

use std::ops::Bound;

use uuid::Uuid;

use crate::{store::Position, time::Timestamp};

/// The most rows that one page of clients or prospects reads, shown or not.
pub(super) const SCAN_LIMIT: usize = 1_000;

/// The start of a listing: after a position, and not before a time.
pub(super) fn start(after: Option<Position>, since: Option<Timestamp>) -> Bound<Position> {
    let since = since.map(|at| Position { at, id: Uuid::nil() });
    match (after, since) {
        (Some(after), Some(since)) if after < since => Bound::Included(since),
        (Some(after), _) => Bound::Excluded(after),
        (None, Some(since)) => Bound::Included(since),
        (None, None) => Bound::Unbounded,
    }
}

/// The rows that `show` finds at the positions, in their order, and where to continue.
///
/// A page ends when one row more than `limit` is found, and the next page continues after its last row: a prospect
/// that it did not show may be corrected meanwhile (P15). It also ends after `SCAN_LIMIT` positions, and the next page
/// continues after the last of them. Where no position is left, nothing follows.
pub(super) fn page<Row>(
    places: impl Iterator<Item = Position>,
    limit: u32,
    show: impl Fn(Position) -> Option<Row>,
) -> (Vec<Row>, Option<Position>) {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut rows = Vec::new();
    let (mut last_shown, mut last_read) = (None, None);
    for (scanned, place) in places.enumerate() {
        if scanned == SCAN_LIMIT {
            return (rows, last_read);
        }
        last_read = Some(place);
        if let Some(row) = show(place) {
            if rows.len() == limit {
                return (rows, last_shown);
            }
            rows.push(row);
            last_shown = last_read;
        }
    }
    (rows, None)
}
