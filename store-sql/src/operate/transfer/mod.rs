//! An account as rows, to move or copy it between databases (S20).

mod export;
mod import;
pub mod tables;

pub(super) use export::export;
pub(super) use import::{begin, discard, rows};
