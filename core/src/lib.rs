#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! The rules of values and matching are those of the crate [`matterbook_rules`], which this one re-exports:
//! [`normalize`], [`columns`], and parts of [`client`], [`matching`] and [`plan`].
//!
//! 1. One value: [`normalize`] has a rule for each [`Field`](normalize::Field), and [`time`] has points in
//!    time.
//! 2. One record: [`client`] parses a client and tells its repairs, [`prospect`] parses a prospect.
//! 3. Two records: [`matching`] says whether they are one person, [`similar`] whether they may be.
//! 4. A batch: [`plan`] decides the result of each client and what is saved, with ids of [`id`].
//!    [`plan::Explanation`] says why. [`plan::DuplicateFinder`] finds duplicates in a list that is too long for memory.
//! 5. A service: [`api::Api`] answers requests over a [`store::Store`], a [`rate_limiter::RateLimiter`] and a
//!    [`platform::Platform`], with [`settings`]. [`account`] and [`key`] have accounts and keys. `memory`, with
//!    the feature of that name, implements the three traits in memory.
//! 6. For stores and hosts: [`cursor`], [`json`], which reads a JSON text, and [`order`], which sorts short lists.
//!
//! Rules such as M3 are those of `docs/specification.md`. Rules S1 to S19 are those of [`store`].
//!
//! # Types of other crates
//!
//! A date is a [`chrono::NaiveDate`], an id a [`uuid::Uuid`], a request's head an [`http::request::Parts`],
//! a response an [`http::Response`], and a text a [`SmolStr`]. This crate re-exports their crates. A new major
//! version of one of them, or of [`matterbook_rules`], is a new major version of this crate. Types that are part of a response implement
//! [`serde::Serialize`]. No other dependency is public.
//!
//! # Compatibility
//!
//! *Non-exhaustive* types may get fields or variants in any version: results of the rules ([`plan::Plan`],
//! [`plan::Explanation`], [`api::Handled`], [`client::Repair`]), and [`api::HostRefusal`], which a host only
//! constructs. Types that a store or a host has to handle are exhaustive. A new [`store::OperatorCommand`],
//! [`store::StoreError`] or field of a [`store::ChangeRequest`] does not compile until it is handled. It comes
//! with a new minor version before version 1.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(missing_debug_implementations)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic))]

pub mod account;
pub mod api;
pub mod client;
pub mod county;
pub mod cursor;
pub mod id;
pub mod json;
pub mod jurisdiction;
pub mod key;
pub mod matching;
#[cfg(feature = "memory")]
pub mod memory;
pub mod order;
pub mod plan;
pub mod platform;
pub mod prospect;
pub mod rate_limiter;
pub mod settings;
pub mod sign_in;
pub mod similar;
pub mod store;
#[cfg(feature = "proptest")]
pub mod strategies;
pub mod time;
pub mod undo;

pub use matterbook_rules::{columns, normalize};
pub use {chrono, http, uuid};

/// The type of clients' and prospects' texts. Short ones need no allocation, and cloning is cheap.
pub use smol_str::SmolStr;
