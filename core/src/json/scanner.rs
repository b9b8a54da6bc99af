//! The tokens of a JSON text (RFC 8259), one after the other.

use super::Text;
use crate::normalize::FieldValue;

/// A place in a JSON text.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'a> {
    rest: &'a str,
}

/// The text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

impl<'a> Scanner<'a> {
    /// At the beginning of a text.
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// The first byte of the next token, if there is one.
    pub(crate) fn peek(&mut self) -> Option<u8> {
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        if self.rest.as_bytes().first().is_some_and(is_space) {
            let spaces = self.rest.bytes().take_while(is_space).count();
            self.advance(spaces);
        }
        self.rest.as_bytes().first().copied()
    }

    /// Fails unless nothing but space is left.
    pub(crate) fn end(&mut self) -> Result<(), Malformed> {
        self.peek().map_or(Ok(()), |_| Err(Malformed))
    }

    /// Goes through an object: `read` is called with each member's name, and reads its value.
    pub(crate) fn object(
        &mut self,
        mut read: impl FnMut(&mut Self, Text<'a>) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
        let mut goes_on = self.begins(b'{', b'}')?;
        while goes_on {
            let name = self.name("")?;
            read(self, name)?;
            goes_on = self.goes_on(b'}')?;
        }
        Ok(())
    }

    /// Goes through an array: `read` reads each element.
    pub(crate) fn array(&mut self, mut read: impl FnMut(&mut Self) -> Result<(), Malformed>) -> Result<(), Malformed> {
        let mut goes_on = self.begins(b'[', b']')?;
        while goes_on {
            read(self)?;
            goes_on = self.goes_on(b']')?;
        }
        Ok(())
    }

    /// Enters an array or an object; whether there is anything in it.
    pub(crate) fn begins(&mut self, open: u8, close: u8) -> Result<bool, Malformed> {
        self.token(open)?;
        let is_empty = self.peek() == Some(close);
        if is_empty {
            self.advance(1);
        }
        Ok(!is_empty)
    }

    /// Whether another element or member follows in what `close` ends.
    pub(crate) fn goes_on(&mut self, close: u8) -> Result<bool, Malformed> {
        match self.peek() {
            Some(b',') => {
                self.advance(1);
                Ok(true)
            }
            next => {
                self.advance(1);
                if next == Some(close) { Ok(false) } else { Err(Malformed) }
            }
        }
    }

    /// A member's name, with the colon behind it; had at once where it is the expected one.
    pub(crate) fn name(&mut self, expected: &str) -> Result<Text<'a>, Malformed> {
        self.peek();
        let written = self.rest.get(1..).and_then(|rest| rest.get(..expected.len()));
        let ends = self.rest.as_bytes().get(1 + expected.len()) == Some(&b'"');
        let name = match written {
            Some(written) if ends && written == expected && self.rest.starts_with('"') => {
                self.advance(expected.len() + 2);
                Text { written, has_escapes: false }
            }
            _ => self.text()?,
        };
        self.peek();
        self.token(b':')?;
        Ok(name)
    }

    /// Reads a value. Of an array and of an object nothing but that it is one.
    pub(crate) fn value(&mut self) -> Result<FieldValue<'a>, Malformed> {
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

