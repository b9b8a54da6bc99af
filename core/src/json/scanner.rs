//! Reads the tokens of a JSON text (RFC 8259) in order.

use super::{
    ObjectError, Text,
    text::{escape_length, plain_end},
};
use crate::normalize::FieldValue;

/// A position in a JSON text.
///
/// ```
/// use matterbook_core::{json::{Malformed, Scanner}, normalize::FieldValue};
///
/// let (mut scanner, mut values) = (Scanner::new(r#"[7, {"id": "a"}, null]"#), Vec::new());
/// scanner.array(|element| {
///     values.push(element.value()?);
///     Ok(())
/// })?;
/// scanner.end()?;
/// assert_eq!(values, [FieldValue::Number("7".into()), FieldValue::Object, FieldValue::Absent]);
/// # Ok::<(), Malformed>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    text: &'a str,
    /// The number of bytes read.
    at: usize,
}

/// The text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

impl<'a> Scanner<'a> {
    /// At the start of a text.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// At the object that a text has to be.
    pub(crate) fn of_object(text: &'a str) -> Result<Self, ObjectError> {
        let mut scanner = Self::new(text);
        if scanner.peek() == Some(b'{') {
            return Ok(scanner);
        }
        let is_json = scanner.skip().and_then(|()| scanner.end()).is_ok();
        Err(if is_json { ObjectError::NotAnObject } else { ObjectError::Malformed })
    }

