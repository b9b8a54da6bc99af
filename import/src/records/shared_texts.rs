//! The table of texts that the cells of a workbook share. It is the only part that is held in memory and it
//! states its own length, so its size is verified before it is loaded.

use std::io::{BufReader, Read, Seek};

use zip::ZipArchive;

/// More text than a million rows of clients have.
const BYTES: u64 = 1_024 * 1_024 * 1_024;
/// The length of the shortest text of the table: `<si/>`.
const TEXT_BYTES: u64 = 5;

/// Whether the table fits into memory and has as many texts as it states. A damaged workbook passes: its
/// reader reports the error.
pub(super) fn is_bounded(file: impl Read + Seek) -> bool {
    let Ok(mut archive) = ZipArchive::new(BufReader::new(file)) else { return true };
    for place in 0..archive.len() {
        let Ok(mut part) = archive.by_index(place) else { continue };
        if !part.name().is_ok_and(|name| name.to_ascii_lowercase().ends_with("sharedstrings.xml")) {
            continue;
        }
        let mut start = Vec::new();
        let mut part = (&mut part).take(BYTES + 1);
        if (&mut part).take(4_096).read_to_end(&mut start).is_err() {
            continue;
        }
        let rest = std::io::copy(&mut part, &mut std::io::sink()).unwrap_or(0);
        let bytes = rest + u64::try_from(start.len()).unwrap_or(0);
        if bytes > BYTES || said_count(&start).is_some_and(|count| count > bytes / TEXT_BYTES) {
            return false;
        }
    }
    true
}

/// The number of texts that the table states.
fn said_count(start: &[u8]) -> Option<u64> {
    let text = String::from_utf8_lossy(start);
    let (_, rest) = text.split_once("uniqueCount")?;
    let number = rest.trim_start_matches([' ', '=', '"', '\'', '\t', '\r', '\n']);
    let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
    // A number that exceeds 64 bits is larger than any table.
    Some(digits.parse().unwrap_or(u64::MAX)).filter(|_| !digits.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_that_a_table_says_is_read() {
        let count = |text: &str| said_count(text.as_bytes());
        assert_eq!(count("<sst count=\"9\" uniqueCount=\"7\"><si/>"), Some(7));
        assert_eq!(count("<sst uniqueCount = '99999999999999999999999'>"), Some(u64::MAX));
        assert_eq!(count("<sst uniqueCount=\"\">"), None);
        assert_eq!(count("<sst>"), None);
    }
}
