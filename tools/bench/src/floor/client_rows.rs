//! Clients as a table holds them, from the bodies that the service gets. All work before the binding is done
//! here, before the clock runs.

use matterbook_core::{
    client::{ClientFields, parse_client},
    id::IdMint,
    matching::MatchKey,
    time::Timestamp,
};
use rusqlite::types::Value;
use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::Outcome;

/// One client, ready to be bound.
pub struct ClientRow {
    /// Generated as in the service, so that rows have the same order in the tables.
    pub id: Uuid,
    /// The values of the client's fields, in the order of
    /// [`CLIENT_FIELDS`](matterbook_store_sql::columns::CLIENT_FIELDS).
    pub fields: Vec<Value>,
    /// The hash of its name.
    pub name_hash: Value,
    /// The hash of its street.
    pub street_hash: Value,
    /// The hash of its unit.
    pub unit_hash: Value,
    /// The first five digits of its ZIP.
    pub zip5: Value,
    /// Its fingerprint.
    pub fingerprint: [u8; 16],
}

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(borrow)]
    clients: Vec<&'a RawValue>,
}

/// The clients of a body, as a request at `now` would store them.
///
/// # Errors
/// When the body cannot be parsed.
pub fn client_rows(body: &[u8], now: Timestamp) -> Outcome<Vec<ClientRow>> {
    let body: Body<'_> = serde_json::from_slice(body)?;
    let mut random = [0; 10];
    random[..8].copy_from_slice(&now.micros().wrapping_mul(0x1E37_79B9_7F4A_7C15).to_be_bytes());
    let mint = IdMint::new(now, random);
    let row = |(number, client): (u32, &&RawValue)| {
        let fields = parse_client(client.get())?.fields;
        let person = MatchKey::of(&fields).hash();
        Ok(ClientRow {
            id: mint.id(2 * number),
            name_hash: person.name.into(),
            street_hash: person.street.into(),
            unit_hash: person.unit.into(),
            zip5: person.zip5.into(),
            fingerprint: fields.fingerprint().0,
            fields: values(fields),
        })
    };
    (0..).zip(&body.clients).map(row).collect()
}

fn values(fields: ClientFields) -> Vec<Value> {
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
    vec![
        text(external_id),
        text(first_name),
        text(last_name),
        text(address_line1),
        text(address_line2),
        text(city),
        text(state),
        text(zip),
        text(email),
        text(phone),
        text(case_type),
        text(opened_on),
        text(settled_on),
        do_not_mail.into(),
    ]
}

fn text(value: Option<impl ToString>) -> Value {
    value.map(|value| value.to_string()).into()
}
