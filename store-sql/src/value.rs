//! A value that is bound or read, and how it is written in JSON.

use matterbook_core::{SmolStr, json::push_text};
use uuid::Uuid;

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

/// A text as a JSON string, with its quotes.
pub(crate) fn json_text(text: &str) -> String {
    let mut json = String::new();
    push_text(&mut json, text);
    json
}
