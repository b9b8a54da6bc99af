//! The one trait through which time and randomness come in (design section 2).

use crate::time::Timestamp;

/// A clock and a source of random bytes, given by the host.
///
/// The core takes `now` once a request and mints every id of the request from one draw of random
/// bytes, so a test that fixes both sees the same answers again.
pub trait Platform {
    /// The time now, by the host's clock.
    fn now(&self) -> Timestamp;
    /// Thirty-two bytes that nobody can guess.
    fn random(&self) -> [u8; 32];
}
