//! What the benchmarks share: made-up clients as firms send them, the core alone, and figures.

pub mod clients;
pub mod core_alone;
pub mod figures;
