//! A client as it is read back: every member, `null` where unknown, under the names of the input
//! (design section 3).

use serde::Serialize;
use smol_str::SmolStr;
use uuid::Uuid;

use super::Client;
use crate::time::{Timestamp, iso_date};

/// The JSON of one client.
#[derive(Serialize)]
pub(crate) struct ClientBody<'a> {
    id: Uuid,
    external_id: Option<&'a str>,
    first_name: Option<&'a str>,
    last_name: Option<&'a str>,
    address_line1: Option<&'a str>,
    address_line2: Option<&'a str>,
    city: Option<&'a str>,
    state: Option<&'a str>,
    zip: Option<&'a str>,
    email: Option<&'a str>,
    phone: Option<&'a str>,
    case_type: Option<&'a str>,
    opened_on: Option<SmolStr>,
    settled_on: Option<SmolStr>,
    do_not_mail: bool,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl<'a> From<&'a Client> for ClientBody<'a> {
    fn from(client: &'a Client) -> Self {
        let fields = &client.fields;
        Self {
            id: client.id,
            external_id: fields.external_id.as_deref(),
            first_name: fields.first_name.as_deref(),
            last_name: fields.last_name.as_deref(),
            address_line1: fields.address_line1.as_deref(),
            address_line2: fields.address_line2.as_deref(),
            city: fields.city.as_deref(),
            state: fields.state.as_deref(),
            zip: fields.zip.as_deref(),
            email: fields.email.as_deref(),
            phone: fields.phone.as_deref(),
            case_type: fields.case_type.as_deref(),
            opened_on: fields.opened_on.map(iso_date),
            settled_on: fields.settled_on.map(iso_date),
            do_not_mail: fields.do_not_mail,
            created_at: client.created_at,
            updated_at: client.updated_at,
        }
    }
}
