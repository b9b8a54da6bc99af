//! The table of texts that the cells of a workbook share: the only part that is held in memory, so it is bounded.

use super::{
    Damage,
    package::Package,
    text::CellText,
    xml::{Piece, Xml},
};

/// More than the tags around the largest table.
const PART_BYTES: u64 = 2 * 1_024 * 1_024 * 1_024;
/// More text than a million rows of clients have.
const TEXT_BYTES: usize = 128 * 1_024 * 1_024;
const TEXTS: usize = 8 * 1_024 * 1_024;

/// The texts, one after another, and where each ends.
#[derive(Default)]
pub(super) struct SharedTexts {
    text: String,
    ends: Vec<u32>,
}

impl SharedTexts {
    /// Reads the part with this name.
    pub(super) fn read(package: &mut Package, name: &str) -> Result<Self, Damage> {
        let mut xml = Xml::new(package.part(name, PART_BYTES)?);
        let mut texts = Self::default();
        let mut cell = CellText::default();
        loop {
            match xml.next()? {
                Piece::Start { tag, is_empty } => match tag.name() {
                    "si" if is_empty => texts.push("")?,
                    name => cell.start(name, is_empty),
                },
                Piece::End(tag) => match tag.name() {
                    "si" => texts.push(&cell.take())?,
                    name => cell.end(name),
                },
                Piece::Text(text) => cell.push(&text),
                Piece::Character(character) => cell.push(character.encode_utf8(&mut [0; 4])),
                Piece::EndOfPart => {
                    texts.text.shrink_to_fit();
                    texts.ends.shrink_to_fit();
                    return Ok(texts);
                }
            }
        }
    }

    fn push(&mut self, text: &str) -> Result<(), Damage> {
        if self.ends.len() == TEXTS || self.text.len() + text.len() > TEXT_BYTES {
            return Err(Damage::TooMuchText);
        }
        self.text.push_str(text);
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        Ok(())
    }

    /// The text with this number.
    pub(super) fn get(&self, number: usize) -> Option<&str> {
        let place = |end: &u32| usize::try_from(*end).ok();
        let end = self.ends.get(number).and_then(place)?;
        let start = number.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).and_then(place))?;
        self.text.get(start..end)
    }
}
