//! Reads files of clients or prospects that spreadsheets and case systems export, row by row: CSV and similar formats,
//! Excel workbooks, and JSON Lines. `docs/spreadsheets.md` describes the details.
//!
//! [`read`] finds the kind of the file, its header and its columns; then each row is a [`Record`] with the
//! client for `POST /clients`. The API validates values; this module only detects damage that the API cannot
//! see.

mod client;
mod content;
mod county;
mod damage;
mod delimited;
mod error;
mod fixes;
mod header;
mod json_lines;
mod kind;
mod left_out;
mod not_a_client;
mod record;
mod record_of_row;
mod row;
mod split;
mod text;
mod unreadable;
mod workbook;

use std::{
    collections::VecDeque,
    io::{Cursor, Read},
    path::Path,
};

pub use content::{Content, ReadSeek, SeekableFile};
pub use error::{ReadError, name_of};
pub use fixes::{Fix, Fixes};
pub(crate) use json_lines::members;
pub use kind::FileKind;
pub use left_out::{Condition, ConditionError, LeftOut};
pub use record::{Original, Record};
pub use workbook::Sheet;

use delimited::DelimitedRows;
use foldhash::HashMap;
use json_lines::JsonLines;
use kind::{START_BYTES, file_kind};
use left_out::Filter;
use record_of_row::{object_record, table_record};
use row::TableRow;
use text::{Meter, Metered, decoded};
use workbook::WorkbookRows;

use crate::mapping::{HeaderMapping, ListKind, Mapping};

/// How to read a file.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What the file lists.
    pub kind: ListKind,
    /// The state of crashes whose rows have none, for a list of prospects.
    pub crash_state: Option<String>,
    /// The `--map` arguments.
    pub mappings: Vec<HeaderMapping>,
    /// The sheet of a workbook; without it the first that is not hidden.
    pub sheet: Option<String>,
    /// Leaves out rows that are hidden in a workbook, by hand or by a filter.
    pub skips_hidden: bool,
    /// Leaves out optional values of clients that cannot be read.
    pub leaves_out_unreadable: bool,
    /// The `--where` arguments: only rows that meet all of them are read.
    pub conditions: Vec<Condition>,
    /// Corrections of a table, made before its rows are read.
    pub fixes: Fixes,
}

/// The rows of a file, read lazily.
pub struct Records {
    kind: FileKind,
    mapping: Mapping,
    titles: Vec<u64>,
    sheet: Option<Sheet>,
    rows: Rows,
    meter: Meter,
    total: Option<u64>,
    filter: Filter,
    left_out: LeftOut,
    leaves_out_unreadable: bool,
    fixes: Fixes,
    /// The first row of each id of zeros.
    zero_ids: HashMap<String, u64>,
}

enum Rows {
    Table {
        width: usize,
        read_ahead: VecDeque<Result<TableRow, ReadError>>,
        rest: Box<dyn Iterator<Item = Result<TableRow, ReadError>>>,
    },
    Objects {
        places: HashMap<String, usize>,
        lines: JsonLines,
    },
}

/// Reads a file up to its first row. Its kind follows from its content and name; `-` is standard input.
///
/// # Errors
/// A sentence that says why the file cannot be read, and what to do.
pub fn read(path: &Path, mut content: Content, options: &Options) -> Result<Records, ReadError> {
    let name = name_of(path);
    let unreadable = |error: std::io::Error| ReadError::io(&name, &error);
    let total = content.bytes_total();
    let mut start = Vec::new();
    (&mut content).take(u64::try_from(START_BYTES).unwrap_or(0)).read_to_end(&mut start).map_err(unreadable)?;
    let kind = file_kind(path, &start)?;
    if kind != FileKind::Workbook && options.sheet.is_some() {
        return Err(ReadError::Usage(format!("{name} is not a workbook: --sheet names a sheet of one.")));
    }
    let meter = Meter::default();
    let text = |content| decoded(&start, Metered::new(Cursor::new(start.clone()).chain(content), meter.clone()));
    match (kind, content) {
        (FileKind::Delimited, content) => {
            let rows = DelimitedRows::open(&name, text(content), meter.clone())?;
            let records = table(&name, kind, Box::new(rows), options)?;
            Ok(Records { meter, total, ..records })
        }
        (FileKind::Workbook, Content::Stream(_)) => Err(kind::streamed_workbook()),
        (FileKind::Workbook, Content::File(file, _)) => {
            let rows = WorkbookRows::open(&name, file, options.sheet.as_deref(), meter.clone())?;
            let sheet = rows.sheet().clone();
            let records = table(&name, kind, Box::new(rows), options).map_err(|error| sheet.named(error, options))?;
            Ok(Records { meter, total: Some(sheet.last_row), sheet: Some(sheet), ..records })
        }
        (FileKind::JsonLines, content) => {
            let records = objects(&name, JsonLines::open(&name, text(content)), options)?;
            Ok(Records { meter, total, ..records })
        }
    }
}

