//! Import of client lists: reads files of clients, maps their columns to fields, finds errors, and plans how
//! they are pushed and pulled.
//!
//! The crate opens no file, socket or terminal, so it also compiles to wasm. The caller passes the bytes of a
//! file, stores the states and sends the requests, as `matterbook`'s commands `check`, `push` and `pull` do.
//!
//! ```
//! use matterbook_import::{
//!     check::{Check, Status},
//!     records::{self, Content, Options},
//! };
//!
//! let file = b"First Name,Last Name,Zip\nAna,Sample,2134\n";
//! let content = Content::of_bytes(file.to_vec());
//! let mut rows = records::read("clients.csv".as_ref(), content, &Options::default())?;
//! let mut check = Check::default();
//! let row = rows.next().ok_or("no row")??;
//! assert_eq!(check.judge(&row).status, Status::Repaired);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic))]

pub mod check;
pub mod mapping;
pub mod pull;
pub mod push;
pub mod records;
pub mod safe_cells;

/// Runs the examples of the crate's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
