//! From the rules' types to values that are bound.

use chrono::NaiveDate;
use matterbook_core::{
    client::{ClientFields, Fingerprint},
    store::Position,
    time::{Timestamp, iso_date},
};
use serde::Serialize;
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
pub(crate) fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    json(&Vec::from_iter(texts))
}

/// A list as a JSON array.
pub(crate) fn json(list: &impl Serialize) -> String {
    // Numbers and texts always have a JSON form.
    serde_json::to_string(list).unwrap_or_default()
}

/// The place after which a listing begins: that of the first row when there is none.
pub(crate) fn place(after: Option<Position>) -> (Value, Value) {
    after.map_or_else(|| (Value::Integer(0), Value::from([].as_slice())), |place| (time(place.at), id(place.id)))
}

/// The values of [`CLIENT_FIELDS`](crate::columns::CLIENT_FIELDS).
pub(crate) fn client_fields(fields: ClientFields) -> [Value; 14] {
    let ClientFields {
        external_id,
        first_name,
        last_name,
        address_line1,
        address_line2,
        city,
        state,
        zip,
        email,
        phone,
        case_type,
        opened_on,
        settled_on,
        do_not_mail,
    } = fields;
    [
        external_id.into(),
        first_name.into(),
        last_name.into(),
        address_line1.into(),
        address_line2.into(),
        city.into(),
        state.into(),
        zip.into(),
        email.into(),
        phone.into(),
        case_type.into(),
        opened_on.map(date).into(),
        settled_on.map(date).into(),
        do_not_mail.into(),
    ]
}
