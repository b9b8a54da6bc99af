//! Calls the API with one key: keeps below the rate limit, retries where that is safe, and returns a sentence
//! for failures that retries do not fix.
//!
//! Reads are safe to repeat. A POST is safe because it carries an `Idempotency-Key` (rules I1 to I8): a
//! repeated request returns the saved response. A response that says that the request is wrong is never
//! retried.

mod address;
mod authorities;
mod clock;
mod error;
mod http_transport;
mod pace;
mod transport;

pub(crate) use address::{Way, origin_of, way_to};
pub(crate) use authorities::tls_config;
pub(crate) use clock::{Clock, SystemClock};
pub(crate) use error::ApiError;
pub(crate) use http_transport::{HttpTransport, no_answer};
pub(crate) use transport::{Answer, NoAnswer, Request, Transport};

use std::time::{Duration, Instant};

use http::Method;
use serde::Deserialize;

use pace::Pace;

/// The pause after the first failure; it doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause, unless the service asks for more.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Calls one service with one key.
pub(crate) struct ApiClient<'a> {
    base: String,
    transport: &'a dyn Transport,
    clock: &'a dyn Clock,
    watcher: &'a dyn Fn(&Wait),
    patience: Duration,
    pace: Pace,
    was_answered: bool,
}

/// A pause before the next request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wait {
    /// Its length.
    pub(crate) pause: Duration,
    /// The failure; `None` if the pause only keeps below the rate limit.
    pub(crate) trouble: Option<ApiError>,
}

/// The account of a key (rule H25).
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub(crate) struct Account {
    /// The account's id; it never changes.
    pub(crate) id: String,
    /// Its contact address.
    pub(crate) email: String,
}

impl<'a> ApiClient<'a> {
    /// A caller that retries failures for `patience` before it gives up, and reports each pause to the
    /// `watcher`. Error sentences name the service by `base`.
    pub(crate) fn new(
        base: &str,
        transport: &'a dyn Transport,
        clock: &'a dyn Clock,
        watcher: &'a dyn Fn(&Wait),
        patience: Duration,
    ) -> Self {
        let pace = Pace::default();
        Self { base: base.to_owned(), transport, clock, watcher, patience, pace, was_answered: false }
    }

    /// Reads the account of the key (rule H25).
    ///
    /// # Errors
    /// When the key or the address is wrong.
    pub(crate) fn account(&mut self) -> Result<Account, ApiError> {
        #[derive(Deserialize)]
        struct Body {
            account: Account,
        }
        let answer = self.get("/me")?;
        serde_json::from_slice(&answer.body)
            .map(|Body { account }| account)
            .map_err(|_| ApiError::foreign(&self.base, &answer))
    }

    /// Sends a read.
    ///
    /// # Errors
    /// When the service refuses, or fails for longer than `patience`.
    pub(crate) fn get(&mut self, path: &str) -> Result<Answer, ApiError> {
        self.send(&Request { method: &Method::GET, path, body: None, idempotency_key: None })
    }

    /// Sends a write that may be repeated, with its idempotency key.
    ///
    /// # Errors
    /// When the service refuses, or fails for longer than `patience`. In the second case it is unknown
    /// whether the write was saved; the same call again finds out.
    pub(crate) fn post(&mut self, path: &str, body: &str, idempotency_key: &str) -> Result<Answer, ApiError> {
        let idempotency_key = Some(idempotency_key);
        self.send(&Request { method: &Method::POST, path, body: Some(body), idempotency_key })
    }

    /// The error of a response that does not come from Matterbook.
    #[must_use]
    pub(crate) fn foreign(&self, answer: &Answer) -> ApiError {
        ApiError::foreign(&self.base, answer)
    }

    fn send(&mut self, request: &Request<'_>) -> Result<Answer, ApiError> {
        let mut failing_since: Option<Instant> = None;
        let mut failures = 0;
        loop {
            self.wait_for_a_turn();
            let outcome = self.transport.exchange(request);
            let now = self.clock.now();
            let trouble = self.judge(outcome, now)?;
            let trouble = match trouble {
                Judged::Answered(answer) => return Ok(answer),
                Judged::Failed(trouble) => trouble,
            };
            let since = *failing_since.get_or_insert(now);
            let left = self.patience.saturating_sub(now.saturating_duration_since(since));
            let pause = trouble.pause.unwrap_or_else(|| self.growing_pause(failures));
            failures += 1;
            if pause > left {
                return Err(self.give_up(trouble, pause, now.saturating_duration_since(since)));
            }
            (self.watcher)(&Wait { pause, trouble: Some(trouble.error) });
            self.clock.sleep(pause);
        }
    }

    fn wait_for_a_turn(&self) {
        let pause = self.pace.pause(self.clock.now());
        if !pause.is_zero() {
            (self.watcher)(&Wait { pause, trouble: None });
            self.clock.sleep(pause);
        }
    }

    /// The result of an attempt. An error is one that no retry fixes.
    fn judge(&mut self, outcome: Result<Answer, NoAnswer>, now: Instant) -> Result<Judged, ApiError> {
        let answer = match outcome {
            Ok(answer) => answer,
            Err(no_answer) => {
                let may_pass = matches!(no_answer, NoAnswer::Unreachable(_)) && self.was_answered;
                let error = ApiError::of_no_answer(&self.base, no_answer);
                // If the service was never reached, a wrong address is more likely than a short outage.
                return if may_pass { Ok(Judged::Failed(Trouble { error, pause: None })) } else { Err(error) };
            }
        };
        self.was_answered = true;
        self.pace.heed(&answer.headers, now);
        if answer.status == 200 {
            return Ok(Judged::Answered(answer));
        }
        let error = ApiError::of_answer(&self.base, &answer);
        match answer.status {
            408 | 429 | 500..600 => Ok(Judged::Failed(Trouble { error, pause: retry_after(&answer) })),
            _ => Err(error),
        }
    }

    /// One second, doubled with each failure up to a minute, times a random factor from a half to one.
    fn growing_pause(&self, failures: u32) -> Duration {
        let longest = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(failures)).min(LONGEST_PAUSE);
        longest.mul_f64(0.5 + self.clock.chance().clamp(0.0, 1.0) / 2.0)
    }

    fn give_up(&self, trouble: Trouble, pause: Duration, time: Duration) -> ApiError {
        let last = Box::new(trouble.error);
        match trouble.pause {
            Some(_) if pause > self.patience => ApiError::TooLongAPause { last, pause },
            _ if time.is_zero() => *last,
            _ => ApiError::GivenUp { last, time },
        }
    }
}

enum Judged {
    Answered(Answer),
    Failed(Trouble),
}

/// A failure that a retry may fix.
struct Trouble {
    error: ApiError,
    /// The pause that the service asks for.
    pause: Option<Duration>,
}

/// `Retry-After` in seconds. A date, which proxies may send, needs two synchronized clocks, so it is ignored
/// and our own pause applies.
fn retry_after(answer: &Answer) -> Option<Duration> {
    answer.header("retry-after")?.trim().parse().ok().map(Duration::from_secs)
}

#[cfg(test)]
mod tests;
