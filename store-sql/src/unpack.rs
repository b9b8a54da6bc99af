//! Rows that come as JSON: those of a packed column, and all that D1 returns.

use std::{borrow::Cow, fmt};

use matterbook_core::store::StoreError;
use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor, value::SeqAccessDeserializer},
};

use serde_json::value::RawValue;

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
    let owned = |Row(cells): Row<'_>| cells.iter().map(|cell| cell.as_value().to_value()).collect();
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
    for Row(cells) in read(rows)? {
        show(&cells.iter().map(Cell::as_value).collect::<Vec<_>>())?;
    }
    Ok(())
}

fn read(rows: &str) -> Result<Vec<Row<'_>>, DriverError> {
    serde_json::from_str(rows).map_err(|error| DriverError::Failed(format!("packed rows are malformed: {error}")))
}

struct Row<'a>(Vec<Cell<'a>>);

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

struct RowVisitor;

impl<'de> Visitor<'de> for RowVisitor {
    type Value = Row<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a row")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Row<'de>, A::Error> {
        let mut cells = Vec::new();
        while let Some(cell) = values.next_element()? {
            cells.push(cell);
        }
        Ok(Row(cells))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Row<'de>, A::Error> {
        let mut cells = Vec::new();
        while let Some((IgnoredAny, cell)) = members.next_entry()? {
            cells.push(cell);
        }
        Ok(Row(cells))
    }
}

impl<'de> Deserialize<'de> for Row<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RowVisitor)
    }
}

struct CellVisitor;

impl<'de> Visitor<'de> for CellVisitor {
    type Value = Cell<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text, a whole number, null or a list")
    }

    fn visit_unit<E: Error>(self) -> Result<Cell<'de>, E> {
        Ok(Cell::Null)
    }

    fn visit_i64<E: Error>(self, integer: i64) -> Result<Cell<'de>, E> {
        Ok(Cell::Integer(integer))
    }

    fn visit_u64<E: Error>(self, integer: u64) -> Result<Cell<'de>, E> {
        i64::try_from(integer).map(Cell::Integer).map_err(E::custom)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Cell<'de>, E> {
        Ok(Cell::Text(text.into()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Cell<'de>, E> {
        Ok(Cell::Text(text.to_owned().into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, values: A) -> Result<Cell<'de>, A::Error> {
        let elements = Vec::<&RawValue>::deserialize(SeqAccessDeserializer::new(values))?;
        let elements: Vec<_> = elements.into_iter().map(RawValue::get).collect();
        Ok(Cell::Text(format!("[{}]", elements.join(",")).into()))
    }
}

impl<'de> Deserialize<'de> for Cell<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CellVisitor)
    }
}
