//! The limit of failed authentications, for each address and for all of them together (rules A12 and A13).
//!
//! A minute begins with its first failure, and all counts end with it. So the state is bounded: there are no
//! more addresses than failures.

use std::{
    net::{IpAddr, Ipv6Addr},
    sync::{Mutex, PoisonError},
};

use foldhash::HashMap;
use http::{HeaderValue, header};

use super::error::{ApiError, ErrorCode};
use crate::time::Timestamp;

const MINUTE_SECONDS: i64 = 60;

/// The address of a caller, which a host adds to the extensions of a request's head. Without it no failure is
/// counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallerAddress(pub IpAddr);

/// The failed authentications of the present minute.
///
/// ```
/// # #[cfg(feature = "memory")] {
/// use std::sync::Arc;
/// use matterbook_core::{
///     api::{Api, FailedAuthentications},
///     memory::{ManualPlatform, MemoryRateLimiter, MemoryStore, test_key_secrets},
///     settings::Settings,
///     time::Timestamp,
/// };
///
/// let platform = ManualPlatform::new(Timestamp::from_micros(0));
/// let api = Api::new(MemoryStore::default(), MemoryRateLimiter::default(), platform, Settings::default(), test_key_secrets());
/// let api = api.with_failed_authentications(Arc::new(FailedAuthentications::new(300, 3_000)));
/// # drop(api);
/// # }
/// ```
#[derive(Debug)]
pub struct FailedAuthentications {
    /// Of the public API.
    pub(super) public: Counter,
    /// Of the operator API. Failures of strangers at the public one do not refuse an operator.
    pub(super) operator: Counter,
}

#[derive(Debug)]
pub(super) struct Counter {
    of_each: u32,
    of_all: u32,
    minute: Mutex<Minute>,
}

#[derive(Debug, Default)]
struct Minute {
    began: Option<Timestamp>,
    all: u32,
    addresses: HashMap<IpAddr, u32>,
}

impl FailedAuthentications {
    /// At most so many in a minute from one address, and from all of them together.
    #[must_use]
    pub fn new(of_each: u32, of_all: u32) -> Self {
        Self { public: Counter::new(of_each, of_all), operator: Counter::new(of_each, of_all) }
    }
}

impl Counter {
    fn new(of_each: u32, of_all: u32) -> Self {
        Self { of_each, of_all, minute: Mutex::default() }
    }

    /// The seconds until an address may try again, where it has had too many failures.
    pub(super) fn refused_for_seconds(&self, address: CallerAddress, now: Timestamp) -> Option<i64> {
        self.within_minute(now, |minute, left_seconds| {
            let failures = minute.addresses.get(&network(address)).copied().unwrap_or(0);
            let is_refused = failures >= self.of_each || (failures > 0 && minute.all >= self.of_all);
            is_refused.then_some(left_seconds)
        })
    }

    /// Counts a failure. The seconds until the next is counted, where it is one too many.
    pub(super) fn count(&self, address: CallerAddress, now: Timestamp) -> Option<i64> {
        self.within_minute(now, |minute, left_seconds| {
            let failures = minute.addresses.get(&network(address)).copied().unwrap_or(0);
            if failures >= self.of_each || minute.all >= self.of_all {
                return Some(left_seconds);
            }
            minute.all += 1;
            minute.addresses.insert(network(address), failures + 1);
            None
        })
    }

    /// The present minute, and the seconds to its end. After a clock was set back, a new minute begins.
    fn within_minute<T>(&self, now: Timestamp, work: impl FnOnce(&mut Minute, i64) -> T) -> T {
        let mut minute = self.minute.lock().unwrap_or_else(PoisonError::into_inner);
        let end = |began: Timestamp| began.plus_seconds(MINUTE_SECONDS);
        let began = match minute.began {
            Some(began) if began <= now && now < end(began) => began,
            _ => {
                *minute = Minute { began: Some(now), ..Minute::default() };
                now
            }
        };
        let left_seconds = (1..MINUTE_SECONDS).find(|seconds| now.plus_seconds(*seconds) >= end(began));
        work(&mut minute, left_seconds.unwrap_or(MINUTE_SECONDS))
    }
}

/// 429 for a failure past the limit.
pub(super) fn too_many(wait_seconds: i64) -> ApiError {
    let message = "Too many requests without a valid key from here; wait for the seconds in Retry-After.";
    ApiError::new(ErrorCode::RateLimited, message).with_header(header::RETRY_AFTER, HeaderValue::from(wait_seconds))
}

/// What counts as one address: of IPv6 the 64 bits that a provider gives to one customer.
fn network(CallerAddress(address): CallerAddress) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(1_700_000_000_000_000).plus_seconds(seconds)
    }

    fn address(text: &str) -> CallerAddress {
        CallerAddress(text.parse().unwrap())
    }

    #[test]
    fn an_address_is_refused_after_its_failures_until_the_minute_ends() {
        let failed = Counter::new(2, 100);
        let (one, other) = (address("192.0.2.1"), address("192.0.2.2"));
        assert_eq!([failed.count(one, at(0)), failed.count(one, at(10))], [None; 2]);
        assert_eq!(failed.count(one, at(20)), Some(40));
        assert_eq!(failed.refused_for_seconds(one, at(59)), Some(1));
        assert_eq!(failed.refused_for_seconds(other, at(59)), None);
        assert_eq!(failed.refused_for_seconds(one, at(60)), None);
        assert_eq!(failed.count(one, at(61)), None);
    }

    #[test]
    fn after_the_failures_of_all_only_addresses_without_one_are_free() {
        let failed = Counter::new(10, 3);
        for last in 1..=3 {
            assert_eq!(failed.count(address(&format!("192.0.2.{last}")), at(0)), None);
        }
        assert_eq!(failed.count(address("192.0.2.4"), at(1)), Some(59));
        assert_eq!(failed.refused_for_seconds(address("192.0.2.1"), at(1)), Some(59));
        assert_eq!(failed.refused_for_seconds(address("192.0.2.4"), at(1)), None);
        assert!(failed.minute.lock().unwrap().addresses.len() <= 3, "the state is bounded");
    }

    #[test]
    fn the_addresses_of_one_ipv6_customer_count_as_one() {
        let failed = Counter::new(1, 100);
        assert_eq!(failed.count(address("2001:db8:1:2::1"), at(0)), None);
        assert_eq!(failed.count(address("2001:db8:1:2:ffff::9"), at(0)), Some(60));
        assert_eq!(failed.count(address("2001:db8:1:3::1"), at(0)), None);
        assert_eq!(failed.count(address("192.0.2.1"), at(0)), None);
        assert_eq!(failed.count(address("::ffff:192.0.2.1"), at(0)), Some(60));
    }

    #[test]
    fn a_clock_that_is_set_back_refuses_nobody_for_longer_than_a_minute() {
        let failed = Counter::new(1, 100);
        assert_eq!(failed.count(address("192.0.2.1"), at(1_000_000)), None);
        assert_eq!(failed.count(address("192.0.2.1"), at(0)), None);
    }
}
