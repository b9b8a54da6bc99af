//! The suite that defines Matterbook.

pub mod mutants;
pub mod store_suite;
