//! The bytes of a file from any source.

use std::io::{Cursor, Read, Seek};

/// A file that can be read in any order.
pub type SeekableFile = Box<dyn ReadSeek>;

/// The traits of [`SeekableFile`].
pub trait ReadSeek: Read + Seek + Send {}

impl<T: Read + Seek + Send> ReadSeek for T {}

/// The bytes of a file.
pub enum Content {
    /// A stream, such as standard input. A workbook cannot be read from it.
    Stream(Box<dyn Read + Send>),
    /// A file with its length, if that is known.
    File(SeekableFile, Option<u64>),
}

impl Content {
    /// The content of a file in memory.
    #[must_use]
    pub fn of_bytes(bytes: Vec<u8>) -> Self {
        let length = u64::try_from(bytes.len()).ok();
        Self::File(Box::new(Cursor::new(bytes)), length)
    }

    pub(super) const fn bytes_total(&self) -> Option<u64> {
        match self {
            Self::Stream(_) => None,
            Self::File(_, bytes) => *bytes,
        }
    }
}

impl Read for Content {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Self::Stream(stream) => stream.read(buffer),
            Self::File(file, _) => file.read(buffer),
        }
    }
}
