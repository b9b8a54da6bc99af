//! The one trait through which time and randomness come in (design section 2).

use crate::time::Timestamp;

/// A clock and a source of random bytes, given by the host.
///
/// The core takes `now` once a request and mints every id of the request from one draw of random
/// bytes, so a test that fixes both sees the same answers again.
pub trait Platform {
    /// Whether the host keeps the description of the API, `/openapi.json`, outside the program, as it may
    /// keep a viewer's files. The answer then names it as its file, [`Handled::file`], and the host sends
    /// what [`DESCRIPTION`] holds; the program need not hold it.
    ///
    /// [`Handled::file`]: crate::api::Handled::file
    /// [`DESCRIPTION`]: crate::api::DESCRIPTION
    const KEEPS_DESCRIPTION_OUTSIDE: bool = false;

    /// The time now, by the host's clock.
    fn now(&self) -> Timestamp;
    /// Thirty-two bytes that nobody can guess.
    fn random(&self) -> [u8; 32];
}
