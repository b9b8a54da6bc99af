//! How a listing is cut into pages: after a place, up to a limit, at a bounded cost (S10).

use std::ops::Bound;

use uuid::Uuid;

use crate::{store::Position, time::Timestamp};

/// The most rows that one page of clients or prospects looks at, shown or not.
pub(super) const LOOK_LIMIT: usize = 1_000;

/// Where a listing begins: after a place, and not before a time.
pub(super) fn start(after: Option<Position>, since: Option<Timestamp>) -> Bound<Position> {
    let since = since.map(|at| Position { at, id: Uuid::nil() });
    match (after, since) {
        (Some(after), Some(since)) if after < since => Bound::Included(since),
        (Some(after), _) => Bound::Excluded(after),
        (None, Some(since)) => Bound::Included(since),
        (None, None) => Bound::Unbounded,
    }
}

/// The rows that `show` finds at the places, in their order, and where to go on.
///
/// A page ends when one more row than `limit` is found, and then goes on from the last place
/// passed; when `LOOK_LIMIT` places were looked at; or when no place is left, and only then nothing
/// follows.
pub(super) fn page<Row>(
    places: impl Iterator<Item = Position>,
    limit: u32,
    show: impl Fn(Position) -> Option<Row>,
) -> (Vec<Row>, Option<Position>) {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut rows = Vec::new();
    let mut passed = None;
    for (looked_at, place) in places.enumerate() {
        if looked_at == LOOK_LIMIT {
            return (rows, passed);
        }
        if let Some(row) = show(place) {
            if rows.len() == limit {
                return (rows, passed);
            }
            rows.push(row);
        }
        passed = Some(place);
    }
    (rows, None)
}
