//! A client in an answer: every member, `null` where unknown (rule V1).

use uuid::Uuid;

use super::{ClientRef, Field};
use crate::{json::push_optional_text, time::iso_date};

/// The members of a client in an answer, in their order: its id, its fields in the order of a record, and its times.
///
/// ```
/// use matterbook_core::client::MEMBERS;
/// let [id, fields @ .., created_at, updated_at] = MEMBERS;
/// assert_eq!([id, created_at, updated_at], ["id", "created_at", "updated_at"]);
/// assert_eq!(fields[0], "external_id");
/// ```
pub const MEMBERS: [&str; 17] = {
    let mut members = [""; 17];
    let [id, fields @ .., created_at, updated_at] = &mut members;
    (*id, *created_at, *updated_at) = ("id", "created_at", "updated_at");
    let mut place = 0;
    while place < Field::RECORD.len() {
        #[expect(clippy::indexing_slicing, reason = "evaluated while compiling; `get_mut` is not const")]
        {
            fields[place] = Field::RECORD[place].name();
        }
        place += 1;
    }
    members
};

/// The JSON of most clients is shorter, in bytes.
pub(crate) const CLIENT_BYTES: usize = 512;

/// Writes the JSON of one client.
pub(crate) fn push_client(json: &mut String, client: &ClientRef<'_>) {
    let ClientRef { id, fields, created_at, updated_at } = client;
    json.push_str("{\"id\":\"");
    json.push_str(id.hyphenated().encode_lower(&mut Uuid::encode_buffer()));
    json.push('"');
    for (field, text) in fields.texts() {
        json.push_str(field.json_name());
        push_optional_text(json, *text);
    }
    for (field, date) in fields.dates() {
        json.push_str(field.json_name());
        push_optional_text(json, date.map(iso_date).as_deref());
    }
    json.push_str(Field::DoNotMail.json_name());
    json.push_str(if fields.do_not_mail { "true" } else { "false" });
    json.push_str(",\"created_at\":\"");
    created_at.push(json);
    json.push_str("\",\"updated_at\":\"");
    updated_at.push(json);
    json.push_str("\"}");
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{
        client::{Client, ClientFields, MEMBERS},
        time::Timestamp,
    };

    fn check(client: &Client, expected: Value) {
        let mut text = String::new();
        push_client(&mut text, &client.borrowed());
        let found: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(found, expected, "{text}");
        let place = |member: &str| text.find(&format!("\"{member}\":"));
        assert!(MEMBERS.iter().all(|member| place(member).is_some()), "{text}");
        assert!(MEMBERS.is_sorted_by_key(|member| place(member)), "{text}");
        assert_eq!(found.as_object().unwrap().len(), MEMBERS.len(), "{text}");
    }

    #[test]
    fn a_client_has_every_member() {
        let id = Uuid::from_u128(10);
        let (created_at, updated_at) = (Timestamp::from_micros(1), Timestamp::from_micros(1_767_225_599_999_999));
        let text = |text: &str| Some(text.into());
        let date = |text: &str| Some(text.parse().unwrap());
        let unknown = Client { id, fields: ClientFields::default(), created_at, updated_at };
        check(
            &unknown,
            json!({
                "id": "00000000-0000-0000-0000-00000000000a", "external_id": null, "first_name": null,
                "last_name": null, "address_line1": null, "address_line2": null, "city": null, "state": null,
                "zip": null, "email": null, "phone": null, "case_type": null, "opened_on": null,
                "settled_on": null, "do_not_mail": false, "created_at": "1970-01-01T00:00:00.000001Z",
                "updated_at": "2025-12-31T23:59:59.999999Z",
            }),
        );
        let fields = ClientFields {
            external_id: text("A\\1"),
            first_name: text("Ann \"Nan\""),
            last_name: text("Müller"),
            address_line1: text("1 Oak St\n2nd door"),
            address_line2: text("Apt\t4"),
            city: text("Springfield"),
            state: text("IL"),
            zip: text("62704"),
            email: text("ann@example.com"),
            phone: text("+12175550100"),
            case_type: text("MVA"),
            opened_on: date("2025-01-05"),
            settled_on: date("2026-02-28"),
            do_not_mail: true,
        };
        check(
            &Client { fields, ..unknown },
            json!({
                "id": "00000000-0000-0000-0000-00000000000a", "external_id": "A\\1", "first_name": "Ann \"Nan\"",
                "last_name": "Müller", "address_line1": "1 Oak St\n2nd door", "address_line2": "Apt\t4",
                "city": "Springfield", "state": "IL", "zip": "62704", "email": "ann@example.com",
                "phone": "+12175550100", "case_type": "MVA", "opened_on": "2025-01-05", "settled_on": "2026-02-28",
                "do_not_mail": true, "created_at": "1970-01-01T00:00:00.000001Z",
                "updated_at": "2025-12-31T23:59:59.999999Z",
            }),
        );
    }
}
