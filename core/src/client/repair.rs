//! The repairs of a client object (rule X8). Parsing does not need them, so the rules run once more for
//! callers that ask for them.

use super::{Repair, reading::Reading};

/// The repairs of one client object, in the order of [`Field::ALL`](super::Field::ALL). A refused client has those of its
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;
    use crate::{
        client::{Client, SentValue, StoredValue, parse_client, push_client},
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
