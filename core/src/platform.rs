//! The trait for time and randomness.

use crate::time::Timestamp;

/// A clock and a source of random bytes, given by the host.
///
/// The core takes the time once for each request and mints all ids of the request from one draw of random
/// bytes. A test that fixes both gets the same answers again.
pub trait Platform {
    /// The time now, by the host's clock.
    fn now(&self) -> Timestamp;
    /// Thirty-two unpredictable bytes.
    fn random(&self) -> [u8; 32];
}
