//! What is posted, and how the bare loops do the same.

use crate::{
    clients::{BATCH_ROWS, Bodies, Work},
    floor::Way,
    report::Goal,
};

/// One kind of post. All kinds follow one another on the same databases.
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) bodies: Bodies,
    pub(super) way: Way,
    pub(super) lean_way: Way,
    /// Over one connection, and over eight of eight accounts.
    pub(super) goals: Option<[Goal; 2]>,
}

/// The kinds, in the order in which they are posted. The clients of `count` batches are known to the last.
pub(super) const fn kinds(count: usize) -> [Kind; 4] {
    [
        Kind {
            name: "new",
            bodies: Bodies::Of(Work::First),
            way: Way::Insert,
            lean_way: Way::Insert,
            goals: Some([Goal::new(1.1, 1.4), Goal::new(1.4, 1.8)]),
        },
        Kind {
            name: "updates",
            bodies: Bodies::Of(Work::Changed),
            way: Way::Upsert,
            lean_way: Way::Change,
            goals: Some([Goal::new(1.6, 2.4), Goal::new(2.2, 3.3)]),
        },
        Kind {
            name: "unchanged",
            bodies: Bodies::Of(Work::Changed),
            way: Way::Upsert,
            lean_way: Way::LookUp,
            goals: Some([Goal::new(4.5, 5.2), Goal::new(7.0, 8.3)]),
        },
        Kind {
            name: "30 % known",
            bodies: Bodies::Sync { known: count * BATCH_ROWS },
            way: Way::Upsert,
            lean_way: Way::Upsert,
            goals: None,
        },
    ]
}
