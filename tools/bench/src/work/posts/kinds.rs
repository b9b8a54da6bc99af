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
            goals: Some([Goal::AtLeast(0.75), Goal::AtLeast(1.2)]),
        },
        Kind {
            name: "updates",
            bodies: Bodies::Of(Work::Changed),
            way: Way::Upsert,
            lean_way: Way::Change,
            goals: Some([Goal::AtLeast(1.1), Goal::AtLeast(1.8)]),
        },
        Kind {
            name: "unchanged",
            bodies: Bodies::Of(Work::Changed),
            way: Way::Upsert,
            lean_way: Way::LookUp,
            goals: Some([Goal::AtLeast(2.5), Goal::AtLeast(5.0)]),
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
