//! Files that people send in the console (S37, rules G29 to G33).

use uuid::Uuid;

use crate::time::Timestamp;

/// How many imports of an account are kept; beginning another deletes the oldest.
pub const IMPORTS_KEPT: u32 = 200;

/// An import that is to begin. The caller mints the id.
///
/// Its `Debug` form shows the name of a file and its columns: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewImport {
    /// Its id.
    pub id: Uuid,
    /// The name of the file, up to 255 characters.
    pub file_name: String,
    /// The SHA-256 of the file, 64 hexadecimal digits in lower case.
    pub digest: String,
    /// The rows of the file.
    pub rows: u32,
    /// Which column became which field: a JSON object, in the order of the columns.
    pub mapping: String,
}

/// An import.
///
/// Its `Debug` form shows the name of a file and its columns: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportRecord {
    /// Its id.
    pub id: Uuid,
    /// Who began it; `None` if the login is gone.
    pub email: Option<String>,
    /// The name of the file.
    pub file_name: String,
    /// The SHA-256 of the file.
    pub digest: String,
    /// The rows of the file.
    pub rows: u32,
    /// Which column became which field: a JSON object.
    pub mapping: String,
    /// How many rows are done, from the first on.
    pub sent_rows: u32,
    /// What became of them.
    pub counts: ImportCounts,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended; `None` while it goes on.
    pub ended_at: Option<Timestamp>,
}

/// What became of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportCounts {
    /// They are new clients.
    pub created: u32,
    /// They changed a client.
    pub updated: u32,
    /// They matched a client and changed nothing.
    pub unchanged: u32,
    /// They are in conflict or in error, or the page held them back.
    pub refused: u32,
}

/// How far an import is, as a decision sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportState {
    /// The rows of the file.
    pub rows: u32,
    /// How many rows are done.
    pub sent_rows: u32,
    /// Whether it has ended.
    pub has_ended: bool,
}

/// What a batch adds to its import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportProgress {
    /// The rows that are done with it.
    pub rows: u32,
    /// What became of them.
    pub counts: ImportCounts,
}
