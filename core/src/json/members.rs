//! The members of a JSON object whose names were asked for.

use super::{Malformed, ObjectError, Scanner};
use crate::normalize::FieldValue;

/// The values of the members whose names were asked for.
pub(crate) struct Members<'a, const N: usize> {
    names: &'static [&'static str; N],
    values: [Option<FieldValue<'a>>; N],
    /// A name of the object is not valid Unicode, and so no name.
    pub(crate) has_broken_name: bool,
}

impl<'a, const N: usize> Members<'a, N> {
    /// Reads one object. Of a member given twice the last counts; other members are ignored,
    /// however deep they are.
    #[inline]
    pub(crate) fn parse(json: &'a str, names: &'static [&'static str; N]) -> Result<Self, ObjectError> {
        let mut scanner = Scanner::of_object(json)?;
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
        let mut values = [const { None }; N];
        let has_broken_name = read_values(scanner, names, &mut values, order)?;
        Ok(Self { names, values, has_broken_name })
    }

    /// The value of a member, `None` when it was not sent.
    pub(crate) fn get(&self, name: &str) -> Option<&FieldValue<'a>> {
        self.values().get(name)
    }

    /// The values, to be taken by name.
    pub(crate) fn values(&self) -> Values<'_, 'a> {
        Values { all: (self.names, &self.values), rest: (self.names, &self.values) }
    }
}

/// Reads the values of the members with these names; whether a name is broken.
fn read_values<'a>(
    scanner: &mut Scanner<'a>,
    names: &[&str],
    values: &mut [Option<FieldValue<'a>>],
    order: &mut MemberOrder,
) -> Result<bool, Malformed> {
    let mut has_broken_name = false;
    let mut previous = START;
    let mut goes_on = scanner.begins(b'{', b'}')?;
    while goes_on {
        let passes = |place: &usize| names.get(*place).is_some_and(|name| scanner.passes_name(name));
        let mut place = order.after(previous).into_iter().find(passes);
        if place.is_none() {
            match scanner.name()?.value() {
                FieldValue::Text(name) => place = names.iter().position(|known| *known == name),
                _ => has_broken_name = true,
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
    Ok(has_broken_name)
}

/// Which members came after which in the objects before: those of one body mostly have one order, in
/// which some leave out a few, so that each name is found at one of the first tries.
pub(crate) struct MemberOrder {
    /// Of each member, and of the beginning of an object.
    followers: [[usize; TRIES]; START + 1],
}

/// How many followers of a member are kept: it and the two behind it may be left out.
const TRIES: usize = 3;

/// Stands for the beginning of an object. No object is read for more members.
const START: usize = 31;

/// Stands for no member.
const NOBODY: usize = usize::MAX;

impl Default for MemberOrder {
    fn default() -> Self {
        Self { followers: [[NOBODY; TRIES]; START + 1] }
    }
}

impl MemberOrder {
    /// Where the names are that came after this one.
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

/// The values of members, taken by name: at once where they are taken in the order of the names.
pub(crate) struct Values<'m, 'a> {
    all: NamedValues<'m, 'a>,
    /// Those behind the one that was taken last.
    rest: NamedValues<'m, 'a>,
}

/// Names, and as many values.
type NamedValues<'m, 'a> = (&'static [&'static str], &'m [Option<FieldValue<'a>>]);

impl<'m, 'a> Values<'m, 'a> {
    /// The value of a member, `None` when it was not sent.
    #[inline(always)]
    pub(crate) fn get(&mut self, name: &str) -> Option<&'m FieldValue<'a>> {
        match self.rest {
            // Mostly the very same constant, so that no letter needs comparing.
            ([next, names @ ..], [value, values @ ..]) if std::ptr::eq(*next, name) => {
                self.rest = (names, values);
                value.as_ref()
            }
            _ => self.find(name),
        }
    }

    fn find(&mut self, name: &str) -> Option<&'m FieldValue<'a>> {
        let (names, values) = self.all;
        let place = names.iter().position(|known| *known == name)?;
        self.rest = (names.get(place + 1..)?, values.get(place + 1..)?);
        values.get(place)?.as_ref()
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

    #[test]
    fn what_came_before_does_not_matter() {
        const NAMES: [&str; 5] = ["a", "ab", "b", "c", "d"];
        let mut order = MemberOrder::default();
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
            let after_others = Members::read(&mut Scanner::new(json), &NAMES, &mut order).map(|members| members.values);
            let alone = Members::parse(json, &NAMES).map(|members| members.values);
            assert_eq!(after_others.ok(), alone.ok(), "{json}");
        }
    }

    #[test]
    fn values_are_taken_in_any_order() {
        let members = Members::parse(r#"{"a":1,"c":3}"#, &["a", "b", "c"]).ok().unwrap();
        let mut values = members.values();
        let number = |token: &'static str| FieldValue::Number(token.into());
        for (name, expected) in [
            ("a", Some(number("1"))),
            ("b", None),
            ("c", Some(number("3"))),
            ("c", Some(number("3"))),
            ("a", Some(number("1"))),
            ("c", Some(number("3"))),
            ("d", None),
            ("b", None),
        ] {
            assert_eq!(values.get(name).cloned(), expected, "{name}");
        }
    }
}
