//! What the console's import page does with a file, in the browser: reads it, maps its columns, finds problems, forms
//! requests and explains the answers.
//!
//! A module worker of the page runs it as wasm. All rules are those of `matterbook-import`, so the page says what
//! `matterbook check` says, and sends what `matterbook push` sends. [`Import`] is one file; what crosses the border to
//! JavaScript is JSON, and the rows stay in the file: each pass reads them again.
//!
//! ```
//! use matterbook_import_page::{Import, Source};
//!
//! let source = Source::of_bytes(b"First Name,Last Name,Zip\nAna,Sample,2134\n".to_vec());
//! let mut import = Import::new("clients.csv", source);
//! let columns = import.columns("{}")?;
//! assert!(columns.contains(r#""field":"zip""#));
//! let report = import.check("{}", &mut |_, _| {})?;
//! assert!(report.contains(r#""rows":1"#));
//! import.begin_preview()?;
//! let body = import.next_body()?.ok_or("no row")?;
//! assert_eq!(body, br#"{"clients":[{"first_name":"Ana","last_name":"Sample","zip":"2134"}]}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic))]

mod columns;
mod forecast;
mod import;
mod page;
mod preview;
mod refused;
mod report;
mod sending;
mod settings;
mod settlements;
mod source;
mod words;

pub use import::{Import, Problem};
pub use source::Source;
