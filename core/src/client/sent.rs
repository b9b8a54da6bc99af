//! A client that was not saved as it was sent, in JSON: what waits for review (S20).

use super::{
    ClientFields, Field,
    parse::{MEMBERS, NAMES},
    stored_text,
};
use crate::{
    json::{Members, push_text},
    normalize::FieldValue,
    time::iso_date,
};

/// A client that was read: its values as they would be stored. `new_settlement` is there if it is on.
pub(crate) fn sent_input(fields: &ClientFields, new_settlement: bool) -> String {
    let mut json = String::new();
    for (field, text) in fields.texts() {
        if let Some(text) = text {
            push_member(&mut json, field.name(), |json| push_text(json, text));
        }
    }
    for (field, date) in fields.dates() {
        if let Some(date) = date {
            push_member(&mut json, field.name(), |json| push_text(json, &iso_date(date)));
        }
    }
    for (name, is_on) in [(Field::DoNotMail.name(), fields.do_not_mail), ("new_settlement", new_settlement)] {
        if is_on {
            push_member(&mut json, name, |json| json.push_str("true"));
        }
    }
    ended(json)
}

/// A client that cannot be read: the texts that can be, and its members that a rule reads as they were sent. Arrays,
/// objects and invalid texts are `null`. It has no member where it is no object.
pub(crate) fn sent_unreadable(json: &str) -> (ClientFields, String) {
    let mut fields = ClientFields::default();
    let mut sent = String::new();
    let Ok(members) = Members::<MEMBERS>::parse(json, &NAMES) else { return (fields, ended(sent)) };
    let mut values = members.values();
    for name in NAMES {
        let Some(value) = values.next(name) else { continue };
        push_member(&mut sent, name, |json| match value {
            FieldValue::Text(text) => push_text(json, text),
            FieldValue::Number(token) => json.push_str(token),
            FieldValue::Bool(flag) => json.push_str(if *flag { "true" } else { "false" }),
            FieldValue::Absent | FieldValue::LoneSurrogate | FieldValue::Array | FieldValue::Object => {
                json.push_str("null");
            }
        });
        let known = fields.texts_mut().into_iter().find(|(field, _)| field.name() == name);
        if let Some((field, text)) = known {
            *text = stored_text(field, value).ok().flatten();
        }
    }
    (fields, ended(sent))
}

/// The values of an object, each with the name of its member.
pub(crate) fn sent_values(json: &str) -> Vec<(&'static str, String)> {
    let Ok(members) = Members::<MEMBERS>::parse(json, &NAMES) else { return Vec::new() };
    let mut values = members.values();
    let value = |name| {
        let text = match values.next(name)? {
            FieldValue::Text(text) => text.to_string(),
            FieldValue::Number(token) => token.to_string(),
            FieldValue::Bool(flag) => if *flag { "yes" } else { "no" }.to_owned(),
            FieldValue::Absent | FieldValue::LoneSurrogate | FieldValue::Array | FieldValue::Object => return None,
        };
        Some((name, text))
    };
    NAMES.into_iter().filter_map(value).collect()
}

fn push_member(json: &mut String, name: &str, value: impl FnOnce(&mut String)) {
    json.push(if json.is_empty() { '{' } else { ',' });
    push_text(json, name);
    json.push(':');
    value(json);
}

fn ended(mut json: String) -> String {
    json.push_str(if json.is_empty() { "{}" } else { "}" });
    json
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::parse_client;

    #[test]
    fn what_was_read_is_sent_again_as_the_same_client() {
        let sent = r#"{"external_id":"7 \"a\"","first_name":"Ana","settled_on":"2026-01-05","do_not_mail":true,"new_settlement":true}"#;
        let input = parse_client(sent).unwrap();
        assert_eq!(sent_input(&input.fields, true), sent);
        assert_eq!(sent_input(&ClientFields::default(), false), "{}");
    }

    #[test]
    fn what_cannot_be_read_is_kept_as_it_was_sent() {
        let sent =
            r#"{"external_id": 7, "zip": "02", "city": ["x"], "nickname": 1, "phone": "\ud83d", "do_not_mail": 1}"#;
        let (fields, kept) = sent_unreadable(sent);
        assert_eq!(fields.external_id.as_deref(), Some("7"));
        assert_eq!(kept, r#"{"city":null,"zip":"02","phone":null,"external_id":7,"do_not_mail":1}"#);
        assert_eq!(sent_unreadable("[7]").1, "{}");
    }
}
