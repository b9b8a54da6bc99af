//! The state of a pull, and the format of its rows.

mod columns;
mod page;
mod rows;
mod state;

pub use page::{Page, digest};
pub use rows::rows_text;
pub use state::{State, Subject};

use serde::{Deserialize, Serialize};

/// The list to pull.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Listing {
    /// `GET /clients`.
    Clients,
    /// `GET /prospects`, oldest first.
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

/// The format of the rows.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// A table with a header line, in UTF-8 without a byte order mark.
    Csv,
    /// One JSON object per line, as the service sent it.
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
