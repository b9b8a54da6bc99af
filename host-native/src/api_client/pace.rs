//! When the next request of a key may be sent, by the `RateLimit` and `RateLimit-Policy` headers of the last
//! response (rule R4).

use std::time::{Duration, Instant};

use http::HeaderMap;

/// One in this many requests is left for other users of the key, such as an automation platform.
const SHARE_LEFT_TO_OTHERS: u64 = 10;

/// Keeps a caller below the rate limit, so that it is never refused.
///
/// When at most a tenth of the limit is left, the next request waits until the oldest counted request leaves
/// the window. So a long run stays a little below the limit and does not compete for the last requests.
#[derive(Debug, Default)]
pub(super) struct Pace {
    not_before: Option<Instant>,
}

impl Pace {
    /// Reads the limit from a response that came `now`. A response without the headers changes nothing.
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

/// The state of the limit: `"default";r=119;t=60` with the policy `"default";q=120;w=60`.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    /// The number of requests left.
    left: u64,
    /// The time until the oldest counted request leaves the window.
    seconds_until_more: u64,
    /// The number of requests in a window; 0 if the service does not say.
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

    /// Header values → the seconds that the next request waits.
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
