//! What is to be written to the log, until there is enough of it.

/// So much is written at once: within a processor's own cache, so that gathering costs next to nothing, and less
/// than 128 KiB, of which SQLite's system calls take the rest only.
const MOST_BYTES: usize = 120 * 1_024;

/// The length of what SQLite writes before each page
/// (<https://www.sqlite.org/fileformat2.html#the_write_ahead_log>).
const FRAME_HEADER_BYTES: usize = 24;

/// Bytes that follow each other in the file, and where they begin.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    offset: i64,
    bytes: Vec<u8>,
    is_last_page_next: bool,
}

impl Gathered {
    /// Whether these bytes follow those that are here, and there is room for them.
    pub(super) fn takes(&mut self, offset: i64, more: &[u8]) -> bool {
        if self.bytes.is_empty() {
            self.offset = offset;
        }
        let follows =
            i64::try_from(self.bytes.len()).is_ok_and(|length| self.offset.checked_add(length) == Some(offset));
        let fits = self.bytes.len().saturating_add(more.len()) <= MOST_BYTES;
        follows && fits && (self.bytes.capacity() > 0 || self.bytes.try_reserve_exact(MOST_BYTES).is_ok())
    }

    /// Takes what it said it takes. Returns whether that ends a commit, which others may read as soon as
    /// SQLite knows of no error.
    pub(super) fn add(&mut self, more: &[u8]) -> bool {
        self.bytes.extend_from_slice(more);
        let is_last_page = self.is_last_page_next;
        // The header of a commit's last page says how many pages the database has now; all others say 0.
        let pages = more.get(4..8).filter(|_| more.len() == FRAME_HEADER_BYTES);
        self.is_last_page_next = pages.is_some_and(|pages| pages != [0; 4]);
        is_last_page
    }

    /// What is here and where it belongs, if there is anything.
    pub(super) fn written_at(&self) -> Option<(i64, &[u8])> {
        (!self.bytes.is_empty()).then_some((self.offset, &self.bytes[..]))
    }

    /// Forgets it.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: [u8; FRAME_HEADER_BYTES] = [0; FRAME_HEADER_BYTES];
    const PAGE: [u8; 4_096] = [7; 4_096];

    fn last_header() -> [u8; FRAME_HEADER_BYTES] {
        let mut header = HEADER;
        header[7] = 9;
        header
    }

    #[test]
    fn pages_that_follow_each_other_are_one_piece() {
        let mut gathered = Gathered::default();
        assert_eq!(gathered.written_at(), None);
        for (offset, more) in [(32, &HEADER[..]), (56, &PAGE), (4_152, &HEADER), (4_176, &PAGE)] {
            assert!(gathered.takes(offset, more));
            assert!(!gathered.add(more));
        }
        let (offset, bytes) = gathered.written_at().unwrap();
        assert_eq!((offset, bytes.len()), (32, 2 * (24 + 4_096)));
        gathered.clear();
        assert_eq!(gathered.written_at(), None);
        assert!(gathered.takes(0, &PAGE), "what comes after it may lie anywhere");
    }

    #[test]
    fn what_lies_elsewhere_or_is_too_much_is_not_taken() {
        let mut gathered = Gathered::default();
        assert!(gathered.takes(100, &PAGE));
        gathered.add(&PAGE);
        for offset in [0, 100, 4_195, 4_197, i64::MAX, i64::MIN] {
            assert!(!gathered.takes(offset, &PAGE), "{offset}");
        }
        let mut offset = 4_196;
        while gathered.takes(offset, &PAGE) {
            gathered.add(&PAGE);
            offset += 4_096;
        }
        assert_eq!(gathered.written_at().unwrap().1.len(), MOST_BYTES);
        gathered.clear();
        assert!(!gathered.takes(0, &vec![0; MOST_BYTES + 1]));
    }

    #[test]
    fn a_commit_ends_with_the_page_after_its_header() {
        let mut gathered = Gathered::default();
        let ends = [&HEADER[..], &PAGE, &last_header(), &PAGE, &HEADER, &PAGE].map(|more| gathered.add(more));
        assert_eq!(ends, [false, false, false, true, false, false]);
    }
}
