//! The trait for time, randomness and the names of counties.

use std::{borrow::Cow, sync::Arc};

use crate::{county, jurisdiction::Jurisdiction, similar::NICKNAMES, time::Timestamp};

/// A clock and a source of random bytes, given by the host.
///
/// The core takes the time once for each request and mints all ids of the request from one draw of random
/// bytes. A test that fixes both gets the same answers again. A pointer to a platform is one, so a host may choose it
/// at run time.
///
/// ```
/// use matterbook_core::{platform::Platform, time::Timestamp};
/// struct Noon;
/// impl Platform for Noon {
///     fn now(&self) -> Timestamp {
///         Timestamp::from_micros(1_767_268_800_000_000)
///     }
///     fn random(&self) -> [u8; 32] {
///         [7; 32]
///     }
/// }
/// let platform: Box<dyn Platform> = Box::new(Noon);
/// assert_eq!(platform.now().to_string(), "2026-01-01T12:00:00.000000Z");
/// assert_eq!(platform.county_name("06037").as_deref(), Some("Los Angeles County"));
/// ```
pub trait Platform {
    /// The time now, by the host's clock.
    fn now(&self) -> Timestamp;
    /// Thirty-two unpredictable bytes.
    fn random(&self) -> [u8; 32];
    /// The name of the county with this FIPS code (rule P22). A host whose program has no room for the names
    /// of all counties finds it elsewhere.
    fn county_name(&self, fips: &str) -> Option<Cow<'static, str>> {
        county::name(fips).map(Cow::Borrowed)
    }
    /// The list of nicknames, as [`Nicknames::parse`](crate::similar::Nicknames::parse) reads it (rule Y2). A host whose
    /// program has no room for it finds it elsewhere.
    fn nicknames(&self) -> Cow<'static, str> {
        Cow::Borrowed(NICKNAMES)
    }
    /// At most so many clients of an account are compared with each other (rule Y5).
    fn compared_clients_max(&self) -> usize {
        1_000_000
    }
    /// Whether the host can keep an account's clients within this jurisdiction (rule O41).
    fn has_jurisdiction(&self, _jurisdiction: Jurisdiction) -> bool {
        false
    }
}

macro_rules! pointer {
    ($pointer:ty) => {
        impl<P: Platform + ?Sized> Platform for $pointer {
            fn now(&self) -> Timestamp {
                (**self).now()
            }

            fn random(&self) -> [u8; 32] {
                (**self).random()
            }

            fn county_name(&self, fips: &str) -> Option<Cow<'static, str>> {
                (**self).county_name(fips)
            }

            fn nicknames(&self) -> Cow<'static, str> {
                (**self).nicknames()
            }

            fn compared_clients_max(&self) -> usize {
                (**self).compared_clients_max()
            }

            fn has_jurisdiction(&self, jurisdiction: Jurisdiction) -> bool {
                (**self).has_jurisdiction(jurisdiction)
            }
        }
    };
}

pointer!(&P);
pointer!(Box<P>);
pointer!(Arc<P>);
