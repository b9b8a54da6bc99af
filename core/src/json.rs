//! The members of a JSON object as untouched tokens, so that a number keeps every digit and a
//! string is decoded only where it is wanted.

use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The tokens of the members whose names were asked for.
pub(crate) struct Members<'a> {
    names: &'static [&'static str],
    tokens: Vec<Option<&'a RawValue>>,
}

/// Why a text is not an object whose members can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectError {
    /// It is JSON, but no object.
    NotAnObject,
    /// It is not JSON.
    Malformed,
}

impl<'a> Members<'a> {
    /// Reads one object. Of a member given twice the last counts; other members are ignored,
    /// however deep they are.
    pub(crate) fn parse(json: &'a str, names: &'static [&'static str]) -> Result<Self, ObjectError> {
        if !json.trim_start_matches([' ', '\t', '\n', '\r']).starts_with('{') {
            let is_json = serde_json::from_str::<IgnoredAny>(json).is_ok();
            return Err(if is_json { ObjectError::NotAnObject } else { ObjectError::Malformed });
        }
        let mut deserializer = serde_json::Deserializer::from_str(json);
        let members = deserializer.deserialize_map(MembersVisitor { names }).map_err(|_| ObjectError::Malformed)?;
        deserializer.end().map_err(|_| ObjectError::Malformed)?;
        Ok(members)
    }

    /// The token of a member, `None` when it was not sent.
    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        let place = self.names.iter().position(|known| *known == name)?;
        self.tokens.get(place).copied().flatten()
    }
}

struct MembersVisitor {
    names: &'static [&'static str],
}

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Members { names: self.names, tokens: vec![None; self.names.len()] };
        while let Some(place) = map.next_key_seed(NamePlace { names: self.names })? {
            match place.and_then(|place| members.tokens.get_mut(place)) {
                Some(token) => *token = Some(map.next_value()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(members)
    }
}

/// Finds a member's name among the known ones without keeping it.
struct NamePlace {
    names: &'static [&'static str],
}

impl<'de> serde::de::DeserializeSeed<'de> for NamePlace {
    type Value = Option<usize>;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for NamePlace {
    type Value = Option<usize>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a member's name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.names.iter().position(|known| *known == name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token_of_id(json: &str) -> Result<Option<String>, ObjectError> {
        Members::parse(json, &["id"]).map(|members| members.get("id").map(|token| token.get().to_owned()))
    }

    #[test]
    fn members_are_untouched_tokens() {
        for (json, expected) in [
            (r#"{"id": 123456789012345678901234567890}"#, Ok(Some("123456789012345678901234567890"))),
            (r#" {"other": [[]], "id": "a\u0062"}"#, Ok(Some(r#""a\u0062""#))),
            (r#"{"id": 1, "id": 2}"#, Ok(Some("2"))),
            (r#"{"i\u0064": 3}"#, Ok(Some("3"))),
            (r#"{"id": null}"#, Ok(Some("null"))),
            ("{}", Ok(None)),
            ("[]", Err(ObjectError::NotAnObject)),
            ("7", Err(ObjectError::NotAnObject)),
            ("", Err(ObjectError::Malformed)),
            ("{", Err(ObjectError::Malformed)),
            ("{} {}", Err(ObjectError::Malformed)),
        ] {
            assert_eq!(token_of_id(json), expected.map(|token| token.map(str::to_owned)), "{json}");
        }
    }

    #[test]
    fn depth_of_what_is_ignored_does_not_matter() {
        let deep = format!(r#"{{"other": {}{}, "id": 1}}"#, "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(token_of_id(&deep), Ok(Some("1".to_owned())));
    }
}
