//! Benchmarks of the service: against its floors, as it grows, and the core alone.
//!
//! `compare` starts the service as an operator does and measures it in turns with the floors (a bare loop
//! over the same tables, a bare warp, bare sockets) and, if named, with another build of the service.
//! `growth` measures each operation by size. `core` measures the rules without storage and sockets; they
//! are in the package `matterbook_bench_core`, which also counts their instructions. `docs/performance.md`
//! describes the rows.
//!
//! No test of the project asserts a time.

pub mod fill;
pub mod floor;
pub mod growth;
pub mod load;
pub mod place;
pub mod prospects;
pub mod report;
pub mod service;
pub mod work;

pub use matterbook_bench_core::{clients, core_alone, figures};

/// The result of a measurement, or the reason why it failed.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;
