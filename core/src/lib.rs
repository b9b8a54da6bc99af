#![doc = include_str!("../README.md")]
//!
//! # The modules, in the order of a book
//!
//! 1. One value: [`normalize`] has a rule for each [`Field`](normalize::Field), [`time`] what a point in
//!    time is.
//! 2. One record: [`client`] reads a client and says what it repaired, [`prospect`] reads a prospect.
//! 3. Two records: [`matching`] says whether they are one person.
//! 4. A batch: [`plan`] decides what becomes of each client, and what is to be saved, with ids of [`id`].
//!    [`plan::Explanation`] says why. [`plan::Roll`] finds who comes again in a list too long to be kept.
//! 5. A service: [`api::Api`] answers requests over a [`store::Store`], a [`gate::Gate`] and a
//!    [`platform::Platform`], with [`settings`]. [`account`] and [`key`] say who may ask. `memory`, with the
//!    feature of its name, has one of each to begin with.
//! 6. For stores and hosts: [`cursor`].
//!
//! Sections of a *reference* and a *design* that these pages name are of the API's specification and of the
//! project's plan, by which the rules were made. Neither is needed to use the crate, nor comes with it.
//!
//! # Types of other crates
//!
//! A date is a [`chrono::NaiveDate`], an id a [`uuid::Uuid`], a request's head an [`http::request::Parts`],
//! an answer an [`http::Response`], and a text a [`SmolStr`]. Their crates are handed on, so that yours are the
//! same: a new major version of one of them is a new one of this crate. [`serde::Serialize`] is implemented
//! where a type is a part of an answer. Nothing else that this crate depends on can be seen.
//!
//! # What may be added without notice
//!
//! Types marked *non-exhaustive* may get fields or variants in any version: what the rules hand out
//! ([`plan::Plan`], [`plan::Explanation`], [`api::Handled`], [`client::Repair`]), and what a host only
//! names ([`api::HostRefusal`]). What a store or a host has to deal with is not: another
//! [`store::OperatorCommand`], [`store::StoreError`] or field of a [`store::ChangeRequest`] is to be an error
//! of the compiler where nobody has dealt with it, and comes with a new minor version before version 1.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(missing_debug_implementations)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic))]

pub mod account;
pub mod api;
pub mod client;
pub mod cursor;
pub mod gate;
pub mod id;
mod json;
pub mod key;
pub mod matching;
#[cfg(feature = "memory")]
pub mod memory;
pub mod normalize;
pub mod plan;
pub mod platform;
pub mod prospect;
pub mod settings;
pub mod store;
pub mod time;

pub use {chrono, http, uuid};

/// The texts of clients and prospects: short ones without an allocation, and cheap to clone.
pub use smol_str::SmolStr;
