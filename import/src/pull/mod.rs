//! What is kept of a pull, and how the records of a page are written.

mod columns;
mod page;
mod rows;
mod state;

pub use page::{Page, digest};
pub use rows::rows_text;
pub use state::{State, Subject};

use serde::{Deserialize, Serialize};

/// Which list.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Listing {
    /// `GET /clients`.
    Clients,
    /// `GET /prospects`, the oldest first.
    Prospects,
}

impl Listing {
    /// The list's name, as in its path.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clients => "clients",
            Self::Prospects => "prospects",
        }
    }
}

/// How rows are written.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// A table with a line of names, UTF-8, without a byte order mark.
    Csv,
    /// A JSON object a line, as the service gave it.
    Ndjson,
}

impl Format {
    /// The format's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
        }
    }
}
