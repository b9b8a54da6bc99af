//! When the next request of a key may be made, by what the service said with the last answer
//! (design section 3: the header fields `RateLimit` and `RateLimit-Policy`).

use std::time::{Duration, Instant};

use http::HeaderMap;

/// One request in so many is left to others who use the same key, such as an automation platform.
const SHARE_LEFT_TO_OTHERS: u64 = 10;

/// Keeps a caller below the limit, so that it is never refused.
///
/// Where no more requests are left than a tenth of the limit, the next one is made only once the oldest
/// counted request has left the window. So a long run settles a little below the limit, and does not
/// race others for the last places.
#[derive(Debug, Default)]
pub(super) struct Pace {
    not_before: Option<Instant>,
}

impl Pace {
    /// Notes what an answer that came `now` says of the limit. One that says nothing changes nothing.
    pub(super) fn heed(&mut self, headers: &HeaderMap, now: Instant) {
        let Some(place) = Place::read(headers) else { return };
        let pause = Duration::from_secs(place.seconds_until_more);
        self.not_before = if place.left <= place.limit / SHARE_LEFT_TO_OTHERS { now.checked_add(pause) } else { None };
    }

    /// How long the next request has to wait.
    pub(super) fn pause(&self, now: Instant) -> Duration {
        self.not_before.map_or(Duration::ZERO, |time| time.saturating_duration_since(now))
    }
}

/// Where a key stands: `"default";r=119;t=60` beside `"default";q=120;w=60`.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    /// How many more requests are let through.
    left: u64,
    /// Until the oldest counted request leaves the window.
    seconds_until_more: u64,
    /// How many are let through in a window; 0 where the service does not say.
    limit: u64,
}

impl Place {
    fn read(headers: &HeaderMap) -> Option<Self> {
        let standing = headers.get("ratelimit")?.to_str().ok()?;
        let policy = headers.get("ratelimit-policy").and_then(|value| value.to_str().ok()).unwrap_or_default();
        Some(Self {
            left: parameter(standing, "r")?,
            seconds_until_more: parameter(standing, "t")?,
            limit: parameter(policy, "q").unwrap_or(0),
        })
    }
}

/// A parameter of the first item of a structured field.
fn parameter(field: &str, name: &str) -> Option<u64> {
    let item = field.split(',').next().unwrap_or_default();
    let mut parameters = item.split(';').skip(1).filter_map(|parameter| parameter.trim().split_once('='));
    parameters.find(|(found, _)| *found == name).and_then(|(_, value)| value.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where a key stands → the seconds that the next request waits.
    fn check(standing: &str, policy: &str, expected: u64) {
        let mut headers = HeaderMap::new();
        headers.insert("ratelimit", standing.parse().unwrap());
        headers.insert("ratelimit-policy", policy.parse().unwrap());
        let now = Instant::now();
        let mut pace = Pace::default();
        pace.heed(&headers, now);
        assert_eq!(pace.pause(now), Duration::from_secs(expected), "{standing} {policy}");
    }

    #[test]
    fn a_tenth_of_the_limit_is_left_to_others() {
        let policy = "\"default\";q=120;w=60";
        check("\"default\";r=119;t=60", policy, 0);
        check("\"default\";r=13;t=60", policy, 0);
        check("\"default\";r=12;t=48", policy, 48);
        check("\"default\";r=0;t=7", policy, 7);
        check("\"default\"; r=0; t=7, \"other\";r=9;t=1", policy, 7);
    }

    #[test]
    fn of_a_small_limit_every_request_is_used() {
        check("\"default\";r=1;t=60", "\"default\";q=5;w=60", 0);
        check("\"default\";r=0;t=60", "\"default\";q=5;w=60", 60);
    }

    #[test]
    fn what_cannot_be_read_holds_nobody_up() {
        check("10", "\"default\";q=120;w=60", 0);
        check("\"default\";r=-1;t=9", "", 0);
        check("\"default\";r=0;t=99999999999999999999", "", 0);
        check("\"default\";r=0;t=9", "", 9);
    }

    #[test]
    fn a_wait_is_over_when_its_time_has_passed() {
        let mut headers = HeaderMap::new();
        headers.insert("ratelimit", "\"default\";r=0;t=7".parse().unwrap());
        let now = Instant::now();
        let mut pace = Pace::default();
        pace.heed(&headers, now);
        assert_eq!(pace.pause(now + Duration::from_secs(5)), Duration::from_secs(2));
        assert_eq!(pace.pause(now + Duration::from_secs(8)), Duration::ZERO);
    }
}
