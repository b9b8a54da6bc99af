//! The trait for time, randomness and the names of counties.

use std::borrow::Cow;

use crate::{county, time::Timestamp};

/// A clock and a source of random bytes, given by the host.
///
/// The core takes the time once for each request and mints all ids of the request from one draw of random
/// bytes. A test that fixes both gets the same answers again.
pub trait Platform {
    /// The time now, by the host's clock.
    fn now(&self) -> Timestamp;
    /// Thirty-two unpredictable bytes.
    fn random(&self) -> [u8; 32];
    /// The name of the county with this FIPS code (rule P22). A host whose program has no room for the names
    /// of all counties finds it elsewhere.
    #[must_use]
    fn county_name(fips: &str) -> Option<Cow<'static, str>>
    where
        Self: Sized,
    {
        county::name(fips).map(Cow::Borrowed)
    }
}
