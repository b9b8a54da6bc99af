//! A string of a JSON text.

use super::Malformed;
use crate::normalize::FieldValue;

/// A JSON string, without its quotes, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Text<'a> {
    pub(crate) written: &'a str,
    pub(crate) has_escapes: bool,
}

impl<'a> Text<'a> {
    /// Its value; [`FieldValue::LoneSurrogate`] for half of a surrogate pair.
    #[inline]
    pub(crate) fn value(self) -> FieldValue<'a> {
        if self.has_escapes { FieldValue::from_escaped_json(self.written) } else { FieldValue::from(self.written) }
    }
}

/// The end of the plain bytes from `start`: the first quote, backslash or control character, or the end of
/// the bytes. It reads eight bytes at a time.
#[inline]
pub(super) fn plain_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    while let Some(word) = bytes.get(end..).and_then(<[u8]>::first_chunk) {
        let stops = stops(u64::from_le_bytes(*word));
        if stops != 0 {
            return end + stops.trailing_zeros() as usize / 8;
        }
        end += 8;
    }
    // The last eight bytes overlap bytes that are known to be plain.
    if let Some(word) = bytes.last_chunk().filter(|_| end > start) {
        let stops = stops(u64::from_le_bytes(*word));
        return if stops == 0 { bytes.len() } else { bytes.len() - 8 + stops.trailing_zeros() as usize / 8 };
    }
    let rest = bytes.get(end..).unwrap_or_default();
    end + rest.iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..b' ')).count()
}

/// The lowest set bit is the highest bit of the first byte that ends a plain text. Higher bits are undefined,
/// because a borrow may set them.
const fn stops(word: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // The flipped bit exchanges quote and space, so that every byte below 33 is a stop.
    let quotes_and_controls = (word ^ (EACH * 2)).wrapping_sub(EACH * 33);
    let backslashes = (word ^ (EACH * b'\\' as u64)).wrapping_sub(EACH);
    (quotes_and_controls | backslashes) & !word & (EACH << 7)
}

/// The length of an escape, including the backslash before these bytes.
pub(super) fn escape_length(after: &[u8]) -> Result<usize, Malformed> {
    match after {
        [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => Ok(2),
        [b'u', hex @ ..] if hex.iter().take(4).filter(|byte| byte.is_ascii_hexdigit()).count() == 4 => Ok(6),
        _ => Err(Malformed),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn words_of_a_machine_are_looked_through_like_bytes(
            bytes in prop::collection::vec(prop::sample::select(vec![0, 31, 32, 33, 34, 35, 91, 92, 93, 127, 128, 255]), 0..40),
            plain in 0..40_usize,
        ) {
            let text = [vec![b'a'; plain], bytes].concat();
            let expected = text.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..b' ')).unwrap_or(text.len());
            prop_assert_eq!(plain_end(&text, 0), expected);
            prop_assert_eq!(plain_end(&text, expected), expected);
        }
    }
}
