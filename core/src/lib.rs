//! The rules of Matterbook: parsing, normalizing, matching, planning, paging and answering,
//! with no input or output of their own.
//!
//! A host turns bytes into an HTTP request head and a body, calls [`api::Api::handle`], and sends
//! the answer back. Everything in between is here, so every host is the same
//! service. Programs that want only the rules can call [`normalize`], [`client::parse_client`] and
//! [`plan::Batch`] directly.
//!
//! Not here: clocks, randomness, the environment, SQL, sockets and async runtimes. Time and
//! random bytes come in through [`platform::Platform`], storage through [`store::Store`].
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic))]

pub mod account;
pub mod api;
pub mod client;
pub mod cursor;
pub mod gate;
pub mod id;
pub mod json;
pub mod key;
pub mod matching;
#[cfg(feature = "memory")]
pub mod memory;
pub mod normalize;
pub mod order;
pub mod plan;
pub mod platform;
pub mod prospect;
pub mod settings;
pub mod store;
pub mod time;
mod unicode;

/// The texts of clients and prospects: short ones without an allocation, and cheap to clone.
pub use smol_str::SmolStr;

/// Runs the examples of this crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

/// Runs the examples of the project's README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod project_readme {}
