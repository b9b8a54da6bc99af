//! The rows of a sheet.

use std::io::Read;

use super::{
    super::row::{COLUMNS, Cell, CellKind, TableRow},
    Damage,
    number_format::{NumberFormat, day},
    shared_texts::SharedTexts,
    styles::Styles,
    text::{CellText, is_cut, push_bounded, unescaped},
    xml::{Piece, Tag, Xml},
};

/// The number of rows that a sheet can have.
const ROWS: u64 = 1_048_576;
/// The texts of a row; the same shared text in every cell would be half a gigabyte.
const ROW_BYTES: usize = 4 * 1_024 * 1_024;

/// What the cells of a sheet refer to.
pub(super) struct Shared {
    pub(super) texts: SharedTexts,
    pub(super) styles: Styles,
    pub(super) is_1904: bool,
}

/// The rows of a sheet, read one by one.
pub(super) struct SheetRows<R: Read> {
    xml: Xml<R>,
    shared: Shared,
    /// The number of the last row, as the sheet states it.
    pub(super) last_row: u64,
    /// The number of the row that was read last, and how many were.
    number: u64,
    count: u64,
}

impl<R: Read> SheetRows<R> {
    /// Reads up to the first row.
    pub(super) fn new(part: R, shared: Shared) -> Result<Self, Damage> {
        let mut xml = Xml::new(part);
        let mut last_row = 0;
        loop {
            match xml.next()? {
                Piece::Start { tag, .. } if tag.name() == "dimension" => {
                    let cells = tag.attribute("ref").unwrap_or_default();
                    last_row = cells.rsplit(':').next().and_then(|cell| place(cell)?.0).unwrap_or(0);
                }
                Piece::Start { tag, .. } if tag.name() == "sheetData" => break,
                Piece::EndOfPart => return Err(Damage::Damaged),
                _ => {}
            }
        }
        Ok(Self { xml, shared, last_row, number: 0, count: 0 })
    }

    /// The next row that has cells; `None` after the last.
    pub(super) fn next_row(&mut self) -> Result<Option<TableRow>, Damage> {
        let mut row: Option<TableRow> = None;
        let (mut next_column, mut bytes) = (0, 0);
        loop {
            let (is_cell, attributes) = match self.xml.next()? {
                Piece::Start { tag, is_empty } => match tag.name() {
                    "row" => {
                        self.number = tag.number("r").map_or(self.number + 1, u64::from);
                        self.count += 1;
                        if self.number > ROWS || self.count > ROWS {
                            return Err(Damage::Damaged);
                        }
                        let is_hidden = tag.is_true("hidden");
                        row = (!is_empty).then(|| TableRow { number: self.number, is_hidden, ..TableRow::default() });
                        (next_column, bytes) = (0, 0);
                        continue;
                    }
                    "c" => (!is_empty, Attributes::of(&tag)),
                    _ => continue,
                },
                Piece::End(tag) if tag.name() == "row" => match row.take() {
                    Some(row) => return Ok(Some(row)),
                    None => continue,
                },
                Piece::EndOfPart if row.is_none() => return Ok(None),
                Piece::EndOfPart => return Err(Damage::Damaged),
                _ => continue,
            };
            let column = attributes.column.unwrap_or(next_column);
            next_column = column + 1;
            let (true, Some(row)) = (is_cell, row.as_mut()) else { continue };
            let Some(cell) = self.cell(&attributes)?.filter(|_| column < COLUMNS) else { continue };
            bytes += cell.text.len();
            if bytes > ROW_BYTES {
                return Err(Damage::LongRow(self.number));
            }
            row.cells.resize_with(row.cells.len().max(column + 1), Cell::default);
            if let Some(of_column) = row.cells.get_mut(column) {
                *of_column = cell;
            }
        }
    }

    /// Reads a cell to its end.
    fn cell(&mut self, attributes: &Attributes) -> Result<Option<Cell>, Damage> {
        let mut written = Written::default();
        let mut within = None;
        loop {
            match self.xml.next()? {
                Piece::Start { tag, is_empty } => match tag.name() {
                    "v" => {
                        written.value.get_or_insert_default();
                        within = (!is_empty).then_some(Within::Value);
                    }
                    "f" => {
                        written.formula.get_or_insert_default();
                        within = (!is_empty).then_some(Within::Formula);
                    }
                    name => written.inline.start(name, is_empty),
                },
                Piece::End(tag) => match tag.name() {
                    "c" => return read_cell(attributes, written, &self.shared),
                    "v" | "f" => within = None,
                    name => written.inline.end(name),
                },
                Piece::Text(text) => written.push(within, &text),
                Piece::Character(character) => written.push(within, character.encode_utf8(&mut [0; 4])),
                Piece::EndOfPart => return Err(Damage::Damaged),
            }
        }
    }
}

