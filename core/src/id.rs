//! The ids of one request: minted once, and the same for every attempt to commit it (rule U15).

use uuid::{Builder, Uuid};

use crate::time::Timestamp;

/// The ids of one request, made from one draw of random bytes.
///
/// A decision that is repeated on a new snapshot mints the same ids. With fresh ids, a commit whose answer
/// was lost could be applied twice. The ids of one request sort by number, so the oldest of several clients
/// of one batch is the one sent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdMint {
    first: u128,
}

/// The low bits that are free for the number. The rest of a larger number goes into the time, in milliseconds.
const NUMBER_BITS: u32 = 24;
const TIME_SHIFT: u32 = 80;

impl IdMint {
    /// The ids of a request at `now`, from ten random bytes.
    #[must_use]
    pub fn new(now: Timestamp, random: [u8; 10]) -> Self {
        let millis = u64::try_from(now.millis()).unwrap_or(0);
        let first = Builder::from_unix_timestamp_millis(millis, &random).into_uuid().as_u128();
        Self { first: first >> NUMBER_BITS << NUMBER_BITS }
    }

    /// The id with that number, a version 7 UUID. The ids of all numbers are distinct and sort by number. From 2^24
    /// on, their time is some milliseconds ahead, 255 at most.
    ///
    /// ```
    /// use matterbook_core::{id::IdMint, time::Timestamp};
    /// let mint = IdMint::new(Timestamp::from_micros(1_700_000_000_000_000), [7; 10]);
    /// assert!(mint.id(0) < mint.id(1));
    /// assert_eq!(mint.id(1).get_version_num(), 7);
    /// ```
    #[must_use]
    pub const fn id(&self, number: u32) -> Uuid {
        let ahead_millis = (number >> NUMBER_BITS) as u128;
        let low = (number & ((1 << NUMBER_BITS) - 1)) as u128;
        // The time of a clock at the end of its range begins again.
        Uuid::from_u128((self.first | low).wrapping_add(ahead_millis << TIME_SHIFT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_a_batch_of_millions_are_distinct_and_sort_by_number() {
        let mint = IdMint::new(Timestamp::from_micros(1_700_000_000_000_000), [0xff; 10]);
        let numbers = [0, 1, (1 << 24) - 1, 1 << 24, (1 << 24) + 1, 2 << 24, u32::MAX - 1, u32::MAX];
        let ids = numbers.map(|number| mint.id(number));
        assert!(ids.is_sorted_by(|earlier, later| earlier < later), "{ids:?}");
        for id in ids {
            assert_eq!((id.get_version_num(), id.get_variant()), (7, uuid::Variant::RFC4122), "{id}");
        }
    }
}
