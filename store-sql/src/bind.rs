//! From the rules' types to values that are bound.

use chrono::NaiveDate;
use matterbook_core::{
    client::{ClientFields, Fingerprint},
    json::push_text,
    store::Position,
    time::{Timestamp, iso_date},
};
use uuid::Uuid;

use crate::driver::Value;

/// An id.
pub(crate) fn id(id: Uuid) -> Value {
    Value::Id(id.into_bytes())
}

/// Microseconds.
pub(crate) fn time(time: Timestamp) -> Value {
    Value::Integer(time.micros())
}

/// `YYYY-MM-DD`.
pub(crate) fn date(date: NaiveDate) -> Value {
    Value::Text(iso_date(date))
}

/// The fingerprint of a record.
pub(crate) fn fingerprint(fingerprint: Fingerprint) -> Value {
    // As many bytes as an id has.
    id(Uuid::from_bytes(fingerprint.0))
}

/// A JSON array of texts.
pub(crate) fn texts(texts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut json = String::from("[");
    for text in texts {
        if json.len() > 1 {
            json.push(',');
        }
        push_text(&mut json, text.as_ref());
    }
    json.push(']');
    json
}

/// A JSON array of numbers, or of arrays of numbers, which `Debug` writes in the same way.
pub(crate) fn numbers<T: Number>(list: &[T]) -> String {
    format!("{list:?}")
}

/// A number, or an array of them.
pub(crate) trait Number: std::fmt::Debug {}

impl Number for i64 {}
impl<const N: usize> Number for [i64; N] {}

/// The place after which a listing begins: that of the first row when there is none.
pub(crate) fn place(after: Option<Position>) -> (Value, Value) {
    after.map_or_else(|| (Value::Integer(0), Value::from([].as_slice())), |place| (time(place.at), id(place.id)))
}

/// The place before which a listing that goes back begins: after every row when there is none.
pub(crate) fn before(before: Option<Position>) -> (Value, Value) {
    let before = before.unwrap_or(Position { at: Timestamp::MAX, id: Uuid::max() });
    (time(before.at), id(before.id))
}

/// The values of [`CLIENT_FIELDS`](crate::columns::CLIENT_FIELDS).
pub(crate) fn client_fields(fields: &ClientFields) -> Vec<Value> {
    let texts = fields.texts().map(|(_, text)| text.clone().into());
    let dates = fields.dates().map(|(_, day)| day.map(date).into());
    texts.into_iter().chain(dates).chain([fields.do_not_mail.into()]).collect()
}
