//! A row of a table before its columns are known.

/// The number of columns that a spreadsheet can have; further cells of a row are only counted.
pub(super) const COLUMNS: usize = 16_384;

/// A row of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TableRow {
    /// The number that a spreadsheet shows, from 1.
    pub(super) number: u64,
    pub(super) cells: Vec<Cell>,
    /// How many more cells it has than are kept, up to the last that is not blank.
    pub(super) more_cells: usize,
    /// Its bytes were not UTF-8, so it was decoded as Windows-1252.
    pub(super) is_windows_1252: bool,
    /// A person or a filter hides it in the spreadsheet.
    pub(super) is_hidden: bool,
}

impl TableRow {
    /// Whether every cell is blank.
    pub(super) fn is_blank(&self) -> bool {
        self.more_cells == 0 && self.cells.iter().all(Cell::is_blank)
    }

    /// The texts of the cells, as headers.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.cells.iter().map(|cell| cell.text.as_str())
    }
}

/// A cell: its text, and its type in a workbook.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) kind: CellKind,
}

/// The type of a cell in a workbook. Cells of text files are always texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum CellKind {
    #[default]
    Text,
    /// A number; `day` is the day that it would mean, `YYYY-MM-DD`.
    Number { day: Option<String> },
    /// A day, `YYYY-MM-DD`.
    Day,
    /// An error value such as `#N/A`.
    Error,
    /// A formula whose result was not saved; the text is the formula.
    Unsaved,
    /// A text that is longer than a cell can have, as far as it was read.
    Cut,
}

impl Cell {
    pub(super) const fn text(text: String) -> Self {
        Self { text, kind: CellKind::Text }
    }

    pub(super) fn is_blank(&self) -> bool {
        matterbook_core::normalize::trim(&self.text).is_empty()
    }
}
