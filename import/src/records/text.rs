//! Prepares the bytes of a text file for the CSV parser: converts UTF-16 to UTF-8, ends each line with a line
//! feed, and counts the bytes.

use std::{
    io::{self, Read},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

const CHUNK_BYTES: usize = 64 * 1_024;

/// How much of a file was read, and how far reading may go.
#[derive(Clone, Debug)]
pub(super) struct Meter(Arc<[AtomicU64; 2]>);

impl Default for Meter {
    fn default() -> Self {
        Self(Arc::new([AtomicU64::new(0), AtomicU64::new(u64::MAX)]))
    }
}

impl Meter {
    /// The amount read so far, in bytes or rows.
    pub(super) fn count(&self) -> u64 {
        let [read, _] = self.0.as_ref();
        read.load(Ordering::Relaxed)
    }

    /// Allows this many more bytes from here on.
    pub(super) fn allow(&self, bytes: u64) {
        let [read, end] = self.0.as_ref();
        end.store(read.load(Ordering::Relaxed).saturating_add(bytes), Ordering::Relaxed);
    }

    /// Sets the amount read, in another unit than bytes.
    pub(super) fn set(&self, count: u64) {
        let [read, _] = self.0.as_ref();
        read.store(count, Ordering::Relaxed);
    }

    fn add(&self, bytes: usize) -> io::Result<()> {
        let [read, end] = self.0.as_ref();
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        if read.fetch_add(bytes, Ordering::Relaxed) > end.load(Ordering::Relaxed) {
            return Err(io::Error::other("a row is too long"));
        }
        Ok(())
    }
}

/// Counts the bytes read, and stops at the meter's limit.
pub(super) struct Metered<R> {
    inner: R,
    meter: Meter,
}

impl<R> Metered<R> {
    pub(super) const fn new(inner: R, meter: Meter) -> Self {
        Self { inner, meter }
    }
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.meter.add(count)?;
        Ok(count)
    }
}

/// The file as UTF-8 if it has a byte order mark, which is dropped; otherwise unchanged.
pub(super) fn decoded<R: Read + Send + 'static>(start: &[u8], file: R) -> Box<dyn Read + Send> {
    match start {
        [0xFF, 0xFE, ..] => Box::new(Utf16::new(u16::from_le_bytes, file)),
        [0xFE, 0xFF, ..] => Box::new(Utf16::new(u16::from_be_bytes, file)),
        _ => Box::new(file),
    }
}

/// Decodes UTF-16 to UTF-8, without its byte order mark. An unpaired surrogate becomes the replacement character.
struct Utf16<R> {
    unit: fn([u8; 2]) -> u16,
    inner: R,
    /// Bytes of a character that is not complete.
    rest: Vec<u8>,
    decoded: Vec<u8>,
    at: usize,
    is_start: bool,
    is_over: bool,
}

impl<R> Utf16<R> {
    fn new(unit: fn([u8; 2]) -> u16, inner: R) -> Self {
        Self { unit, inner, rest: Vec::new(), decoded: Vec::new(), at: 0, is_start: true, is_over: false }
    }

