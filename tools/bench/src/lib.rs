//! Benchmarks of the service: against its floors, as it grows, and the core alone.
//!
//! `compare` starts the service as an operator would and measures it in turns with what no service
//! can be below: a bare loop over the same tables, a bare warp, bare sockets. `growth` measures each
//! operation against sizes. `core` measures the rules without storage and sockets, which are a package
//! of their own, `matterbook_bench_core`, for counting their instructions. What each row means is in
//! `docs/performance.md`.
//!
//! Not here: anything that a test relies on. No test of the project asserts a time.

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

/// What a measurement comes to, or a sentence that says why it could not be made.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;
