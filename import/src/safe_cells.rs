//! Cells that no spreadsheet reads as a formula (rule F28).

use std::borrow::Cow;

/// The first characters of a cell that a spreadsheet may read as a formula.
const FORMULA: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// The cell with an apostrophe before it if a spreadsheet may read it as a formula.
///
/// ```
/// use matterbook_import::safe_cells::{restored, safe};
///
/// assert_eq!(safe("=1+1"), "'=1+1");
/// assert_eq!(safe("O'Neill"), "O'Neill");
/// assert_eq!(restored("'=1+1"), "=1+1");
/// assert_eq!(restored("'Ó"), "'Ó");
/// ```
#[must_use]
pub fn safe(cell: &str) -> Cow<'_, str> {
    if cell.starts_with(FORMULA) { Cow::Owned(format!("'{cell}")) } else { Cow::Borrowed(cell) }
}

/// The cell without the apostrophe of [`safe`].
#[must_use]
pub fn restored(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| rest.starts_with(FORMULA)).unwrap_or(cell)
}