    /// Decodes these bytes but for an incomplete character at their end.
    fn decode(&mut self, bytes: &[u8]) {
        let (pairs, odd) = bytes.as_chunks();
        let is_high = |pair: &[u8; 2]| (0xD800..0xDC00).contains(&(self.unit)(*pair));
        let (pairs, high) = match pairs.split_last() {
            Some((last, before)) if !self.is_over && is_high(last) => (before, last.as_slice()),
            _ => (pairs, [].as_slice()),
        };
        let mut text = String::with_capacity(bytes.len() / 2);
        for character in char::decode_utf16(pairs.iter().map(|pair| (self.unit)(*pair))) {
            let is_mark = std::mem::take(&mut self.is_start) && character == Ok('\u{feff}');
            if !is_mark {
                text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
        self.rest = [high, odd].concat();
        if self.is_over && !self.rest.is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
        self.decoded = text.into_bytes();
        self.at = 0;
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.decoded.len() && !self.is_over {
            let mut bytes = std::mem::take(&mut self.rest);
            let before = bytes.len();
            bytes.resize(before + CHUNK_BYTES, 0);
            let count = self.inner.read(bytes.get_mut(before..).unwrap_or_default())?;
            self.is_over = count == 0;
            bytes.truncate(before + count);
            self.decode(&bytes);
        }
        let count = self.decoded.get(self.at..).unwrap_or_default().read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

/// The characters of the bytes 0x80 to 0x9F in Windows-1252. All others have the number of their byte.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

fn windows_1252(byte: u8) -> char {
    let place = byte.checked_sub(0x80).map(usize::from);
    place.and_then(|place| WINDOWS_1252.get(place)).copied().unwrap_or(char::from(byte))
}

/// Converts CR LF and CR to LF, so that lines can be counted.
pub(super) struct LineFeeds<R> {
    inner: R,
    follows_return: bool,
}

impl<R> LineFeeds<R> {
    pub(super) const fn new(inner: R) -> Self {
        Self { inner, follows_return: false }
    }
}

impl<R: Read> Read for LineFeeds<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.inner.read(buffer)?;
            let mut kept = 0;
            for at in 0..count {
                let Some(byte) = buffer.get(at).copied() else { break };
                let is_second = byte == b'\n' && self.follows_return;
                self.follows_return = byte == b'\r';
                if let (false, Some(place)) = (is_second, buffer.get_mut(kept)) {
                    *place = if byte == b'\r' { b'\n' } else { byte };
                    kept += 1;
                }
            }
            // Returning 0 bytes would mean the end of the file.
            if kept > 0 || count == 0 {
                return Ok(kept);
            }
        }
    }
}

/// A row's text in UTF-8 or else Windows-1252, which older spreadsheets use for CSV, and which of the two.
/// The choice is made per row, so a file joined from both encodings is read correctly.
pub(super) fn row_text(bytes: &[u8], is_utf8: bool) -> String {
    if is_utf8 {
        String::from_utf8_lossy(bytes).into_owned()
    } else {
        bytes.iter().map(|byte| windows_1252(*byte)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one byte at a time, the least that a reader may return.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(1);
            self.0.read(&mut buffer[..count])
        }
    }

    #[test]
    fn every_end_of_a_line_is_a_line_feed() {
        let bytes = b"a\r\nb\rc\n\r\n\r\r\nd\n\ne\r";
        let expected = "a\nb\nc\n\n\n\nd\n\ne\n";
        let mut text = String::new();
        LineFeeds::new(Slow(bytes)).read_to_string(&mut text).unwrap();
        assert_eq!(text, expected);
        text.clear();
        LineFeeds::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
        assert_eq!(text, expected);
    }

    #[test]
    fn utf16_of_either_order_is_decoded_across_chunks() {
        let expected = format!("José,😀\r\n{}", "é".repeat(CHUNK_BYTES));
        let units: Vec<u16> = std::iter::once(0xFEFF).chain(expected.encode_utf16()).collect();
        for bytes in [
            units.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<u8>>(),
            units.iter().flat_map(|unit| unit.to_be_bytes()).collect(),
        ] {
            let mut text = String::new();
            decoded(&bytes.clone(), io::Cursor::new(bytes)).read_to_string(&mut text).unwrap();
            assert!(text == expected);
        }
    }

    #[test]
    fn damaged_utf16_is_read_as_a_browser_reads_it() {
        // Lone halves at the start, within, at the end of a chunk, and at the end; and an odd byte at the end.
        let mut units: Vec<u16> = vec![0xFEFF, 0xDC00, 0xD800, 0x41, 0xFEFF];
        units.resize(CHUNK_BYTES / 2 - 1, 0x42);
        units.extend([0xD83D, 0xDE00, 0xD800]);
        for (last, odd) in [(0xD83D, &[][..]), (0x44, &[0x43])] {
            units.push(last);
            let le: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).chain(odd.iter().copied()).collect();
            let be: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).chain(odd.iter().copied()).collect();
            for (bytes, encoding) in [(le, encoding_rs::UTF_16LE), (be, encoding_rs::UTF_16BE)] {
                let (expected, _) = encoding.decode_with_bom_removal(&bytes);
                let mut text = String::new();
                decoded(&bytes.clone(), io::Cursor::new(bytes.clone())).read_to_string(&mut text).unwrap();
                assert!(text == expected, "{:?}", text.chars().rev().take(5).collect::<String>());
            }
        }
    }

    #[test]
    fn every_byte_of_windows_1252_is_read_as_a_browser_reads_it() {
        let bytes: Vec<u8> = (0..=u8::MAX).collect();
        let (expected, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes);
        assert_eq!(row_text(&bytes, false), expected);
    }

    #[test]
    fn what_is_not_utf8_is_windows_1252() {
        assert_eq!(row_text(b"Jos\xE9 \x96 \x80", false), "José – €");
        assert_eq!(row_text("José".as_bytes(), true), "José");
    }
}
