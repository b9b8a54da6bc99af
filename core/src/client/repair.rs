//! Repairs: the values of a client whose stored form differs from the one sent (rule X8). Parsing does
//! not need them, so the rules run once more for callers that ask for them.

use std::fmt;

use smol_str::SmolStr;

use super::reading::Reading;
use crate::{
    normalize::{self, Field, FieldValue, Problem},
    time::iso_date,
};

/// A value whose stored form differs from the one sent.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// The field.
    pub field: Field,
    /// As the caller sent it, with its white space.
    pub from: SentValue,
    /// As it is stored.
    pub to: StoredValue,
}

/// A readable value as the caller sent it. It displays as its characters.
///
/// It is client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SentValue {
    /// A string.
    Text(SmolStr),
    /// A number, digit for digit.
    Number(SmolStr),
}

/// The stored form of a value. It displays as a text, or as `true` or `false`.
///
/// It is client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredValue {
    /// Of every field but `do_not_mail`; a date as `YYYY-MM-DD`.
    Text(SmolStr),
    /// Of `do_not_mail`.
    Bool(bool),
}

/// The stored form of one field's value, by the field's rule; `None` for a blank one.
///
/// # Errors
/// What is wrong with the value, in words for the caller. They repeat no value.
///
/// ```
/// use matterbook_core::{client::{StoredValue, stored_value}, normalize::{Field, FieldValue}};
/// assert_eq!(stored_value(Field::Zip, &FieldValue::from("2134")), Ok(Some(StoredValue::Text("02134".into()))));
/// assert_eq!(stored_value(Field::OpenedOn, &FieldValue::from("Jan 5, 2026")).unwrap().unwrap().to_string(), "2026-01-05");
/// assert_eq!(stored_value(Field::City, &FieldValue::from(" ")), Ok(None));
/// assert!(stored_value(Field::State, &FieldValue::from("Narnia")).is_err());
/// ```
pub fn stored_value(field: Field, sent: &FieldValue<'_>) -> Result<Option<StoredValue>, Problem> {
    let text = match field {
        Field::OpenedOn | Field::SettledOn => normalize::date(sent)?.map(iso_date),
        Field::DoNotMail => return Ok(normalize::boolean(sent)?.map(StoredValue::Bool)),
        text => normalized_text(text, sent)?,
    };
    Ok(text.map(StoredValue::Text))
}

/// What is stored of a text's value, by the rule of its field; `None` for a field that is no text.
#[inline]
pub(super) fn normalized_text(field: Field, sent: &FieldValue<'_>) -> Result<Option<SmolStr>, Problem> {
    match field {
        Field::FirstName | Field::LastName | Field::City | Field::CaseType => {
            normalize::text(sent, Field::TEXT_MAX_LENGTH)
        }
        Field::AddressLine1 | Field::AddressLine2 => normalize::address(sent, Field::ADDRESS_MAX_LENGTH),
        Field::State => normalize::state(sent),
        Field::Zip => normalize::zip(sent),
        Field::Email => normalize::email(sent),
        Field::Phone => normalize::phone(sent),
        Field::ExternalId => normalize::external_id(sent),
        Field::OpenedOn | Field::SettledOn | Field::DoNotMail => Ok(None),
    }
}

/// The repair of one field's value. `None` for a value that is stored as sent, a number that is stored by
/// its digits, a blank, and a refused value.
///
/// ```
/// use matterbook_core::{client::repair, normalize::{Field, FieldValue}};
/// let phone = repair(Field::Phone, &FieldValue::from("(617) 555-0142 x9")).unwrap();
/// assert_eq!(phone.from.to_string(), "(617) 555-0142 x9");
/// assert_eq!(phone.to.to_string(), "+16175550142");
///
/// assert_eq!(repair(Field::Zip, &FieldValue::from(62704_i64)), None);
/// assert_eq!(repair(Field::Zip, &FieldValue::from("123")), None);
/// ```
#[must_use]
pub fn repair(field: Field, sent: &FieldValue<'_>) -> Option<Repair> {
    let to = stored_value(field, sent).ok()??;
    let (characters, from) = match sent {
        FieldValue::Text(text) => (text, SentValue::Text(text.as_ref().into())),
        FieldValue::Number(token) => (token, SentValue::Number(token.as_ref().into())),
        FieldValue::Absent
        | FieldValue::Bool(_)
        | FieldValue::LoneSurrogate
        | FieldValue::Array
        | FieldValue::Object => {
            return None;
        }
    };
    let is_as_sent = matches!(&to, StoredValue::Text(text) if text == characters.as_ref());
    (!is_as_sent).then_some(Repair { field, from, to })
}

/// The repairs of one client object, in the order of [`Field::ALL`]. A refused client has those of its
/// readable fields. A value that is not an object has none.
///
/// ```
/// use matterbook_core::{client::repairs, normalize::Field};
/// let repairs = repairs(r#"{"first_name": " Ana ", "last_name": "Li", "zip": 2134, "state": "Narnia"}"#);
/// let shown: Vec<_> = repairs.iter().map(|repair| (repair.field, repair.to.to_string())).collect();
/// assert_eq!(shown, [(Field::FirstName, "Ana".to_owned()), (Field::Zip, "02134".to_owned())]);
/// ```
#[must_use]
pub fn repairs(json: &str) -> Vec<Repair> {
    Reading::of(json).repairs
}

