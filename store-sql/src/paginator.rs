//! Builds a page from scanned rows (S10): its rows, and where the next page begins.

use matterbook_core::{order, store::Position};

/// A row that a page scanned.
pub(crate) struct ScannedRow<R> {
    pub(crate) row: R,
    pub(crate) place: Position,
    /// `false` for a row that is here only because the scan ends with it.
    pub(crate) is_shown: bool,
    /// The scan ends here. Later rows were not read.
    pub(crate) ends_scan: bool,
}

/// A page that is being filled, row by row in its order.
pub(crate) struct Paginator {
    remaining: u32,
    passed: Option<Position>,
    is_over: bool,
}

impl Paginator {
    /// A page of so many rows at most.
    pub(crate) const fn to(limit: u32) -> Self {
        Self { remaining: limit, passed: None, is_over: false }
    }

    /// Whether the next row is on the page.
    pub(crate) fn takes(&mut self, place: Position, is_shown: bool, ends_scan: bool) -> bool {
        if self.is_over || (is_shown && self.remaining == 0) {
            self.is_over = true;
            return false;
        }
        self.passed = Some(place);
        self.is_over = ends_scan;
        self.remaining -= u32::from(is_shown);
        is_shown
    }

    /// Where to go on; `None` when nothing follows.
    pub(crate) fn next(self) -> Option<Position> {
        self.passed.filter(|_| self.is_over)
    }
}

/// Takes a page from the scanned rows, and returns where the next one begins.
pub(crate) fn paginate<R>(mut rows: Vec<ScannedRow<R>>, limit: u32) -> (Vec<R>, Option<Position>) {
    order::sort_by_key(&mut rows, |row| row.place);
    let mut paginator = Paginator::to(limit);
    let page = rows
        .into_iter()
        .filter(|scanned| paginator.takes(scanned.place, scanned.is_shown, scanned.ends_scan))
        .map(|scanned| scanned.row);
    (page.collect(), paginator.next())
}
