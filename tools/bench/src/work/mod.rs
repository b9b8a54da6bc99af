//! The groups of rows, one in each file.

mod core;
mod disk;
mod footprint;
mod latency;
mod many_accounts;
mod me;
mod pages;
mod posts;
mod prospects;
mod requests;
mod round;
mod session;
mod size;
mod verify;

pub use pages::{FIRST_PAGE, last_page};
pub use round::{Measured, Side, alone, compared, over, turns};
pub use session::Session;

use crate::{Outcome, report::Row};

/// A group of rows that are measured together.
pub struct Group {
    /// Its name, for `--only`.
    pub name: &'static str,
    /// What it measures, in a few words.
    pub about: &'static str,
    /// Measures it.
    pub measure: fn(&Session) -> Outcome<Vec<Row>>,
}

/// All groups, in the order of the table.
pub const GROUPS: [Group; 11] = [
    Group { name: "posts", about: "posts of 500 clients", measure: posts::measure },
    Group {
        name: "one_account",
        about: "posts of 500 clients over 8 connections of one account",
        measure: posts::measure_one_account,
    },
    Group { name: "accounts", about: "200 accounts", measure: many_accounts::measure },
    Group { name: "size", about: "a million clients", measure: size::measure },
    Group { name: "disk", about: "a disk with 2 ms syncs", measure: disk::measure },
    Group { name: "me", about: "GET /me", measure: me::measure },
    Group { name: "pages", about: "pages of clients", measure: pages::measure },
    Group { name: "prospects", about: "pages of prospects", measure: prospects::measure },
    Group { name: "latency", about: "the slowest answers during a flood", measure: latency::measure },
    Group { name: "footprint", about: "memory, size, start", measure: footprint::measure },
    Group { name: "core", about: "the core alone", measure: core::measure },
];
