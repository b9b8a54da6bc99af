//! Reads the members of a JSON object that have given names.

use super::{Malformed, Scanner};
use crate::normalize::FieldValue;

/// Why a text is not a readable object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectError {
    /// It is JSON, but not an object.
    NotAnObject,
    /// It is not JSON, or has a name that is not valid Unicode.
    Malformed,
}

/// The values of the members with given names.
pub(crate) struct Members<'a, const N: usize> {
    names: &'static [&'static str; N],
    values: [Option<FieldValue<'a>>; N],
    /// The object has a name that is not valid Unicode.
    pub(crate) has_invalid_utf16: bool,
}

impl<'a, const N: usize> Members<'a, N> {
    /// Members with these names, without values.
    pub(crate) const fn of(names: &'static [&'static str; N]) -> Self {
        Self { names, values: [const { None }; N], has_invalid_utf16: false }
    }

    /// Reads one object. The last of two members with the same name counts. Other members are ignored at any
    /// depth.
    #[inline]
    pub(crate) fn parse(json: &'a str, names: &'static [&'static str; N]) -> Result<Self, ObjectError> {
        let mut scanner = Scanner::of_object(json)?;
        let mut members = Self::of(names);
        let is_read = members.read(&mut scanner, &mut MemberOrder::default()).and_then(|()| scanner.end());
        if is_read.is_err() || members.has_invalid_utf16 { Err(ObjectError::Malformed) } else { Ok(members) }
    }

    /// Replaces the values by those of the next object of the scanner.
    #[inline]
    pub(crate) fn read(&mut self, scanner: &mut Scanner<'a>, order: &mut MemberOrder) -> Result<(), Malformed> {
        self.values.fill_with(|| None);
        self.has_invalid_utf16 = read_values(scanner, self.names, &mut self.values, order)?;
        Ok(())
    }

    /// The value of a member, `None` when it was not sent.
    pub(crate) fn get(&self, name: &str) -> Option<&FieldValue<'a>> {
        let place = self.names.iter().position(|known| *known == name)?;
        self.values.get(place)?.as_ref()
    }

    /// The values, in the order of the names.
    pub(crate) fn values(&self) -> Values<'_, 'a> {
        Values { names: self.names.iter(), values: self.values.iter() }
    }
}

/// Reads the values of the members with these names. Returns whether a name is not valid Unicode.
fn read_values<'a>(
    scanner: &mut Scanner<'a>,
    names: &[&str],
    values: &mut [Option<FieldValue<'a>>],
    order: &mut MemberOrder,
) -> Result<bool, Malformed> {
    let mut has_invalid_utf16 = false;
    let mut previous = START;
    let mut goes_on = scanner.begins(b'{', b'}')?;
    while goes_on {
        let mut place = scanner.passes_name_at(names, order.after(previous));
        if place.is_none() {
            match scanner.name()?.value() {
                FieldValue::Text(name) => place = names.iter().position(|known| *known == name),
                _ => has_invalid_utf16 = true,
            }
            order.learn(previous, place);
        }
        match place.and_then(|place| values.get_mut(place)) {
            Some(value) => *value = Some(scanner.value()?),
            None => scanner.skip()?,
        }
        previous = place.unwrap_or(previous);
        goes_on = scanner.goes_on(b'}')?;
    }
    Ok(has_invalid_utf16)
}

/// The members that followed each member in earlier objects. The objects of one body mostly have one order,
/// so the next name is found in one of the first tries, even if a few members are missing.
pub(crate) struct MemberOrder {
    /// Of each member, and of the start of an object.
    followers: [[usize; TRIES]; START + 1],
}

/// How many followers of a member are kept.
const TRIES: usize = 3;

/// The start of an object. No object is read for this many members.
const START: usize = 31;

/// No member.
const NOBODY: usize = usize::MAX;

impl Default for MemberOrder {
    fn default() -> Self {
        Self { followers: [[NOBODY; TRIES]; START + 1] }
    }
}

impl MemberOrder {
    /// The indexes of the names that followed this one.
    fn after(&self, previous: usize) -> [usize; TRIES] {
        self.followers.get(previous).copied().unwrap_or([NOBODY; TRIES])
    }

    fn learn(&mut self, previous: usize, place: Option<usize>) {
        let (Some(followers), Some(place)) = (self.followers.get_mut(previous), place) else { return };
        let [first, second, third] = followers;
        let free = [first, second].into_iter().find(|follower| **follower == NOBODY);
        *free.unwrap_or(third) = place;
    }
}

/// The values of members, in the order of their names.
pub(crate) struct Values<'m, 'a> {
    names: std::slice::Iter<'static, &'static str>,
    values: std::slice::Iter<'m, Option<FieldValue<'a>>>,
}

impl<'m, 'a> Values<'m, 'a> {
    /// The value of the next member, which has this name; `None` if it was not sent.
    #[inline]
    pub(crate) fn next(&mut self, name: &str) -> Option<&'m FieldValue<'a>> {
        debug_assert_eq!(self.names.next().copied(), Some(name), "members are taken in the order of their names");
        self.values.next()?.as_ref()
    }
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
            (r#"{"id": "\ud83d"}"#, Ok(Some(FieldValue::LoneSurrogate))),
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

    #[test]
    fn what_came_before_does_not_matter() {
        const NAMES: [&str; 5] = ["a", "ab", "b", "c", "d"];
        let (mut members, mut order) = (Members::of(&NAMES), MemberOrder::default());
        for json in [
            r#"{"a":1,"ab":2,"b":3,"c":4,"d":5}"#,
            r#"{"a":1,"ab":2,"b":3,"c":4,"d":5}"#,
            r#"{"d":1,"c":2,"b":3,"ab":4,"a":5}"#,
            r#"{"a":1,"d":2}"#,
            r#"{"a":1,"b":2,"e":3,"c":4}"#,
            r#"{"a":1,"c":2,"a":3,"ab":4}"#,
            r#"{ "a" : 1 , "ab" :2,"\u0062":3}"#,
            r#"{}"#,
            r#"{"ab":1,"":2,"abc":3}"#,
        ] {
            members.read(&mut Scanner::new(json), &mut order).unwrap();
            let alone = Members::parse(json, &NAMES).ok().unwrap();
            assert_eq!(members.values, alone.values, "{json}");
        }
    }

    #[test]
    fn a_value_is_there_for_each_member_that_was_sent() {
        let members = Members::parse(r#"{"c":3,"a":1}"#, &["a", "b", "c"]).ok().unwrap();
        let mut values = members.values();
        let number = |token: &'static str| FieldValue::Number(token.into());
        for (name, expected) in [("a", Some(number("1"))), ("b", None), ("c", Some(number("3")))] {
            assert_eq!(values.next(name).cloned(), expected, "{name}");
            assert_eq!(members.get(name).cloned(), expected, "{name}");
        }
        assert_eq!(members.get("d"), None);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "in the order of their names")]
    fn a_value_is_never_taken_for_that_of_another_member() {
        let members = Members::parse(r#"{"a":1}"#, &["a", "b"]).ok().unwrap();
        members.values().next("b");
    }
}
