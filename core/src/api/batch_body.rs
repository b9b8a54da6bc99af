//! The body of `POST /clients`: read in one pass where everything in it is as it should be, and
//! otherwise token by token, to say what is not.

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{error::ApiError, json_body, query};
use crate::{
    client::{ClientInput, ClientSeed, parse_client},
    json::{MemberOrder, NamePlace},
};

/// The most clients in one batch (reference section 8).
pub(crate) const BATCH_LIMIT: usize = 500;

/// What is read of the body: the clients, and what is refused because ignoring it would save.
const NAMES: [&str; 1 + query::RESERVED.len()] = ["clients", query::RESERVED[0], query::RESERVED[1]];

/// The clients of a body; those that cannot be read stand as the sentence that says why.
pub(crate) type Inputs = Vec<Result<ClientInput, String>>;

/// Reads the clients of a body.
pub(crate) fn read(text: &str) -> Result<Inputs, ApiError> {
    match in_one_pass(text) {
        Some(inputs) => Ok(inputs),
        None => by_tokens(text),
    }
}

/// The clients of an object that holds an array of at most 500 objects, and nothing that is reserved.
fn in_one_pass(text: &str) -> Option<Inputs> {
    let mut deserializer = serde_json::Deserializer::from_str(text.strip_prefix('\u{feff}').unwrap_or(text));
    let inputs = deserializer.deserialize_map(BodyVisitor).ok()?;
    deserializer.end().ok()?;
    inputs
}

/// The clients of any body, or the error that it gets. Each client is read apart from the others, so
/// that one that is no object spoils itself alone.
fn by_tokens(text: &str) -> Result<Inputs, ApiError> {
    let members = json_body::members(text, &NAMES)?;
    json_body::refuse_reserved(&members)?;
    let elements = json_body::elements(&members, "clients", BATCH_LIMIT)?;
    Ok(elements.into_iter().map(RawValue::get).map(parse_client).collect())
}

struct BodyVisitor;

impl<'de> Visitor<'de> for BodyVisitor {
    type Value = Option<Inputs>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut inputs = None;
        let mut is_plain = true;
        while let Some(place) = map.next_key_seed(NamePlace { names: &NAMES, guess: 0 })? {
            match place {
                Some(0) => inputs = map.next_value_seed(Clients)?,
                _ => {
                    is_plain &= place.is_none();
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(inputs.filter(|_| is_plain))
    }
}

/// An array of clients; `None` when they are too many.
struct Clients;

impl<'de> DeserializeSeed<'de> for Clients {
    type Value = Option<Inputs>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Clients {
    type Value = Option<Inputs>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let mut inputs = Vec::with_capacity(BATCH_LIMIT);
        let mut order = MemberOrder::default();
        while inputs.len() < BATCH_LIMIT {
            if sequence.next_element_seed(ClientSeed { inputs: &mut inputs, order: &mut order })?.is_none() {
                return Ok(Some(inputs));
            }
        }
        let mut is_full = true;
        while sequence.next_element::<IgnoredAny>()?.is_some() {
            is_full = false;
        }
        Ok(is_full.then_some(inputs))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Both ways of reading a body come to the same clients, where the quick one comes to any.
    fn check(body: &str) {
        if let Some(inputs) = in_one_pass(body) {
            assert_eq!(by_tokens(body).ok(), Some(inputs), "{body}");
        }
    }

    #[test]
    fn what_is_as_it_should_be_is_read_in_one_pass() {
        for body in [
            r#"{"clients": []}"#,
            "\u{feff} {\"clients\": [{}, {\"zip\": 2134, \"zip\": \"x\", \"other\": [[{}]]}]}\n",
            r#"{"clients": [{"first_name": "\ud83d"}], "of": {"clients": 1}}"#,
            r#"{"clients": [{"opened_on": "then"}], "clients": [{"zip": 1e999}]}"#,
        ] {
            assert!(in_one_pass(body).is_some(), "{body}");
            check(body);
        }
    }

    #[test]
    fn whatever_is_not_is_left_to_the_other_way() {
        let clients = |count: usize| format!("{{\"clients\": [{}]}}", vec!["{}"; count].join(","));
        assert!(in_one_pass(&clients(500)).is_some());
        for body in [
            "",
            "[]",
            "{}",
            r#"{"clients": null}"#,
            r#"{"clients": [7]}"#,
            r#"{"clients": [{"\ud83d": 1}]}"#,
            r#"{"clients": [], "dry_run": false}"#,
            r#"{"clients": []} {}"#,
            r#"{"clients": [{}"#,
            &clients(501),
        ] {
            assert!(in_one_pass(body).is_none(), "{body}");
        }
    }

    proptest! {
        #[test]
        fn both_ways_agree(body in body()) {
            check(&body);
        }
    }

    /// Bodies of which about half are as they should be.
    fn body() -> impl Strategy<Value = String> {
        let value = prop_oneof![
            4 => Just(r#""a""#),
            1 => prop::sample::select(vec!["7", "null", r#""\u00e9\ud83d""#, "[{}]", "1e400"]),
        ];
        let name = prop_oneof![Just("zip"), Just("state"), Just("first_name"), Just(r"z\u0069p"), Just(r"\ud83d")];
        let member = (name, value).prop_map(|(name, value)| format!("\"{name}\": {value}"));
        let object = prop::collection::vec(member, 0..4).prop_map(|members| format!("{{{}}}", members.join(",")));
        let element = prop_oneof![6 => object, 1 => Just("7".to_owned()), 1 => Just("null".to_owned())];
        let clients = prop::collection::vec(element, 0..4).prop_map(|elements| format!("[{}]", elements.join(",")));
        let rest = prop::sample::select(vec!["", "", r#", "x": {"clients": 1}"#, r#", "clients": [{}]"#, "]"]);
        (clients, rest).prop_map(|(clients, rest)| format!("{{\"clients\": {clients}{rest}}}"))
    }
}
