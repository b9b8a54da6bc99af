//! An account as rows, to move or copy it between databases (S25).

mod export;
mod import;
pub mod tables;

pub(super) use export::export;
pub(super) use import::{begin, discard, rows};
