//! What the core costs by itself: made-up clients, a service without storage and sockets, and the hot
//! paths, whose instructions are counted and compared with those that are checked in.
//!
//! It has few dependencies, so that the gate can build it as the service is built in under a minute.
//!
//! Not here: anything that a test relies on a time for.

pub mod callgrind;
pub mod clients;
pub mod core_alone;
pub mod counts;
pub mod figures;
pub mod hot_paths;

/// What a measurement comes to, or a sentence that says why it could not be made.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;