/// What the elements of a cell hold.
#[derive(Default)]
struct Written {
    value: Option<String>,
    formula: Option<String>,
    inline: CellText,
}

#[derive(Clone, Copy)]
enum Within {
    Value,
    Formula,
}

impl Written {
    fn push(&mut self, within: Option<Within>, piece: &str) {
        match within {
            Some(Within::Value) => push_bounded(self.value.get_or_insert_default(), piece),
            Some(Within::Formula) => push_bounded(self.formula.get_or_insert_default(), piece),
            None => self.inline.push(piece),
        }
    }
}

/// The attributes of a cell.
#[derive(Default)]
struct Attributes {
    column: Option<usize>,
    style: u32,
    kind: String,
}

impl Attributes {
    fn of(tag: &Tag<'_>) -> Self {
        let mut attributes = Self::default();
        tag.each(|name, value| match name {
            "r" => attributes.column = place(value).map(|(_, column)| column),
            "s" => attributes.style = value.parse().unwrap_or(0),
            "t" => attributes.kind.push_str(value),
            _ => {}
        });
        attributes
    }
}

/// The row and the column, from 0, of a place such as `B12`.
fn place(text: &str) -> Option<(Option<u64>, usize)> {
    let mut column = 0_usize;
    let digits = text.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    for letter in text.strip_suffix(digits)?.bytes() {
        let value = usize::from(letter.to_ascii_uppercase() - b'A') + 1;
        column = column.saturating_mul(26).saturating_add(value);
    }
    Some((digits.parse().ok(), column.checked_sub(1)?.min(COLUMNS)))
}

/// A cell as a person reads it: a number with the zeros of its format, a day as `YYYY-MM-DD`.
fn read_cell(attributes: &Attributes, written: Written, shared: &Shared) -> Result<Option<Cell>, Damage> {
    let Written { value, formula, mut inline } = written;
    let text_of = |text: String| {
        let kind = if is_cut(&text) { CellKind::Cut } else { CellKind::Text };
        Cell { text, kind }
    };
    let is_empty = value.as_deref().is_none_or(|value| value.trim().is_empty());
    let is_text = matches!(attributes.kind.as_str(), "str" | "inlineStr");
    if let Some(formula) = formula.filter(|_| is_empty && !(is_text && value.is_some())) {
        return Ok(Some(Cell { text: format!("={formula}"), kind: CellKind::Unsaved }));
    }
    let cell = match (attributes.kind.as_str(), value) {
        ("inlineStr", None) => text_of(inline.take()),
        (_, None) => return Ok(None),
        ("s", Some(number)) => {
            let text = number.trim().parse().ok().and_then(|number| shared.texts.get(number));
            text_of(text.ok_or(Damage::Damaged)?.to_owned())
        }
        ("str" | "inlineStr", Some(text)) => text_of(unescaped(text)),
        ("b", Some(value)) => Cell::text((value.trim() == "1" || value.trim() == "true").to_string()),
        ("e", Some(text)) => Cell { text, kind: CellKind::Error },
        ("d", Some(moment)) => {
            let day = moment.split('T').next().unwrap_or_default();
            Cell { text: day.to_owned(), kind: CellKind::Day }
        }
        (_, Some(_)) if is_empty => return Ok(None),
        (_, Some(text)) => number(text.trim(), shared.styles.format(attributes.style), shared.is_1904)?,
    };
    Ok(Some(cell))
}

fn number(text: &str, format: &NumberFormat, is_1904: bool) -> Result<Cell, Damage> {
    let number: f64 = text.parse().map_err(|_| Damage::Damaged)?;
    let day = day(number, is_1904);
    // A whole number is written without fraction and exponent.
    Ok(match (format, day) {
        (NumberFormat::Day, Some(text)) => Cell { text, kind: CellKind::Day },
        (NumberFormat::Day, None) => Cell { text: number.to_string(), kind: CellKind::Number { day: None } },
        (format, day) => {
            let text = format.shown(number).unwrap_or_else(|| number.to_string());
            Cell { text, kind: CellKind::Number { day } }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_name_rows_and_columns() {
        assert_eq!(place("B12"), Some((Some(12), 1)));
        assert_eq!(place("XFD1"), Some((Some(1), COLUMNS - 1)));
        assert_eq!(place("ZZZZZZZZZZZZZZZZZZZZ9"), Some((Some(9), COLUMNS)));
        assert_eq!(place("12"), None);
    }
}