impl fmt::Display for SentValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(characters) | Self::Number(characters) => formatter.write_str(characters),
        }
    }
}

impl fmt::Display for StoredValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => formatter.write_str(text),
            Self::Bool(value) => formatter.write_str(if *value { "true" } else { "false" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;
    use crate::{
        client::{Client, parse_client, push_client},
        time::Timestamp,
    };

    /// `repaired` is what is kept, where that is not what was sent.
    fn check(field: &str, token: &str, repaired: Option<&str>) {
        let found = repairs(&format!("{{\"{field}\": {token}}}"));
        let shown = |repair: &Repair| match &repair.to {
            StoredValue::Text(text) => format!("{text:?}"),
            StoredValue::Bool(value) => value.to_string(),
        };
        assert_eq!(found.first().map(shown).as_deref(), repaired, "{field} {token}");
        for repair in found {
            let sent = match repair.from {
                SentValue::Text(text) => json!(text.as_str()),
                SentValue::Number(token) => serde_json::from_str(&token).unwrap(),
            };
            assert_eq!(sent, serde_json::from_str::<Value>(token).unwrap(), "{field} {token}");
        }
    }

    /// What the parser keeps of a field of a client.
    fn parsed(field: &str, token: &str) -> Value {
        let fields = parse_client(&format!("{{\"{field}\": {token}}}")).unwrap().fields;
        let at = Timestamp::from_micros(1);
        let client = Client { id: Uuid::nil(), fields, created_at: at, updated_at: at };
        let mut json = String::new();
        push_client(&mut json, &client.borrowed());
        serde_json::from_str::<Value>(&json).unwrap()[field].clone()
    }

    #[test]
    fn what_is_kept_as_it_was_sent_is_no_repair() {
        for (field, token) in [
            ("first_name", "\"Ana\""),
            ("first_name", "\"O'Neil  Jr\""),
            ("address_line1", "\"1 oak st\\n2nd floor\""),
            ("state", "\"IL\""),
            ("zip", "\"62704\""),
            ("zip", "\"62704-1234\""),
            ("zip", "62704"),
            ("email", "\"Ana@example.com\""),
            ("phone", "\"+16175550142\""),
            ("opened_on", "\"2026-01-05\""),
            ("external_id", "\"A 1\""),
            ("external_id", "7"),
            ("external_id", "-12345678901234567890123456789"),
            ("do_not_mail", "true"),
            ("do_not_mail", "false"),
        ] {
            check(field, token, None);
        }
    }

    #[test]
    fn every_kind_of_repair_is_told() {
        for (field, token, kept) in [
            ("first_name", "\" Ana\\u200b\"", "\"Ana\""),
            ("last_name", "\"Mu\\u0308ller\"", "\"Müller\""),
            ("address_line1", "\"1 Oak St\\t\"", "\"1 Oak St\""),
            ("address_line2", "\"\\ufeffApt 4\"", "\"Apt 4\""),
            ("city", "\" Reno\"", "\"Reno\""),
            ("state", "\"illinois\"", "\"IL\""),
            ("state", "\"il\"", "\"IL\""),
            ("zip", "2134", "\"02134\""),
            ("zip", "\"62704.0\"", "\"62704\""),
            ("zip", "627041234", "\"62704-1234\""),
            ("email", "\"Ana@EXAMPLE.com\"", "\"Ana@example.com\""),
            ("phone", "6175550142", "\"+16175550142\""),
            ("phone", "\"617.555.0142\"", "\"+16175550142\""),
            ("case_type", "\"auto \"", "\"auto\""),
            ("opened_on", "\"1/5/2026\"", "\"2026-01-05\""),
            ("settled_on", "\"2026-01-05T23:00:00-05:00\"", "\"2026-01-05\""),
            ("external_id", "\" 7 \"", "\"7\""),
            ("do_not_mail", "\"yes\"", "true"),
            ("do_not_mail", "\"off\"", "false"),
            ("do_not_mail", "\"true\"", "true"),
        ] {
            check(field, token, Some(kept));
            assert_eq!(parsed(field, token), serde_json::from_str::<Value>(kept).unwrap(), "{field} {token}");
        }
    }

    #[test]
    fn blanks_and_what_is_refused_are_no_repairs() {
        for (field, token) in [
            ("city", "\"  \""),
            ("zip", "null"),
            ("zip", "\"123\""),
            ("phone", "{}"),
            ("first_name", "7"),
            ("first_name", "\"\\ud83d\""),
            ("do_not_mail", "1"),
            ("do_not_mail", "\"\""),
            ("new_settlement", "\"yes\""),
            ("nickname", "\" Nan \""),
        ] {
            check(field, token, None);
        }
        assert_eq!(repairs("[]"), []);
        assert_eq!(repairs("{\"first_name\": \" Ana \""), []);
    }

    #[test]
    fn repairs_come_in_the_references_order() {
        let fields = |json| repairs(json).iter().map(|repair| repair.field.name()).collect::<Vec<_>>();
        assert_eq!(
            fields(
                r#"{"external_id": " 7", "zip": 2134, "do_not_mail": "y", "first_name": "Ana ", "first_name": " A"}"#
            ),
            ["first_name", "zip", "external_id", "do_not_mail"],
        );
    }
}
