//! Rows that come as JSON: those of a packed column, and all that D1 returns.

use std::borrow::Cow;

use matterbook_core::{
    json::{Malformed, Scanner},
    normalize::FieldValue,
    store::StoreError,
};

use crate::driver::{DriverError, Rows, ValueRef};

/// Reads the rows of a JSON array: arrays, or objects with one member for each column. A list in a row is
/// returned as its JSON text.
///
/// ```
/// use matterbook_store_sql::driver::{Value, unpack};
/// let rows = unpack(r#"[[null,7,"a"],{"x":"b","y":["c"]}]"#);
/// let second = vec![Value::from("b"), Value::from(r#"["c"]"#)];
/// assert_eq!(rows.ok(), Some(vec![vec![Value::Null, Value::from(7_i64), Value::from("a")], second]));
/// ```
///
/// # Errors
/// When the text is not a JSON array of rows of texts, whole numbers, nulls and lists.
pub fn unpack(rows: &str) -> Result<Rows, DriverError> {
    let owned = |cells: Vec<Cell<'_>>| cells.iter().map(|cell| cell.as_value().to_value()).collect();
    Ok(read(rows)?.into_iter().map(owned).collect())
}

/// Reads the same rows and passes each to `show`, without copying plain texts.
///
/// ```
/// use matterbook_store_sql::driver::{ValueRef, show_unpacked};
/// let mut found = 0;
/// let outcome = show_unpacked(r#"[[null,7,"a"],["b"]]"#, &mut |row| {
///     found += row.len();
///     assert_eq!(row.last().map(|value| matches!(value, ValueRef::Text(_))), Some(true));
///     Ok(())
/// });
/// assert_eq!((outcome, found), (Ok(()), 4));
/// ```
///
/// # Errors
/// When the text is not an array of such rows, or `show` fails.
pub fn show_unpacked(
    rows: &str,
    show: &mut dyn FnMut(&[ValueRef<'_>]) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    for cells in read(rows)? {
        show(&cells.iter().map(Cell::as_value).collect::<Vec<_>>())?;
    }
    Ok(())
}

fn read(rows: &str) -> Result<Vec<Vec<Cell<'_>>>, DriverError> {
    let (mut scanner, mut read) = (Scanner::new(rows), Vec::new());
    let is_read = scanner.array(|scanner| {
        let mut cells = Vec::new();
        scanner.values(|scanner| {
            cells.push(cell(scanner)?);
            Ok(())
        })?;
        read.push(cells);
        Ok(())
    });
    let is_whole = is_read.and_then(|()| scanner.end());
    is_whole.map(|()| read).map_err(|Malformed| DriverError::Failed("packed rows are malformed".to_owned()))
}

enum Cell<'a> {
    Null,
    Integer(i64),
    Text(Cow<'a, str>),
}

impl Cell<'_> {
    fn as_value(&self) -> ValueRef<'_> {
        match self {
            Self::Null => ValueRef::Null,
            Self::Integer(integer) => ValueRef::Integer(*integer),
            Self::Text(text) => ValueRef::Text(text),
        }
    }
}

fn cell<'a>(scanner: &mut Scanner<'a>) -> Result<Cell<'a>, Malformed> {
    scanner.peek();
    let start = scanner.clone();
    Ok(match scanner.value()? {
        FieldValue::Text(text) => Cell::Text(text),
        FieldValue::Number(token) => Cell::Integer(token.parse().map_err(|_| Malformed)?),
        FieldValue::Absent => Cell::Null,
        FieldValue::Array => Cell::Text(start.text_to(scanner).into()),
        _ => return Err(Malformed),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::Value;

    #[test]
    fn what_no_row_holds_is_refused() {
        for rows in [
            "",
            "[",
            "7",
            "[7]",
            "[[1.5]]",
            "[[true]]",
            "[[9223372036854775808]]",
            "[[{}]]",
            "[[\"\\ud83d\"]]",
            "[] []",
        ] {
            assert!(unpack(rows).is_err(), "{rows}");
        }
    }

    #[test]
    fn a_list_in_a_row_is_its_text() {
        let expected = vec![vec![Value::from(r#"[1,["a"],{"b":null}]"#), Value::from(-1_i64)]];
        assert_eq!(unpack(r#"[[[1,["a"],{"b":null}],-1]]"#), Ok(expected));
    }
}
