//! JSON Lines: one object per line, whose members are the columns.

use std::{
    collections::VecDeque,
    io::{BufRead, BufReader, Read},
};

use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{
    ReadError,
    record_of_row::{COLUMNS, NAME_BYTES},
};

/// The maximum length of a line; a longer one is refused.
const LINE_BYTES: u64 = 16 * 1_024 * 1_024;
/// How many lines are read to find the columns before the first is returned.
const SAMPLE_LINES: usize = 100;
/// No further line is read ahead after so much text.
const SAMPLE_BYTES: usize = 1_024 * 1_024;
/// More members than a row of a spreadsheet has cells.
const MEMBERS: usize = 16_384;
const TOO_MANY: &str = "The line has more than 16,384 members";
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A line of a file of objects.
#[derive(Debug)]
pub(super) struct JsonLine {
    /// The line's number from 1, including blank lines.
    pub(super) number: u64,
    /// The line's text, or as much of it as is kept.
    pub(super) text: String,
    /// Names and values in their order, or why there are none.
    pub(super) members: Result<Vec<(String, Box<RawValue>)>, &'static str>,
}

/// The lines of a file without blank ones.
pub(super) struct JsonLines {
    reader: BufReader<Box<dyn Read + Send>>,
    name: String,
    number: u64,
    sample: VecDeque<Result<JsonLine, ReadError>>,
    is_over: bool,
}

impl JsonLines {
    /// Reads the first lines ahead.
    pub(super) fn open(name: &str, file: Box<dyn Read + Send>) -> Self {
        let reader = BufReader::new(file);
        let mut lines = Self { reader, name: name.to_owned(), number: 0, sample: VecDeque::new(), is_over: false };
        let mut bytes = 0;
        while lines.sample.len() < SAMPLE_LINES && bytes < SAMPLE_BYTES {
            let Some(line) = lines.read_next() else { break };
            bytes += line.as_ref().map_or(0, |line| line.text.len());
            lines.sample.push_back(line);
        }
        lines
    }

    /// The member names of the first lines, in the order of their first appearance.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for line in self.sample.iter().flatten() {
            for (name, _) in line.members.iter().flatten() {
                if names.len() < COLUMNS && name.len() <= NAME_BYTES && !names.contains(name) {
                    names.push(name.clone());
                }
            }
        }
        names
    }

    /// Whether the file has no line.
    pub(super) fn is_empty(&self) -> bool {
        self.sample.is_empty()
    }

    fn read_next(&mut self) -> Option<Result<JsonLine, ReadError>> {
        while !self.is_over {
            let mut bytes = Vec::new();
            self.number += 1;
            let read = (&mut self.reader).take(LINE_BYTES).read_until(b'\n', &mut bytes);
            let is_cut = u64::try_from(bytes.len()).unwrap_or(0) == LINE_BYTES && !bytes.ends_with(b"\n");
            let read = match read {
                Ok(_) if is_cut => skip_line(&mut self.reader),
                other => other.map(|_| ()),
            };
            if let Err(error) = read {
                self.is_over = true;
                return Some(Err(ReadError::io(&self.name, &error)));
            }
            if bytes.is_empty() {
                self.is_over = true;
                return None;
            }
            if self.number == 1 && bytes.starts_with(BYTE_ORDER_MARK) {
                bytes.drain(..BYTE_ORDER_MARK.len());
            }
            if bytes.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            return Some(Ok(line(self.number, &bytes, is_cut)));
        }
        None
    }
}

impl Iterator for JsonLines {
    type Item = Result<JsonLine, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.sample.pop_front().or_else(|| self.read_next())
    }
}

fn line(number: u64, bytes: &[u8], is_cut: bool) -> JsonLine {
    if is_cut {
        return JsonLine { number, text: String::new(), members: Err("The line is longer than 16 MiB") };
    }
    match std::str::from_utf8(bytes) {
        Err(_) => {
            let text = String::from_utf8_lossy(bytes).trim_end().to_owned();
            JsonLine { number, text, members: Err("The line is not UTF-8") }
        }
        Ok(text) => {
            let text = text.trim_end().to_owned();
            let members = members(&text).map_err(|error| {
                if error.to_string().starts_with(TOO_MANY) { TOO_MANY } else { "The line is not one JSON object" }
            });
            JsonLine { number, text, members }
        }
    }
}

fn skip_line(reader: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        let (count, is_done) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        reader.consume(count);
        if is_done {
            return Ok(());
        }
    }
}

/// The members of an object with their unparsed values. A repeated name appears twice.
pub(crate) fn members(text: &str) -> serde_json::Result<Vec<(String, Box<RawValue>)>> {
    struct Members;

    impl<'de> Visitor<'de> for Members {
        type Value = Vec<(String, Box<RawValue>)>;

        fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some(member) = map.next_entry()? {
                if members.len() == MEMBERS {
                    return Err(serde::de::Error::custom(TOO_MANY));
                }
                members.push(member);
            }
            Ok(members)
        }
    }

    let mut deserializer = serde_json::Deserializer::from_str(text);
    let members = deserializer.deserialize_map(Members)?;
    deserializer.end()?;
    Ok(members)
}
