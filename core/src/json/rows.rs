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
    let mut scanner = Scanner::new(text);
    let mut rows = Vec::new();
    let mut goes_on = scanner.begins(b'[', b']').ok()?;
    while goes_on {
        let (open, close) = if scanner.peek() == Some(b'{') { (b'{', b'}') } else { (b'[', b']') };
        let mut row = Vec::new();
        let mut has_more = scanner.begins(open, close).ok()?;
        while has_more {
            if close == b'}' {
                scanner.name().ok()?;
            }
            let value = match scanner.peek() {
                Some(b'[') => FieldValue::from(scanner.raw().ok()?),
                _ => scanner.value().ok()?,
            };
            row.push(read(value)?);
            has_more = scanner.goes_on(close).ok()?;
        }
        rows.push(row);
        goes_on = scanner.goes_on(b']').ok()?;
    }
    scanner.end().ok()?;
    Some(rows)
}
