//! One row of a file: as written, and as it is sent.

use matterbook_core::client::parse_client;

/// One row of a file that is not blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The row's number in a spreadsheet, from 1 with the header; in a file of objects, its line.
    pub number: u64,
    /// The row as written in the file.
    pub original: Original,
    /// The JSON object of the client or prospect without the values that have [`Record::problems`]; `None` if the row
    /// cannot be read.
    pub client: Option<String>,
    /// The problems that the API could not see: sentences without a subject and a full stop. A row with
    /// problems must not be sent.
    pub problems: Vec<String>,
    /// What is wrong with the values that were left out, as sentences.
    pub left_out: Vec<String>,
    /// It has fewer cells than the header; the missing ones count as blank.
    pub is_short: bool,
    /// It was not UTF-8 and was decoded as Windows-1252.
    pub is_windows_1252: bool,
}

/// A row as written in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Original {
    /// The texts of its cells.
    Cells(Vec<String>),
    /// The text of its object.
    Object(String),
}

impl Record {
    /// The JSON object of the client, if it can be sent.
    ///
    /// # Errors
    /// What is wrong with the row, as [`reason`](Self::reason) says it.
    pub fn sendable(&self) -> Result<&str, String> {
        match (&self.client, self.problems.as_slice()) {
            (Some(client), []) => Ok(client),
            _ => Err(self.reason()),
        }
    }

    /// All problems of the row as one sentence, including those that the API would find, so that a person can
    /// fix the row at once.
    #[must_use]
    pub fn reason(&self) -> String {
        self.reason_by(|client| Some(parse_client(client).err()?.to_string()))
    }

    /// The same, with the problems that `refused` finds in the object of the row.
    pub(crate) fn reason_by(&self, refused: impl FnOnce(&str) -> Option<String>) -> String {
        let refused = self.client.as_deref().and_then(refused);
        let refused = refused.as_ref().map(|sentence| sentence.trim_end_matches('.'));
        let problems: Vec<&str> = self.problems.iter().map(String::as_str).chain(refused).collect();
        format!("{}.", problems.join("; "))
    }
}
