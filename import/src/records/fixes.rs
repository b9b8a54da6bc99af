//! Values that a person corrects without changing the file (rule G42).

use foldhash::HashMap;
use matterbook_core::normalize::trim;
use serde::{Deserialize, Serialize};

use super::row::{COLUMNS, Cell, TableRow};

/// One correction of a table. Columns are counted from 0.
///
/// ```
/// use matterbook_import::records::{self, Content, Fix, Options};
///
/// let content = Content::of_bytes(b"Last Name,Zip\nSample,123\n".to_vec());
/// let fix = Fix::Cell { row: 2, column: 1, to: "02134".to_owned() };
/// let options = Options { fixes: [fix].into_iter().collect(), ..Options::default() };
/// let row = records::read("clients.csv".as_ref(), content, &options)?.next().ok_or("no row")??;
/// assert_eq!(row.client.as_deref(), Some(r#"{"last_name":"Sample","zip":"02134"}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
pub enum Fix {
    /// The cell of one row gets this text.
    Cell {
        /// The number of the row.
        row: u64,
        /// The place of the column.
        column: usize,
        /// The new text; empty for none.
        to: String,
    },
    /// Each cell of a column with this text, apart from white space around it, gets another.
    Column {
        /// The place of the column.
        column: usize,
        /// The text in the file.
        from: String,
        /// The new text; empty for none.
        to: String,
    },
}

/// The corrections of a table, by their places. The correction of a cell is stronger than that of its column, and a
/// later one than an earlier one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fixes {
    cells: HashMap<u64, Vec<(usize, String)>>,
    columns: HashMap<usize, HashMap<String, String>>,
}

impl FromIterator<Fix> for Fixes {
    fn from_iter<I: IntoIterator<Item = Fix>>(fixes: I) -> Self {
        let mut all = Self::default();
        for fix in fixes {
            match fix {
                Fix::Cell { row, column, to } => {
                    all.cells.entry(row).or_default().push((column, to));
                }
                Fix::Column { column, from, to } => {
                    all.columns.entry(column).or_default().insert(trim(&from).to_owned(), to);
                }
            }
        }
        all
    }
}

impl Fixes {
    /// Corrects a row below the header.
    pub(super) fn apply(&self, row: &mut TableRow) {
        for (column, of_column) in &self.columns {
            let Some(cell) = row.cells.get_mut(*column) else { continue };
            if let Some(to) = of_column.get(trim(&cell.text)) {
                *cell = Cell::text(to.clone());
            }
        }
        for (column, to) in self.cells.get(&row.number).into_iter().flatten() {
            // A row may end before its last columns.
            if row.cells.len() <= *column && *column < COLUMNS {
                row.cells.resize(*column + 1, Cell::default());
            }
            if let Some(cell) = row.cells.get_mut(*column) {
                *cell = Cell::text(to.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corrected_cell_is_stronger_than_its_column() {
        let column = Fix::Column { column: 1, from: "N/A ".to_owned(), to: String::new() };
        let cell = Fix::Cell { row: 3, column: 1, to: "02134".to_owned() };
        let fixes: Fixes = [cell, column].into_iter().collect();
        let fixed = |number: u64, text: &str| {
            let cells = ["N/A", text].map(|text| Cell::text(text.to_owned())).to_vec();
            let mut row = TableRow { number, cells, ..TableRow::default() };
            fixes.apply(&mut row);
            row.texts().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(fixed(2, " N/A"), ["N/A", ""]);
        assert_eq!(fixed(2, "n/a"), ["N/A", "n/a"]);
        assert_eq!(fixed(3, "N/A"), ["N/A", "02134"]);
        let short = Fix::Cell { row: 2, column: 2, to: "NY".to_owned() };
        let mut row = TableRow { number: 2, cells: vec![Cell::text("Li".to_owned())], ..TableRow::default() };
        [short].into_iter().collect::<Fixes>().apply(&mut row);
        assert_eq!(row.texts().collect::<Vec<_>>(), ["Li", "", "NY"]);
    }

    #[test]
    fn a_correction_is_read_back_as_it_was_written() {
        let fix = Fix::Cell { row: 3, column: 1, to: "02134".to_owned() };
        let text = serde_json::to_string(&fix).unwrap();
        assert_eq!(text, r#"{"cell":{"row":3,"column":1,"to":"02134"}}"#);
        assert_eq!(serde_json::from_str::<Fix>(&text).unwrap(), fix);
    }
}
