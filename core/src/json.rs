//! The members of a JSON object as untouched tokens, so that a number keeps every digit and a
//! string is decoded only where it is wanted.

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The tokens of the members whose names were asked for.
#[derive(Clone, Copy)]
pub(crate) struct Members<'a, const N: usize> {
    names: &'static [&'static str; N],
    tokens: [Option<&'a RawValue>; N],
}

/// Why a text is not an object whose members can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectError {
    /// It is JSON, but no object.
    NotAnObject,
    /// It is not JSON.
    Malformed,
}

impl<'a, const N: usize> Members<'a, N> {
    /// Reads one object. Of a member given twice the last counts; other members are ignored,
    /// however deep they are.
    pub(crate) fn parse(json: &'a str, names: &'static [&'static str; N]) -> Result<Self, ObjectError> {
        if !json.trim_start_matches([' ', '\t', '\n', '\r']).starts_with('{') {
            let is_json = serde_json::from_str::<IgnoredAny>(json).is_ok();
            return Err(if is_json { ObjectError::NotAnObject } else { ObjectError::Malformed });
        }
        let mut deserializer = serde_json::Deserializer::from_str(json);
        let members = deserializer.deserialize_map(MembersVisitor(names)).map_err(|_| ObjectError::Malformed)?;
        deserializer.end().map_err(|_| ObjectError::Malformed)?;
        Ok(members)
    }

    /// Reads the members of an object where it stands, in one pass with what is around it.
    pub(crate) fn read<A: MapAccess<'a>>(
        mut map: A,
        names: &'static [&'static str; N],
        order: &mut MemberOrder,
    ) -> Result<Self, A::Error> {
        let mut members = Members { names, tokens: [None; N] };
        let mut number = 0;
        while let Some(place) = map.next_key_seed(NamePlace { names, guess: order.guess(number) })? {
            match place.and_then(|place| members.tokens.get_mut(place)) {
                Some(token) => *token = Some(map.next_value()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
            order.learn(number, place);
            number += 1;
        }
        Ok(members)
    }

    /// The token of a member, `None` when it was not sent.
    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.tokens().get(name)
    }

    /// The tokens, to be taken by name.
    pub(crate) fn tokens(&self) -> Tokens<'_, 'a> {
        Tokens { names: self.names, tokens: &self.tokens, next: 0 }
    }
}

/// In which order the last object had its members: those of one body mostly have one order, so that
/// each name is found at the first try.
#[derive(Default)]
pub(crate) struct MemberOrder([usize; 32]);

impl MemberOrder {
    /// Where the name of this member, by its number in the object, is likely to be.
    fn guess(&self, number: usize) -> usize {
        self.0.get(number).copied().unwrap_or_default()
    }

    fn learn(&mut self, number: usize, place: Option<usize>) {
        if let (Some(known), Some(place)) = (self.0.get_mut(number), place) {
            *known = place;
        }
    }
}

/// The tokens of members, taken by name: at once where they are taken in the order of the names.
pub(crate) struct Tokens<'m, 'a> {
    names: &'static [&'static str],
    tokens: &'m [Option<&'a RawValue>],
    /// Where the next name is looked for first.
    next: usize,
}

impl<'a> Tokens<'_, 'a> {
    /// The token of a member, `None` when it was not sent.
    pub(crate) fn get(&mut self, name: &str) -> Option<&'a RawValue> {
        let place = place(self.names, name, self.next)?;
        self.next = place + 1;
        self.tokens.get(place).copied().flatten()
    }
}

/// The place of a name among `names`, looked for first where it is guessed to be.
#[inline]
fn place(names: &[&str], name: &str, guess: usize) -> Option<usize> {
    if names.get(guess).is_some_and(|known| *known == name) {
        return Some(guess);
    }
    names.iter().position(|known| *known == name)
}

struct MembersVisitor<const N: usize>(&'static [&'static str; N]);

impl<'de, const N: usize> Visitor<'de> for MembersVisitor<N> {
    type Value = Members<'de, N>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Members::read(map, self.0, &mut MemberOrder::default())
    }
}

/// Finds a member's name among the known ones without keeping it.
pub(crate) struct NamePlace {
    /// The known names.
    pub(crate) names: &'static [&'static str],
    /// Where it is looked for first.
    pub(crate) guess: usize,
}

impl<'de> DeserializeSeed<'de> for NamePlace {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for NamePlace {
    type Value = Option<usize>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a member's name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(place(self.names, name, self.guess))
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
