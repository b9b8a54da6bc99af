//! The checksum of a part of a ZIP archive (APPNOTE 6.3.9, 4.4.7): CRC-32. A library's table of it is 16 kB of the
//! Worker's module, because it takes sixteen bytes at a time; this one is computed and takes one.

use std::array;

/// CRC-32 of what was added.
pub(crate) struct Checksum {
    /// Of each byte.
    table: [u32; 256],
    /// Inverted.
    sum: u32,
}

impl Checksum {
    /// Of nothing.
    pub(crate) fn new() -> Self {
        Self { table: array::from_fn(of_byte), sum: u32::MAX }
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let index = self.sum.to_le_bytes()[0] ^ byte;
            self.sum = (self.sum >> 8) ^ self.table.get(usize::from(index)).copied().unwrap_or_default();
        }
    }

    pub(crate) fn sum(&self) -> u32 {
        !self.sum
    }
}

/// The remainder of one byte by the polynomial, lowest bit first.
fn of_byte(byte: usize) -> u32 {
    (0..8).fold(byte as u32, |rest, _| if rest & 1 == 1 { (rest >> 1) ^ 0xedb8_8320 } else { rest >> 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_that_of_the_library() {
        let all: Vec<u8> = (0..=255).cycle().take(1_000).collect();
        for text in [b"".as_slice(), b"123456789", &all] {
            let (mut own, mut library) = (Checksum::new(), flate2::Crc::new());
            for piece in text.chunks(7) {
                own.update(piece);
                library.update(piece);
            }
            assert_eq!(own.sum(), library.sum(), "{text:?}");
        }
    }
}