    /// Passes over a value, and says how it is written.
    pub(crate) fn raw(&mut self) -> Result<&'a str, Malformed> {
        self.peek();
        let written = self.rest;
        self.skip()?;
        Ok(written.get(..written.len() - self.rest.len()).unwrap_or_default())
    }

    /// Passes over a value, however deep it is.
    pub(crate) fn skip(&mut self) -> Result<(), Malformed> {
        // What closes the arrays and objects that are open.
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
            // A value is read: on to the next one.
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

    /// A member's name, where the list that `close` ends has names.
    fn name_in(&mut self, close: u8) -> Result<(), Malformed> {
        if close == b'}' { self.name("").map(drop) } else { Ok(()) }
    }

    fn text(&mut self) -> Result<Text<'a>, Malformed> {
        let (text, rest) = Text::at(self.rest)?;
        self.rest = rest;
        Ok(text)
    }

    fn number(&mut self) -> Result<&'a str, Malformed> {
        let bytes = self.rest.as_bytes();
        let at = |place: usize| bytes.get(place).copied();
        let digits_from = |start: usize| start + digits(bytes.get(start..).unwrap_or_default());
        let first = usize::from(at(0) == Some(b'-'));
        let mut end = if at(first) == Some(b'0') { first + 1 } else { digits_from(first) };
        if end == first {
            return Err(Malformed);
        }
        if at(end) == Some(b'.') {
            let fraction = end + 1;
            end = digits_from(fraction);
            if end == fraction {
                return Err(Malformed);
            }
        }
        if matches!(at(end), Some(b'e' | b'E')) {
            let exponent = end + 1 + usize::from(matches!(at(end + 1), Some(b'+' | b'-')));
            end = digits_from(exponent);
            if end == exponent {
                return Err(Malformed);
            }
        }
        let (number, rest) = self.rest.split_at_checked(end).ok_or(Malformed)?;
        self.rest = rest;
        Ok(number)
    }

    fn word(&mut self, word: &str) -> Result<(), Malformed> {
        self.rest = self.rest.strip_prefix(word).ok_or(Malformed)?;
        Ok(())
    }

    /// A token of one character, which the scanner stands before.
    fn token(&mut self, token: u8) -> Result<(), Malformed> {
        if self.rest.as_bytes().first() == Some(&token) {
            self.advance(1);
            Ok(())
        } else {
            Err(Malformed)
        }
    }

    fn advance(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }
}

/// How many digits the bytes begin with.
fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    use super::*;

    /// Both ways of passing over a text, beside what `serde_json` says of it.
    fn check(text: &str) {
        let is_json = serde_json::from_str::<&RawValue>(text).is_ok();
        let (mut skipping, mut reading) = (Scanner::new(text), Scanner::new(text));
        assert_eq!(skipping.skip().and_then(|()| skipping.end()).is_ok(), is_json, "{text:?}");
        let read = reading.value().and_then(|value| reading.end().map(|()| value));
        assert_eq!(read.is_ok(), is_json, "{text:?}");
        if let Ok(value) = read {
            assert_eq!(value, FieldValue::from_json_token(text.trim_matches([' ', '\t', '\n', '\r'])), "{text:?}");
        }
    }

    #[test]
    fn what_is_json_is_what_the_library_says() {
        for text in [
            "",
            " ",
            "nul",
            "null",
            "nulls",
            "true",
            "tru",
            "false",
            "0",
            "-0",
            "01",
            "-",
            "1.",
            ".5",
            "1.5e",
            "1e5",
            "1E+05",
            "1e+",
            "-1.50e-7",
            "--1",
            "+1",
            "0x1",
            "1 2",
            "\"\"",
            "\"",
            "\"a",
            "\"a\\\"",
            "\"\\\"\"",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\u12g4\"",
            "\"\\ud83d\"",
            "\"\\ud83d\\ude00\"",
            "\"\\/\\b\\f\"",
            "\"\n\"",
            "\"\u{7f}\u{e9}\u{1f600}\"",
            "[",
            "]",
            "[]",
            "[ ]",
            "[1]",
            "[1,]",
            "[,1]",
            "[1 2]",
            "[[],{}]",
            "[}",
            "{",
            "{}",
            "{ }",
            "{\"a\":1}",
            "{\"a\" : [1 , {\"b\":null}]}",
            "{\"a\"}",
            "{\"a\":}",
            "{a:1}",
            "{\"a\":1,}",
            "{1:1}",
            "{\"a\":1 \"b\":2}",
            "{\"a\":1]",
            "\u{feff}1",
            "\u{a0}1",
            "\u{b}1",
            "1\t\r\n ",
        ] {
            check(text);
        }
    }

    #[test]
    fn depth_does_not_matter() {
        let deep = format!("{}{}", "[{\"a\":".repeat(50_000), "}]".repeat(50_000));
        let text = deep.replace(":}", ":0}");
        let mut scanner = Scanner::new(&text);
        assert_eq!(scanner.skip().and_then(|()| scanner.end()), Ok(()));
        assert_eq!(Scanner::new(&deep).skip(), Err(Malformed));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn any_text_is_judged_alike(text in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..9)) {
            check(&text.concat());
        }
    }

    const PIECES: [&str; 26] = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\"a\"",
        "\"b\":",
        "\\",
        "u00e9",
        "\\ud83d",
        "1",
        "0",
        "-",
        ".5",
        "e",
        "E+",
        "true",
        "null",
        " ",
        "\n",
        "é",
        "\u{1}",
        "{\"a\":1}",
        "[1,2]",
    ];
}
