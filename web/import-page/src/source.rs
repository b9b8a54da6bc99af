//! The bytes of the file, read as often as needed.

use std::{
    io::{self, BufReader, Cursor, Read, Seek, SeekFrom},
    sync::Arc,
};

use matterbook_import::{push::hex, records::Content};
use sha2::{Digest as _, Sha256};

/// How much is asked for at once.
const PIECE_BYTES: usize = 256 * 1_024;

/// Reads bytes from a place in the file into a buffer, and returns how many there were.
pub type ReadAt = fn(u64, &mut [u8]) -> io::Result<usize>;

/// A file that can be opened again.
#[derive(Clone)]
pub struct Source(Kind);

#[derive(Clone)]
enum Kind {
    Bytes(Arc<[u8]>),
    /// A file outside, of so many bytes.
    Outside(ReadAt, u64),
}

impl Source {
    /// A file in memory.
    #[must_use]
    pub fn of_bytes(bytes: Vec<u8>) -> Self {
        Self(Kind::Bytes(bytes.into()))
    }

    /// A file of so many bytes that a function reads.
    #[must_use]
    pub const fn outside(read: ReadAt, bytes: u64) -> Self {
        Self(Kind::Outside(read, bytes))
    }

    /// The file from its beginning.
    #[must_use]
    pub fn open(&self) -> Content {
        match &self.0 {
            Kind::Bytes(bytes) => {
                Content::File(Box::new(Cursor::new(Arc::clone(bytes))), u64::try_from(bytes.len()).ok())
            }
            Kind::Outside(read, bytes) => {
                let outside = Outside { read: *read, at: 0, bytes: *bytes };
                Content::File(Box::new(BufReader::with_capacity(PIECE_BYTES, outside)), Some(*bytes))
            }
        }
    }

    /// The SHA-256 of the bytes, in hexadecimal digits.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn sha256(&self) -> io::Result<String> {
        let mut file = self.open();
        let mut digest = Sha256::new();
        let mut piece = vec![0; PIECE_BYTES];
        loop {
            match file.read(&mut piece)? {
                0 => return Ok(hex(&digest.finalize())),
                length => digest.update(piece.get(..length).unwrap_or_default()),
            }
        }
    }
}

struct Outside {
    read: ReadAt,
    at: u64,
    bytes: u64,
}

impl Read for Outside {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.bytes.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let Some(buffer) = buffer.get_mut(..wanted).filter(|buffer| !buffer.is_empty()) else { return Ok(0) };
        let count = (self.read)(self.at, buffer)?;
        self.at += u64::try_from(count).unwrap_or(0);
        Ok(count)
    }
}

impl Seek for Outside {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.bytes.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_outside_is_read_in_any_order() {
        const BYTES: &[u8] = b"0123456789";
        let read: ReadAt = |at, buffer| {
            let mut rest = &BYTES[usize::try_from(at).unwrap()..];
            // Fewer bytes than wanted are no end.
            let wanted = buffer.len().min(3);
            rest.read(&mut buffer[..wanted])
        };
        let source = Source::outside(read, 10);
        let mut text = String::new();
        source.open().read_to_string(&mut text).unwrap();
        assert_eq!(text.as_bytes(), BYTES);
        let Content::File(mut file, length) = source.open() else { panic!("no file") };
        assert_eq!((file.seek(SeekFrom::End(-3)).unwrap(), length), (7, Some(10)));
        text.clear();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "789");
        assert!(file.seek(SeekFrom::End(-11)).is_err());
        assert_eq!(source.sha256().unwrap(), Source::of_bytes(BYTES.to_vec()).sha256().unwrap());
    }
}
