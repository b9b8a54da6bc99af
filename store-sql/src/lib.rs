//! The schema, the queries, and one store over a one-verb [`driver::Driver`].
//!
//! A host brings a driver, applies [`migrations`], and gets [`SqlStore`], which holds every rule of
//! [`matterbook_core::store`]. Each query is one file under `sql/`, in two forms ([`query`]): rows
//! bound to a prepared statement, one by one or several new clients at once, as is quick natively
//! ([`Statement::runs`](driver::Statement::runs)), or one JSON parameter for a whole set, as is quick in D1.
//!
//! A host that caches prepared statements enables SQLite's query planner stability guarantee
//! (`SQLITE_DBCONFIG_ENABLE_QPSG`). Otherwise SQLite recompiles a statement whenever a value that
//! the planner used, such as a limit, is bound again. Recompiling costs more than running it.
//!
//! Not here: a database driver, files, clocks. The hosts bring those.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic))]

mod account_version;
mod bind;
mod change;
mod change_state;
mod client_page;
pub mod columns;
mod commit;
pub mod driver;
pub mod examine;
mod fingerprint_cache;
mod guard;
mod history;
mod key_owner;
mod lookup_hints;
pub mod migrations;
mod operate;
mod paginator;
mod prospect_page;
mod prospect_row;
pub mod queries;
pub mod query;
mod read;
mod review;
mod sql_text;
mod statement;
mod store;
mod unpack;
mod value;

pub use change::{Preparation, Prepared, Written};
pub use fingerprint_cache::{CacheUpdate, FingerprintCache};
pub use lookup_hints::LookupHints;
pub use operate::transfer::tables as account_tables;
pub use store::SqlStore;

/// Runs the examples of the crate's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
