//! Rows of values.

use super::Scanner;
use crate::normalize::FieldValue;

/// The rows of a JSON array of arrays; of objects, the values in their order. A value that is an array
/// is handed over as the text of it. `None` when the text is anything else, or `read` says so of a value.
///
/// ```
/// use matterbook_core::{json::rows, normalize::FieldValue};
/// let row = vec![FieldValue::from("a"), FieldValue::Absent, FieldValue::from("[1]")];
/// assert_eq!(rows(r#"[["a", null, [1]]]"#, Some), Some(vec![row.clone()]));
/// assert_eq!(rows(r#"[{"x": "a", "y": null, "z": [1]}]"#, Some), Some(vec![row]));
/// assert_eq!(rows("[[1", Some), None);
/// ```
pub fn rows<'a, T>(text: &'a str, mut read: impl FnMut(FieldValue<'a>) -> Option<T>) -> Option<Vec<Vec<T>>> {
    let mut rows = Vec::new();
    let mut reader = RowReader::new(text);
    let mut row = Vec::new();
    while reader.read(&mut row)? {
        rows.push(row.drain(..).map(&mut read).collect::<Option<_>>()?);
    }
    Some(rows)
}

/// Reads the same rows one by one, for who does not keep them.
///
/// ```
/// use matterbook_core::{json::RowReader, normalize::FieldValue};
/// let mut reader = RowReader::new(r#"[["a", null], []]"#);
/// let mut row = Vec::new();
/// assert_eq!(reader.read(&mut row), Some(true));
/// assert_eq!(row, [FieldValue::from("a"), FieldValue::Absent]);
/// assert_eq!(reader.read(&mut row), Some(true));
/// assert_eq!(row, []);
/// assert_eq!(reader.read(&mut row), Some(false));
/// assert_eq!(RowReader::new("[[1").read(&mut row), None);
/// ```
#[derive(Clone, Debug)]
pub struct RowReader<'a> {
    scanner: Scanner<'a>,
    is_begun: bool,
}

impl<'a> RowReader<'a> {
    /// Before the first row of a text.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self { scanner: Scanner::new(text), is_begun: false }
    }

    /// Puts the values of the next row in place of what `row` holds; `false` after the last one. `None` when
    /// the text is anything else than rows. What comes after that means nothing.
    ///
    /// Not generic, so that it is compiled for speed, as this crate is, wherever it is called from.
    pub fn read(&mut self, row: &mut Vec<FieldValue<'a>>) -> Option<bool> {
        let scanner = &mut self.scanner;
        row.clear();
        let goes_on = if self.is_begun { scanner.goes_on(b']') } else { scanner.begins(b'[', b']') };
        self.is_begun = true;
        if !goes_on.ok()? {
            scanner.end().ok()?;
            return Some(false);
        }
        let (open, close) = if scanner.peek() == Some(b'{') { (b'{', b'}') } else { (b'[', b']') };
        let mut has_more = scanner.begins(open, close).ok()?;
        while has_more {
            if close == b'}' {
                scanner.name().ok()?;
            }
            let value = match scanner.peek() {
                Some(b'[') => FieldValue::from(scanner.raw().ok()?),
                _ => scanner.value().ok()?,
            };
            row.push(value);
            has_more = scanner.goes_on(close).ok()?;
        }
        Some(true)
    }
}
