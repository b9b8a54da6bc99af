#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! 1. One value: [`values`] has a type for each kind of value, [`normalize`] a rule for each.
//! 2. One record: [`client`] has the fields of a client, their builder and their errors. [`MailingAddress`] is the
//!    address on an envelope.
//! 3. Two records: [`matching`] says whether they are one person.
//! 4. A list: [`duplicates`] finds duplicates, [`columns`] recognizes columns.
//! 5. Tests: `strategies`, with the feature `proptest`, generates values, and people who match or do not.
//!
//! Rules such as M3 are those of `docs/specification.md`.
//!
//! # Types of other crates
//!
//! A date is a [`chrono::NaiveDate`], a text a [`SmolStr`]. This crate re-exports `chrono` and that type. With its
//! features it implements the traits of `serde`, and converts `serde_json::Value`. A new major version of one of
//! them is a new major version of this crate. No other dependency is public.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(missing_debug_implementations)]
#![cfg_attr(not(any(test, feature = "proptest")), no_std)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic))]

extern crate alloc;

pub mod client;
pub mod columns;
pub mod duplicates;
mod mailing;
pub mod matching;
pub mod normalize;
#[cfg(feature = "proptest")]
pub mod strategies;
mod unicode;
pub mod values;

pub use chrono;
pub use mailing::MailingAddress;
pub use values::{Email, ExternalId, Phone, UsState, Zip};

/// The type of the texts. Short ones need no allocation, and cloning is cheap.
pub use smol_str::SmolStr;
