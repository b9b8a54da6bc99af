//! The schema, the queries, and one store over a one-verb [`driver::Driver`].
//!
//! Not here: a database driver, files, clocks. The hosts bring those.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic))]

pub mod driver;
pub mod query;
