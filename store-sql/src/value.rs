//! A value that is bound or read, and how it is written in JSON.

/// A value bound or read. No blobs and no reals: ids travel as 32 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// SQL `NULL`.
    Null,
    /// An integer below 2^53 in size.
    Integer(i64),
    /// Text.
    Text(String),
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
        Self::Text(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// The rows that one statement returned.
pub type Rows = Vec<Vec<Value>>;

impl Value {
    /// Writes the value as JSON.
    pub(crate) fn push_json(&self, json: &mut String) {
        match self {
            Self::Null => json.push_str("null"),
            Self::Integer(integer) => json.push_str(&integer.to_string()),
            Self::Text(text) => push_json_text(json, text),
        }
    }

    /// The length of the value in JSON, in bytes; of an integer the most that it can be.
    pub(crate) fn json_length(&self) -> usize {
        match self {
            Self::Null => 4,
            Self::Integer(_) => 20,
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

/// Writes a text as a JSON string.
fn push_json_text(json: &mut String, text: &str) {
    json.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            '\n' => json.push_str("\\n"),
            '\t' => json.push_str("\\t"),
            '\r' => json.push_str("\\r"),
            control if control < ' ' => json.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => json.push(other),
        }
    }
    json.push('"');
}