fn table(
    name: &str,
    kind: FileKind,
    mut rest: Box<dyn Iterator<Item = Result<TableRow, ReadError>>>,
    options: &Options,
) -> Result<Records, ReadError> {
    let header = header::find(name, &mut rest, options)?;
    let mapping = header::mapping(name, &header.row, options)?;
    let mut read_ahead = header.read_ahead;
    if read_ahead.is_empty() {
        match rest.next() {
            Some(row) => read_ahead.push_back(row),
            None => return Err(ReadError::Refused(format!("{name} has a row of headers and nothing under it."))),
        }
    }
    let rows = Rows::Table { width: mapping.columns().len(), read_ahead, rest };
    let titles = header.titles.iter().map(|row| row.number).collect();
    Records::new(kind, mapping, titles, rows, options)
}

fn objects(name: &str, lines: JsonLines, options: &Options) -> Result<Records, ReadError> {
    let names = lines.names();
    if lines.is_empty() {
        return Err(ReadError::Refused(format!("{name} is empty.")));
    }
    let mapping = Mapping::of(options.kind, names.iter().map(String::as_str), &options.mappings)
        .map_err(|error| ReadError::Usage(error.0))?;
    if !mapping.is_of_use() {
        return Err(header::unrecognized(name, false, options.kind, names.iter().map(String::as_str)));
    }
    let places = names.into_iter().zip(0..).collect();
    let rows = Rows::Objects { places, lines };
    Records::new(FileKind::JsonLines, mapping, Vec::new(), rows, options)
}

impl Records {
    fn new(
        kind: FileKind,
        mapping: Mapping,
        titles: Vec<u64>,
        rows: Rows,
        options: &Options,
    ) -> Result<Self, ReadError> {
        let mapping = mapping.with_crash_state(options.crash_state.clone());
        let filter = Filter::new(&mapping, &options.conditions, kind == FileKind::JsonLines)?;
        let left_out = LeftOut::new(options.skips_hidden);
        let (meter, zero_ids) = (Meter::default(), HashMap::default());
        Ok(Self {
            kind,
            mapping,
            titles,
            sheet: None,
            rows,
            meter,
            total: None,
            filter,
            left_out,
            leaves_out_unreadable: options.leaves_out_unreadable,
            fixes: options.fixes.clone(),
            zero_ids,
        })
    }

    /// The rows so far that are hidden, and those that were left out.
    #[must_use]
    pub const fn left_out(&self) -> &LeftOut {
        &self.left_out
    }

    /// Which rows are left out, as text: the same text keeps the same rows.
    pub(crate) fn condition_text(&self) -> String {
        let hidden = if self.left_out.skips_hidden { "without hidden rows; " } else { "" };
        let unreadable = if self.leaves_out_unreadable { "without unreadable values; " } else { "" };
        format!("{hidden}{unreadable}{}", self.filter.text())
    }

    /// An id of zeros says nothing about the client where several rows have it.
    fn check_zero_id(&mut self, record: &mut Record, zero_id: Option<String>) {
        let Some(id) = zero_id else { return };
        let first = *self.zero_ids.entry(id.clone()).or_insert(record.number);
        if first != record.number {
            record.problems.push(format!(
                "external_id is \"{id}\" as in row {first}, which tells no client from another: write the client's id, \
                 or empty the cells"
            ));
        }
    }

    /// What kind of file it is.
    #[must_use]
    pub const fn kind(&self) -> FileKind {
        self.kind
    }

    /// The columns of the file and their use. In a file of objects, later lines may add columns.
    #[must_use]
    pub const fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    /// The numbers of the rows above the header, which are left out.
    #[must_use]
    pub fn titles(&self) -> &[u64] {
        &self.titles
    }

    /// The sheet of a workbook that is read.
    #[must_use]
    pub const fn sheet(&self) -> Option<&Sheet> {
        self.sheet.as_ref()
    }

    /// How much of the file was read, and its size if known: in bytes, or in rows for a workbook.
    #[must_use]
    pub fn progress(&self) -> (u64, Option<u64>) {
        (self.meter.count(), self.total)
    }
}

impl Iterator for Records {
    type Item = Result<Record, ReadError>;

    /// The next row that is not left out. After an error there are no more.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mapping = &mut self.mapping;
            let read = match &mut self.rows {
                Rows::Table { width, read_ahead, rest } => {
                    let mut row = match read_ahead.pop_front().or_else(|| rest.next())? {
                        Ok(row) => row,
                        Err(error) => return Some(Err(error)),
                    };
                    self.fixes.apply(&mut row);
                    if row.is_hidden {
                        self.left_out.add_hidden(row.number);
                        if self.left_out.skips_hidden {
                            continue;
                        }
                    }
                    if !self.filter.keeps(|place| row.cells.get(place).map(|cell| cell.text.as_str())) {
                        self.left_out.by_condition += 1;
                        continue;
                    }
                    Some(table_record(mapping, *width, row))
                }
                Rows::Objects { places, lines } => {
                    let line = match lines.next()? {
                        Ok(line) => line,
                        Err(error) => return Some(Err(error)),
                    };
                    object_record(mapping, places, line, &mut self.filter)
                }
            };
            match read {
                None => self.left_out.by_condition += 1,
                Some((mut record, zero_id)) => {
                    self.check_zero_id(&mut record, zero_id);
                    if self.leaves_out_unreadable && self.mapping.kind() == ListKind::Clients {
                        unreadable::leave_out(&mut record);
                    }
                    return Some(Ok(record));
                }
            }
        }
    }
}

/// Whether a path means standard input.
#[must_use]
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}
