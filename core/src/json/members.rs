//! The members of a JSON object whose names were asked for.

use super::{Malformed, Scanner, Text};
use crate::normalize::FieldValue;

/// The values of the members whose names were asked for.
pub(crate) struct Members<'a, const N: usize> {
    names: &'static [&'static str; N],
    values: [Option<FieldValue<'a>>; N],
    /// A name of the object is not valid Unicode, and so no name.
    pub(crate) has_broken_name: bool,
}

/// Why a text is not an object whose members can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectError {
    /// It is JSON, but no object.
    NotAnObject,
    /// It is not JSON, or has a name that is not valid Unicode.
    Malformed,
}

impl<'a, const N: usize> Members<'a, N> {
    /// Reads one object. Of a member given twice the last counts; other members are ignored,
    /// however deep they are.
    pub(crate) fn parse(json: &'a str, names: &'static [&'static str; N]) -> Result<Self, ObjectError> {
        let mut scanner = Scanner::new(json);
        if scanner.peek() != Some(b'{') {
            let is_json = scanner.skip().and_then(|()| scanner.end()).is_ok();
            return Err(if is_json { ObjectError::NotAnObject } else { ObjectError::Malformed });
        }
        let members = Self::read(&mut scanner, names, &mut MemberOrder::default());
        let members = members.and_then(|members| scanner.end().map(|()| members));
        members.ok().filter(|members| !members.has_broken_name).ok_or(ObjectError::Malformed)
    }

    /// Reads the members of the object that the scanner stands before.
    pub(crate) fn read(
        scanner: &mut Scanner<'a>,
        names: &'static [&'static str; N],
        order: &mut MemberOrder,
    ) -> Result<Self, Malformed> {
        let mut members = Self { names, values: [const { None }; N], has_broken_name: false };
        let mut number = 0;
        let mut goes_on = scanner.begins(b'{', b'}')?;
        while goes_on {
            let guess = order.guess(number);
            let name = scanner.name(names.get(guess).copied().unwrap_or_default())?;
            let place = members.place(name, guess);
            match place.and_then(|place| members.values.get_mut(place)) {
                Some(value) => *value = Some(scanner.value()?),
                None => scanner.skip()?,
            }
            order.learn(number, place);
            number += 1;
            goes_on = scanner.goes_on(b'}')?;
        }
        Ok(members)
    }

    fn place(&mut self, name: Text<'a>, guess: usize) -> Option<usize> {
        if !name.has_escapes {
            return place(self.names, name.written, guess);
        }
        match name.value() {
            FieldValue::Text(name) => place(self.names, &name, guess),
            _ => {
                self.has_broken_name = true;
                None
            }
        }
    }

    /// The value of a member, `None` when it was not sent.
    pub(crate) fn get(&self, name: &str) -> Option<&FieldValue<'a>> {
        self.values().get(name)
    }

    /// The values, to be taken by name.
    pub(crate) fn values(&self) -> Values<'_, 'a> {
        Values { names: self.names, values: &self.values, next: 0 }
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

/// The values of members, taken by name: at once where they are taken in the order of the names.
pub(crate) struct Values<'m, 'a> {
    names: &'static [&'static str],
    values: &'m [Option<FieldValue<'a>>],
    /// Where the next name is looked for first.
    next: usize,
}

impl<'m, 'a> Values<'m, 'a> {
    /// The value of a member, `None` when it was not sent.
    pub(crate) fn get(&mut self, name: &str) -> Option<&'m FieldValue<'a>> {
        let place = place(self.names, name, self.next)?;
        self.next = place + 1;
        self.values.get(place)?.as_ref()
    }
}

/// The place of a name among `names`, looked for first where it is guessed to be.
fn place(names: &[&str], name: &str, guess: usize) -> Option<usize> {
    if names.get(guess).is_some_and(|known| *known == name) {
        return Some(guess);
    }
    names.iter().position(|known| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(json: &str) -> Result<Option<FieldValue<'_>>, ObjectError> {
        Members::parse(json, &["id"]).map(|members| members.get("id").cloned())
    }

    #[test]
    fn members_keep_every_digit_and_letter() {
        let number = |token: &'static str| FieldValue::Number(token.into());
        for (json, expected) in [
            (
                r#"{"id": 123456789012345678901234567890}"#,
                Ok(Some(FieldValue::Number("123456789012345678901234567890".into()))),
            ),
            (r#" {"other": [[]], "id": "a\u0062"}"#, Ok(Some(FieldValue::from("ab")))),
            (r#"{"id": 1, "id": 2.0}"#, Ok(Some(number("2.0")))),
            (r#"{"i\u0064": 3}"#, Ok(Some(number("3")))),
            (r#"{"id": null}"#, Ok(Some(FieldValue::Absent))),
            (r#"{"id": "\ud83d"}"#, Ok(Some(FieldValue::BrokenText))),
            ("{}", Ok(None)),
            ("[]", Err(ObjectError::NotAnObject)),
            ("7", Err(ObjectError::NotAnObject)),
            ("", Err(ObjectError::Malformed)),
            ("{", Err(ObjectError::Malformed)),
            ("{} {}", Err(ObjectError::Malformed)),
            (r#"{"\ud83d": 1}"#, Err(ObjectError::Malformed)),
        ] {
            assert_eq!(id(json), expected, "{json}");
        }
    }
}
