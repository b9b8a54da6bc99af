//! The parts of a workbook: a ZIP archive whose parts are read with bounds, whatever the archive says of them.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use flate2::{Crc, read::DeflateDecoder};
use foldhash::{HashMap, HashMapExt as _};
use zip::{CompressionMethod, read::Config, unstable::read::ZipIterable};

use super::{Damage, SeekableFile};

/// More parts than workbooks have.
const PARTS: usize = 10_000;
/// No part that is read has a longer name.
const NAME_BYTES: usize = 255;
/// The length of a local header without its name and extra field, and where their lengths are.
const LOCAL_HEADER_BYTES: u64 = 30;
const LENGTHS_AT: u64 = 26;

/// A workbook's file with the places of its parts.
pub(super) struct Package {
    file: SeekableFile,
    parts: HashMap<String, Place>,
}

#[derive(Clone, Copy)]
struct Place {
    header_start: u64,
    compressed_bytes: u64,
    is_deflated: bool,
    crc: u32,
}

impl Package {
    pub(super) fn open(mut file: SeekableFile) -> Result<Self, Damage> {
        let mut archive = ZipIterable::try_new(BufReader::new(&mut file), Config::default())?;
        if archive.len() > PARTS {
            return Err(Damage::Damaged);
        }
        let mut parts = HashMap::new();
        for entry in archive.files()? {
            let entry = entry?;
            let is_deflated = match entry.compression() {
                CompressionMethod::Deflated => true,
                CompressionMethod::Stored => false,
                _ => continue,
            };
            let Ok(name) = entry.name() else { continue };
            if name.len() > NAME_BYTES || entry.encrypted() {
                continue;
            }
            let place = Place {
                header_start: entry.header_start(),
                compressed_bytes: entry.compressed_size(),
                is_deflated,
                crc: entry.crc32(),
            };
            parts.insert(key(&name), place);
        }
        drop(archive);
        Ok(Self { file, parts })
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.parts.contains_key(&key(name))
    }

    /// A part of at most this many bytes; a longer one fails while it is read.
    pub(super) fn part(&mut self, name: &str, most_bytes: u64) -> Result<Part<&mut SeekableFile>, Damage> {
        let place = self.parts.get(&key(name)).copied().ok_or(Damage::Damaged)?;
        Part::open(&mut self.file, place, most_bytes)
    }

    /// The same for the last part that is read.
    pub(super) fn into_part(self, name: &str, most_bytes: u64) -> Result<Part<SeekableFile>, Damage> {
        let place = self.parts.get(&key(name)).copied().ok_or(Damage::Damaged)?;
        Part::open(self.file, place, most_bytes)
    }
}

/// Names of parts are compared without letter case.
fn key(name: &str) -> String {
    name.trim_start_matches('/').to_ascii_lowercase()
}

/// The bytes of a part.
pub(super) struct Part<R: Read> {
    bytes: Bytes<R>,
    crc: Crc,
    expected_crc: u32,
    left: u64,
}

enum Bytes<R: Read> {
    Stored(io::Take<R>),
    Deflated(DeflateDecoder<io::Take<R>>),
}

impl<R: Read + Seek> Part<R> {
    fn open(mut file: R, place: Place, most_bytes: u64) -> Result<Self, Damage> {
        file.seek(SeekFrom::Start(place.header_start.saturating_add(LENGTHS_AT)))?;
        let mut lengths = [0; 4];
        file.read_exact(&mut lengths)?;
        let [name_low, name_high, extra_low, extra_high] = lengths;
        let before = u64::from(u16::from_le_bytes([name_low, name_high]))
            + u64::from(u16::from_le_bytes([extra_low, extra_high]));
        let start = place.header_start.saturating_add(LOCAL_HEADER_BYTES).saturating_add(before);
        file.seek(SeekFrom::Start(start))?;
        let file = file.take(place.compressed_bytes);
        let bytes = if place.is_deflated { Bytes::Deflated(DeflateDecoder::new(file)) } else { Bytes::Stored(file) };
        Ok(Self { bytes, crc: Crc::new(), expected_crc: place.crc, left: most_bytes })
    }
}

impl<R: Read> Read for Part<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = match &mut self.bytes {
            Bytes::Stored(bytes) => bytes.read(buffer)?,
            Bytes::Deflated(bytes) => bytes.read(buffer)?,
        };
        self.crc.update(buffer.get(..count).unwrap_or_default());
        if count == 0 && !buffer.is_empty() && self.crc.sum() != self.expected_crc {
            return Err(io::ErrorKind::InvalidData.into());
        }
        self.left =
            self.left.checked_sub(u64::try_from(count).unwrap_or(u64::MAX)).ok_or(io::ErrorKind::InvalidData)?;
        Ok(count)
    }
}
