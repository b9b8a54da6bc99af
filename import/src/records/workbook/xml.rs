//! Reads a part's XML with bounds on what is held in memory.

use std::{
    borrow::Cow,
    io::{self, BufRead, BufReader, Read},
};

use quick_xml::{
    Reader,
    escape::resolve_predefined_entity,
    events::{BytesEnd, BytesStart, Event},
};

use super::Damage;

/// The longest tag or piece of text. A cell has at most 32,767 characters.
const EVENT_BYTES: u64 = 1_024 * 1_024;
/// Elements are not nested deeper; the reader remembers the name of each.
const DEPTH: usize = 64;
const BUFFER_BYTES: usize = 64 * 1_024;

/// The elements and texts of a part.
pub(super) struct Xml<R: Read> {
    reader: Reader<Bounded<BufReader<R>>>,
    buffer: Vec<u8>,
    depth: usize,
}

/// A piece of a part; other pieces are skipped.
pub(super) enum Piece<'a> {
    /// A start tag; an element without content has `is_empty` and no end tag.
    Start { tag: Tag<'a>, is_empty: bool },
    /// An end tag.
    End(EndTag<'a>),
    /// A piece of text.
    Text(Cow<'a, str>),
    /// A character that was escaped.
    Character(char),
    /// The end of the part.
    EndOfPart,
}

/// A start tag.
pub(super) struct Tag<'a>(BytesStart<'a>);

impl Tag<'_> {
    /// The name without a prefix.
    pub(super) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// The value of the attribute with this local name.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let mut attributes = self.0.attributes();
        let found = attributes
            .with_checks(false)
            .flatten()
            .find(|attribute| attribute.key.local_name().into_inner() == name)?;
        quick_xml::escape::unescape(&found.value).ok().map(Cow::into_owned)
    }

    /// Passes the local name and the value of each attribute, without unescaping it.
    pub(super) fn each(&self, mut pass: impl FnMut(&str, &str)) {
        for attribute in self.0.attributes().with_checks(false).flatten() {
            pass(attribute.key.local_name().into_inner(), &attribute.value);
        }
    }

    /// The attribute as a number.
    pub(super) fn number(&self, name: &str) -> Option<u32> {
        self.attribute(name)?.trim().parse().ok()
    }

    /// Whether the attribute is true.
    pub(super) fn is_true(&self, name: &str) -> bool {
        self.attribute(name).is_some_and(|value| matches!(value.trim(), "1" | "true" | "on"))
    }
}

/// An end tag.
pub(super) struct EndTag<'a>(BytesEnd<'a>);

impl EndTag<'_> {
    /// The name without a prefix.
    pub(super) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }
}

impl<R: Read> Xml<R> {
    pub(super) fn new(part: R) -> Self {
        let bounded = Bounded { inner: BufReader::with_capacity(BUFFER_BYTES, part), left: EVENT_BYTES };
        Self { reader: Reader::from_reader(bounded), buffer: Vec::new(), depth: 0 }
    }

    /// The next piece.
    pub(super) fn next(&mut self) -> Result<Piece<'_>, Damage> {
        self.buffer.clear();
        self.reader.get_mut().left = EVENT_BYTES;
        match self.reader.read_event_into(&mut self.buffer)? {
            Event::Start(tag) => {
                self.depth += 1;
                if self.depth > DEPTH {
                    Err(Damage::Damaged)
                } else {
                    Ok(Piece::Start { tag: Tag(tag), is_empty: false })
                }
            }
            Event::Empty(tag) => Ok(Piece::Start { tag: Tag(tag), is_empty: true }),
            Event::End(tag) => {
                self.depth = self.depth.saturating_sub(1);
                Ok(Piece::End(EndTag(tag)))
            }
            Event::Text(text) => Ok(Piece::Text(text.into_inner())),
            Event::CData(text) => Ok(Piece::Text(text.into_inner())),
            Event::GeneralRef(reference) => match reference.resolve_char_ref()? {
                Some(character) => Ok(Piece::Character(character)),
                None => resolve_predefined_entity(&reference)
                    .and_then(|text| text.chars().next())
                    .map(Piece::Character)
                    .ok_or(Damage::Damaged),
            },
            Event::Eof => Ok(Piece::EndOfPart),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => Ok(Piece::Text(Cow::Borrowed(""))),
        }
    }
}

/// Fails after more bytes than one event may have.
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R: BufRead> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.take(count);
        Ok(count)
    }
}

impl<R> Bounded<R> {
    fn take(&mut self, count: usize) {
        self.left = self.left.saturating_sub(u64::try_from(count).unwrap_or(u64::MAX));
    }
}

impl<R: BufRead> BufRead for Bounded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.inner.consume(count);
        self.take(count);
    }
}
