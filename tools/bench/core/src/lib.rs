//! The costs of the core alone: made-up clients, a service without storage and sockets, and the hot paths,
//! whose instructions are counted and compared with the checked-in counts.
//!
//! It has few dependencies, so that continuous integration builds it in under a minute.
//!
//! No test relies on a time.

pub mod callgrind;
pub mod clients;
pub mod core_alone;
pub mod counts;
pub mod figures;
pub mod hot_paths;

/// The result of a measurement, or the reason why it failed.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;
