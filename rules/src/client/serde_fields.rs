//! Fields in any format of serde.

use alloc::borrow::Cow;
use core::fmt;

use serde::{
    de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor},
    ser::{Serialize, SerializeStruct as _, Serializer},
};

use super::{ClientFields, ClientFieldsOf, Field};
use crate::normalize::{FieldValue, iso_date};

/// As its name.
impl Serialize for Field {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = FieldName::deserialize(deserializer)?.0;
        name.parse().map_err(D::Error::custom)
    }
}

/// Every member in the order of a record, `null` where it is not known.
impl<Text: AsRef<str>> Serialize for ClientFieldsOf<Text> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("ClientFields", Field::ALL.len())?;
        for (field, text) in self.texts() {
            record.serialize_field(field.name(), &text.as_ref().map(AsRef::as_ref))?;
        }
        for (field, date) in self.dates() {
            record.serialize_field(field.name(), &date.map(iso_date).as_deref())?;
        }
        record.serialize_field(Field::DoNotMail.name(), &self.do_not_mail)?;
        record.end()
    }
}

/// Each value by its rule. Members of other names are ignored, and the last of two with one name counts. The error
/// is the sentence of a [`ParseError`](super::ParseError).
impl<'de> Deserialize<'de> for ClientFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Record)
    }
}

struct Record;

impl<'de> Visitor<'de> for Record {
    type Value = ClientFields;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the fields of a client")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ClientFields, A::Error> {
        let mut builder = ClientFields::builder();
        while let Some(FieldName(name)) = map.next_key()? {
            match Field::from_name(&name) {
                Some(field) => builder = builder.set(field, map.next_value::<FieldValue<'de>>()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        builder.build().map_err(A::Error::custom)
    }
}

/// The name of a member, borrowed where the format allows it.
struct FieldName<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for FieldName<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl<'de> Visitor<'de> for Name {
            type Value = FieldName<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a name")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
                Ok(FieldName(Cow::Owned(name.into())))
            }

            fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Self::Value, E> {
                Ok(FieldName(Cow::Borrowed(name)))
            }
        }

        deserializer.deserialize_str(Name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_by_their_rules_and_written_as_stored() {
        let json =
            r#"{"zip": 2134, "first_name": " Jos\u00e9", "note": [1], "settled_on": "1/5/2026", "do_not_mail": "yes"}"#;
        let fields: ClientFields = serde_json::from_str(json).unwrap();
        let written = serde_json::to_value(&fields).unwrap();
        assert_eq!((&written["zip"], &written["first_name"]), (&"02134".into(), &"José".into()));
        assert_eq!((&written["settled_on"], &written["do_not_mail"]), (&"2026-01-05".into(), &true.into()));
        assert_eq!(written["city"], serde_json::Value::Null);
        let names: Vec<_> = written.as_object().unwrap().keys().cloned().collect();
        let mut expected = Field::RECORD.map(|field| field.name().to_owned()).to_vec();
        expected.sort();
        assert_eq!(names, expected);
        assert_eq!(serde_json::from_value::<ClientFields>(written).unwrap(), fields);
    }

    #[test]
    fn every_problem_is_in_the_error() {
        let error = serde_json::from_str::<ClientFields>(r#"{"zip": "x", "first_name": {}}"#).unwrap_err().to_string();
        assert!(error.contains("first_name must be a string; zip must have 5 or 9 digits"), "{error}");
    }

    #[test]
    fn a_field_is_its_name() {
        assert_eq!(serde_json::to_string(&Field::AddressLine1).unwrap(), "\"address_line1\"");
        assert_eq!(serde_json::from_str::<Field>("\"zip\"").unwrap(), Field::Zip);
        assert!(serde_json::from_str::<Field>("\"shoe_size\"").is_err());
    }
}