    /// The first byte of the next token, if there is one.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        loop {
            let next = self.byte();
            if !matches!(next, Some(b' ' | b'\t' | b'\n' | b'\r')) {
                return next;
            }
            self.at += 1;
        }
    }

    /// The text from here to a later position.
    #[must_use]
    pub fn text_to(&self, end: &Self) -> &'a str {
        self.text.get(self.at..end.at).unwrap_or_default()
    }

    /// Passes the end.
    ///
    /// # Errors
    /// When something else than white space is left.
    pub fn end(&mut self) -> Result<(), Malformed> {
        self.peek().map_or(Ok(()), |_| Err(Malformed))
    }

    /// Reads an object: `read` gets each member's name and reads its value.
    pub(crate) fn object(
        &mut self,
        mut read: impl FnMut(&mut Self, Text<'a>) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
        let mut goes_on = self.begins(b'{', b'}')?;
        while goes_on {
            let name = self.name()?;
            read(self, name)?;
            goes_on = self.goes_on(b'}')?;
        }
        Ok(())
    }

    /// Reads an array, or an object as an array of its members' values: `read` reads each.
    ///
    /// ```
    /// use matterbook_core::json::Scanner;
    ///
    /// let (mut scanner, mut count) = (Scanner::new(r#"{"a": [1, 2], "b": 3}"#), 0);
    /// let is_read = scanner.values(|value| {
    ///     count += 1;
    ///     value.skip()
    /// });
    /// assert_eq!((is_read, count), (Ok(()), 2));
    /// ```
    ///
    /// # Errors
    /// When the text is not JSON, or `read` fails.
    pub fn values(&mut self, mut read: impl FnMut(&mut Self) -> Result<(), Malformed>) -> Result<(), Malformed> {
        if self.peek() == Some(b'{') { self.object(|scanner, _| read(scanner)) } else { self.array(read) }
    }

    /// Reads an array: `read` reads each element.
    ///
    /// # Errors
    /// When it is not an array, the text is not JSON, or `read` fails.
    pub fn array(&mut self, mut read: impl FnMut(&mut Self) -> Result<(), Malformed>) -> Result<(), Malformed> {
        let mut goes_on = self.begins(b'[', b']')?;
        while goes_on {
            read(self)?;
            goes_on = self.goes_on(b']')?;
        }
        Ok(())
    }

    /// Enters an array or an object. Returns whether it has an element.
    pub(crate) fn begins(&mut self, open: u8, close: u8) -> Result<bool, Malformed> {
        self.token(open)?;
        let is_empty = self.peek() == Some(close);
        self.at += usize::from(is_empty);
        Ok(!is_empty)
    }

    /// Whether another element or member follows before `close`.
    #[inline]
    pub(crate) fn goes_on(&mut self, close: u8) -> Result<bool, Malformed> {
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(true)
            }
            _ => self.token(close).map(|()| false),
        }
    }

    /// A member's name, with the colon after it.
    pub(crate) fn name(&mut self) -> Result<Text<'a>, Malformed> {
        self.peek();
        let name = self.text()?;
        self.peek();
        self.token(b':')?;
        Ok(name)
    }

    /// Skips a member's name and its colon, if it is one of the names at these indexes and is written without
    /// escapes and without space before the colon. Returns its index.
    #[inline]
    pub(crate) fn passes_name_at<const N: usize>(&mut self, names: &[&str], places: [usize; N]) -> Option<usize> {
        self.peek();
        let rest = self.text.as_bytes().get(self.at..)?.strip_prefix(b"\"")?;
        // The first letter excludes most other names.
        let first = rest.first()?;
        for place in places {
            let name = names.get(place).map(|name| name.as_bytes()).filter(|name| name.first() == Some(first));
            let Some(name) = name else { continue };
            if rest.strip_prefix(name).is_some_and(|after| after.starts_with(b"\":")) {
                self.at += name.len() + 3;
                return Some(place);
            }
        }
        None
    }

    /// Reads a value. Arrays and objects are skipped; only their kind is returned.
    ///
    /// # Errors
    /// When the text is not JSON.
    #[inline(always)]
    pub fn value(&mut self) -> Result<FieldValue<'a>, Malformed> {
        Ok(match self.peek() {
            Some(b'"') => self.text()?.value(),
            Some(b'-' | b'0'..=b'9') => FieldValue::Number(self.number()?.into()),
            Some(b't') => self.word("true").map(|()| FieldValue::Bool(true))?,
            Some(b'f') => self.word("false").map(|()| FieldValue::Bool(false))?,
            Some(b'n') => self.word("null").map(|()| FieldValue::Absent)?,
            Some(b'[') => self.skip().map(|()| FieldValue::Array)?,
            Some(b'{') => self.skip().map(|()| FieldValue::Object)?,
            _ => return Err(Malformed),
        })
    }

    /// Skips a value of any depth.
    ///
    /// # Errors
    /// When the text is not JSON.
    pub fn skip(&mut self) -> Result<(), Malformed> {
        // The closing brackets of the open arrays and objects.
        let mut closers = Vec::new();
        loop {
            match self.peek() {
                Some(open @ (b'[' | b'{')) => {
                    let close = if open == b'[' { b']' } else { b'}' };
                    if self.begins(open, close)? {
                        closers.push(close);
                        self.name_in(close)?;
                        continue;
                    }
                }
                Some(b'"') => drop(self.text()?),
                _ => drop(self.value()?),
            }
            // After a value.
            loop {
                let Some(close) = closers.last().copied() else { return Ok(()) };
                if self.goes_on(close)? {
                    self.name_in(close)?;
                    break;
                }
                closers.pop();
            }
        }
    }

    /// Skips a member's name, if `close` ends an object.
    fn name_in(&mut self, close: u8) -> Result<(), Malformed> {
        if close == b'}' { self.name().map(drop) } else { Ok(()) }
    }

    /// The next token, a string.
    #[inline(always)]
    fn text(&mut self) -> Result<Text<'a>, Malformed> {
        self.token(b'"')?;
        let bytes = self.text.as_bytes();
        let start = self.at;
        let mut has_escapes = false;
        loop {
            self.at = plain_end(bytes, self.at);
            match self.byte() {
                Some(b'"') => break,
                Some(b'\\') => {
                    has_escapes = true;
                    self.at += escape_length(bytes.get(self.at + 1..).unwrap_or_default())?;
                }
                _ => return Err(Malformed),
            }
        }
        let written = self.text.get(start..self.at).ok_or(Malformed)?;
        self.at += 1;
        Ok(Text { written, has_escapes })
    }

    fn number(&mut self) -> Result<&'a str, Malformed> {
        let start = self.at;
        self.at += usize::from(self.byte() == Some(b'-'));
        match self.byte() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.byte(), Some(b'+' | b'-')));
            self.digits()?;
        }
        self.text.get(start..self.at).ok_or(Malformed)
    }

    /// Skips digits, at least one.
    fn digits(&mut self) -> Result<(), Malformed> {
        let start = self.at;
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err(Malformed) }
    }

    fn word(&mut self, word: &str) -> Result<(), Malformed> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        if !rest.starts_with(word.as_bytes()) {
            return Err(Malformed);
        }
        self.at += word.len();
        Ok(())
    }

    /// Skips a token of one character.
    #[inline]
    fn token(&mut self, token: u8) -> Result<(), Malformed> {
        if self.byte() != Some(token) {
            return Err(Malformed);
        }
        self.at += 1;
        Ok(())
    }

    /// The next byte.
    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}

#[cfg(test)]
mod tests;
