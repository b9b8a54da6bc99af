//! One row of a file, as it goes to the service.

/// A row, with what it takes to name it and to hand it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Where a person finds it: the row of the spreadsheet, or the line.
    pub number: u64,
    /// Its cells as they stand in the file, one for each column.
    pub cells: Vec<String>,
    /// The client as `POST /clients` takes it, or why there is none.
    pub client: Result<String, String>,
}
