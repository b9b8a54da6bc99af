//! How what was looked at becomes a page (S10): so many rows, and where to go on.

use matterbook_core::store::Position;

/// A row that a page looked at.
pub(crate) struct Looked<R> {
    pub(crate) row: R,
    pub(crate) place: Position,
    /// `false` for a row that is here only because the look ends with it.
    pub(crate) is_shown: bool,
    /// The look ends here: what follows was not looked at.
    pub(crate) ends_look: bool,
}

/// A page that is being filled, row by row in its order.
pub(crate) struct Cut {
    room: u32,
    passed: Option<Position>,
    is_over: bool,
}

impl Cut {
    /// A page of so many rows at most.
    pub(crate) const fn to(limit: u32) -> Self {
        Self { room: limit, passed: None, is_over: false }
    }

    /// Whether the next row is on the page.
    pub(crate) fn takes(&mut self, place: Position, is_shown: bool, ends_look: bool) -> bool {
        if self.is_over || (is_shown && self.room == 0) {
            self.is_over = true;
            return false;
        }
        self.passed = Some(place);
        self.is_over = ends_look;
        self.room -= u32::from(is_shown);
        is_shown
    }

    /// Where to go on; `None` when nothing follows.
    pub(crate) fn next(self) -> Option<Position> {
        self.passed.filter(|_| self.is_over)
    }
}

/// Cuts what was looked at to a page, and says where to go on.
pub(crate) fn cut<R>(mut rows: Vec<Looked<R>>, limit: u32) -> (Vec<R>, Option<Position>) {
    rows.sort_by_key(|row| row.place);
    let mut cut = Cut::to(limit);
    let page = rows
        .into_iter()
        .filter(|looked| cut.takes(looked.place, looked.is_shown, looked.ends_look))
        .map(|looked| looked.row);
    (page.collect(), cut.next())
}
