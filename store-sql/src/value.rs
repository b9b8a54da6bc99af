//! A value that is bound or read, and how it is written in JSON.

use matterbook_core::{
    SmolStr,
    json::{self, push_text},
    normalize::FieldValue,
    store::StoreError,
};
use uuid::Uuid;

use crate::driver::DriverError;

/// A value that keeps its text or bytes.
pub type Value = ValueOf<SmolStr, Box<[u8]>>;

/// A value whose text or bytes are in the row that is being read.
pub type ValueRef<'a> = ValueOf<&'a str, &'a [u8]>;

/// A value bound or read. No reals. Bytes travel as they are where a row is bound and read, and as
/// hexadecimal digits in JSON; so a text may be the digits of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueOf<Text, Bytes> {
    /// SQL `NULL`.
    Null,
    /// An integer below 2^53 in size.
    Integer(i64),
    /// Text.
    Text(Text),
    /// Sixteen bytes, such as an id.
    Id([u8; 16]),
    /// Any other number of bytes.
    Bytes(Bytes),
}

impl ValueRef<'_> {
    /// The value with what it borrows.
    #[must_use]
    pub fn to_value(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Integer(integer) => Value::Integer(integer),
            Self::Text(text) => Value::Text(text.into()),
            Self::Id(id) => Value::Id(id),
            Self::Bytes(bytes) => Value::Bytes(bytes.into()),
        }
    }
}

impl<'a> From<&'a [u8]> for ValueRef<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        <[u8; 16]>::try_from(bytes).map_or(Self::Bytes(bytes), Self::Id)
    }
}

impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Self {
        ValueRef::from(bytes).to_value()
    }
}

impl From<i64> for Value {
    fn from(integer: i64) -> Self {
        Self::Integer(integer)
    }
}

impl From<u32> for Value {
    fn from(integer: u32) -> Self {
        Self::Integer(i64::from(integer))
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Integer(i64::from(flag))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<SmolStr> for Value {
    fn from(text: SmolStr) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// The rows that one statement returned, packed ones unpacked.
pub type Rows = Vec<Vec<Value>>;

/// The name of the column whose value is rows, packed into a text.
pub const PACKED: &str = "packed";

/// The name of a column that says whether its row ends there: what comes after it need not be read.
pub const ENDS: &str = "ends";

/// The rows of a JSON array: those that a packed column holds, or objects with a column a member. A list
/// in a row is had as its text.
///
/// ```
/// use matterbook_store_sql::driver::{Value, unpack};
/// let rows = unpack(r#"[[null,7,"a"],["b"]]"#);
/// assert_eq!(rows.ok(), Some(vec![vec![Value::Null, Value::from(7_i64), Value::from("a")], vec![Value::from("b")]]));
/// ```
///
/// # Errors
/// When the text is not a JSON array of rows of texts, whole numbers, nulls and lists.
pub fn unpack(rows: &str) -> Result<Rows, DriverError> {
    let value = |value: FieldValue<'_>| match value {
        FieldValue::Absent => Some(Value::Null),
        FieldValue::Number(number) => number.parse().ok().map(Value::Integer),
        FieldValue::Text(text) => Some(Value::from(&*text)),
        _ => None,
    };
    json::rows(rows, value).ok_or_else(malformed)
}

/// Reads the same rows, one by one, and shows each: for who does not keep them.
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
/// When the text is none of such rows, or `show` fails.
pub fn show_unpacked(
    rows: &str,
    show: &mut dyn FnMut(&[ValueRef<'_>]) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut reader = json::RowReader::new(rows);
    let mut row = Vec::new();
    while reader.read(&mut row).ok_or_else(malformed)? {
        let mut values = Vec::with_capacity(row.len());
        for value in &row {
            values.push(match value {
                FieldValue::Absent => ValueRef::Null,
                FieldValue::Number(number) => ValueRef::Integer(number.parse().map_err(|_| malformed())?),
                FieldValue::Text(text) => ValueRef::Text(text),
                _ => return Err(malformed().into()),
            });
        }
        show(&values)?;
    }
    Ok(())
}

fn malformed() -> DriverError {
    DriverError::Failed("packed rows are none".to_owned())
}

impl Value {
    /// The value, borrowed.
    #[must_use]
    pub fn borrowed(&self) -> ValueRef<'_> {
        match self {
            Self::Null => ValueRef::Null,
            Self::Integer(integer) => ValueRef::Integer(*integer),
            Self::Text(text) => ValueRef::Text(text),
            Self::Id(id) => ValueRef::Id(*id),
            Self::Bytes(bytes) => ValueRef::Bytes(bytes),
        }
    }

    /// Writes the value as JSON.
    pub(crate) fn push_json(&self, json: &mut String) {
        match self {
            Self::Null => json.push_str("null"),
            Self::Integer(integer) => json.push_str(itoa::Buffer::new().format(*integer)),
            Self::Text(text) => push_text(json, text),
            Self::Id(_) | Self::Bytes(_) => {
                json.push('"');
                json.push_str(&self.digits());
                json.push('"');
            }
        }
    }

    /// The hexadecimal digits of bytes; nothing for another value.
    #[must_use]
    pub fn digits(&self) -> SmolStr {
        match self {
            Self::Id(id) => SmolStr::new(Uuid::from_bytes(*id).simple().encode_lower(&mut Uuid::encode_buffer())),
            Self::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            Self::Null | Self::Integer(_) | Self::Text(_) => SmolStr::default(),
        }
    }

    /// The length of the value in JSON, in bytes; of an integer the most that it can be.
    pub(crate) fn json_length(&self) -> usize {
        match self {
            Self::Null => 4,
            Self::Integer(_) => 20,
            Self::Id(_) => 34,
            Self::Bytes(bytes) => 2 + 2 * bytes.len(),
            Self::Text(text) => {
                let escaped = |byte: u8| match byte {
                    b'"' | b'\\' | b'\n' | b'\t' | b'\r' => 1,
                    0..b' ' => 5,
                    _ => 0,
                };
                2 + text.len() + text.bytes().map(escaped).sum::<usize>()
            }
        }
    }
}
