//! Finds the header row of a table: files may begin with titles or export dates.

use std::collections::VecDeque;

use super::{Options, ReadError, row::TableRow};
use crate::mapping::{ListKind, Mapping, Target, is_recognized};

/// The number of rows to search.
const ROWS: usize = 10;
/// How many unrecognized headers a sentence shows.
const SHOWN_HEADERS: usize = 20;
const SHOWN_CHARACTERS: usize = 40;

/// The header of a table, the rows above it, and the rows below it that were read already.
pub(super) struct Header {
    pub(super) row: TableRow,
    /// The rows above the header, which are left out.
    pub(super) titles: Vec<TableRow>,
    pub(super) read_ahead: VecDeque<Result<TableRow, ReadError>>,
}

/// Finds the header among the first rows: the row with the most recognized names, the first on a tie. A
/// header below the first row needs two of them, because a data row may contain a word such as `Mobile`.
///
/// # Errors
/// When there is no row, or no name is recognized.
pub(super) fn find(
    name: &str,
    rows: &mut dyn Iterator<Item = Result<TableRow, ReadError>>,
    options: &Options,
) -> Result<Header, ReadError> {
    let said = &options.mappings;
    let mut first: VecDeque<Result<TableRow, ReadError>> = VecDeque::new();
    while first.len() < ROWS {
        match rows.next() {
            Some(row) => first.push_back(row),
            None => break,
        }
        if first.back().is_some_and(Result::is_err) {
            break;
        }
    }
    if let Some(Err(error)) = first.front() {
        return Err(error.clone());
    }
    let score = |row: &TableRow| {
        let is_said = |text: &str| {
            said.iter().any(|said| said.header == text.trim() || said.headers().any(|header| header == text.trim()))
        };
        row.texts().filter(|text| is_said(text) || is_recognized(options.kind, text)).count()
    };
    let scores: Vec<usize> = first.iter().flatten().map(score).collect();
    let best = (0..scores.len()).rev().max_by_key(|place| scores.get(*place).copied());
    let place = match best {
        Some(place) if scores.get(place).copied().unwrap_or(0) >= 2 => place,
        _ => 0,
    };
    let mut titles = Vec::new();
    for _ in 0..place {
        titles.extend(first.pop_front().and_then(Result::ok));
    }
    let Some(row) = first.pop_front() else { return Err(ReadError::Refused(format!("{name} is empty."))) };
    let header = Header { row: row?, titles, read_ahead: first };
    // A `--map` header that is missing gets its own sentence.
    if said.is_empty() && scores.get(place).copied().unwrap_or(0) == 0 {
        return Err(unrecognized(name, true, options.kind, header.row.texts()));
    }
    Ok(header)
}

/// The error if no column is recognized.
pub(super) fn unrecognized<'t>(
    name: &str,
    is_table: bool,
    kind: ListKind,
    headers: impl Iterator<Item = &'t str>,
) -> ReadError {
    let mut headers = headers.filter(|header| !header.trim().is_empty());
    let shown: Vec<String> = headers
        .by_ref()
        .take(SHOWN_HEADERS)
        .map(|header| header.trim().chars().take(SHOWN_CHARACTERS).collect())
        .collect();
    let more = if headers.next().is_some() { ", …" } else { "" };
    let fields = Target::all(kind).map(Target::name).collect::<Vec<_>>().join(", ");
    let (have, remedy) = if is_table {
        ("Its first row has", "Give it a row of headers")
    } else {
        ("Its first lines have", "Give them such names")
    };
    ReadError::Refused(format!(
        "No column of {name} is recognized. {have}: {}{more}. {remedy}, or say what they are with --map \
         \"Header=field\"; the fields are {fields}.",
        shown.join(", ")
    ))
}

/// The mapping of a table's header.
pub(super) fn mapping(name: &str, header: &TableRow, options: &Options) -> Result<Mapping, ReadError> {
    if header.more_cells > 0 {
        return Err(ReadError::Refused(format!("{name} has more than 16,384 columns, as no spreadsheet has.")));
    }
    let mapping = Mapping::of(options.kind, header.texts(), &options.mappings);
    let mapping = mapping.map_err(|error| ReadError::Usage(error.0))?;
    if mapping.is_of_use() { Ok(mapping) } else { Err(unrecognized(name, true, options.kind, header.texts())) }
}
