//! How a service under test is set up: what `GET /operator/v1/settings` says, and which optional parts it has.

use serde_json::Value;

use super::{Answer, Request};

/// What cases need to know beforehand.
#[derive(Clone, PartialEq, Eq)]
pub struct Facts {
    /// Opens the operator API.
    pub operator_token: String,
    /// The bearer realm, and the prospects' `source`.
    pub service_name: String,
    /// The first four characters of every key.
    pub key_prefix: String,
    /// How long `GET /clients` hides a change.
    pub client_delay_seconds: u64,
    /// How long `GET /prospects` hides a prospect.
    pub prospect_delay_seconds: u64,
    /// Requests of a key let through in any 60 seconds; 0 when the limit is off.
    pub rate_limit_per_minute: u64,
    /// The largest body that is read.
    pub body_limit_bytes: usize,
    /// It describes its API at `/openapi.json` and shows it at `/docs`.
    pub has_viewer: bool,
}

impl Facts {
    /// The longest delay that a case waits for on a real clock.
    pub const LONGEST_DELAY_SECONDS: u64 = 65;
    /// The lowest rate limit, other than 0, under which every case has room.
    pub const LOWEST_RATE_LIMIT: u64 = 100;

    /// Asks a service how it is set up.
    ///
    /// # Errors
    /// A sentence when it does not say so.
    pub fn ask(operator_token: &str, exchange: impl Fn(&Request) -> Result<Answer, String>) -> Result<Self, String> {
        let answer = exchange(&Request::new("GET", "/operator/v1/settings").bearer(operator_token))?;
        match answer.status {
            200 => {}
            401 => return Err("The service refused the operator token.".to_owned()),
            404 => return Err("There is no operator API at this URL, or it has no token configured.".to_owned()),
            status => return Err(format!("GET /operator/v1/settings was answered with status {status}.")),
        }
        let missing = |name: &str| format!("GET /operator/v1/settings does not say {name}.");
        let settings = answer.at("/settings");
        let text =
            |name: &str| settings.get(name).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| missing(name));
        let number = |name: &str| settings.get(name).and_then(Value::as_u64).ok_or_else(|| missing(name));
        let description = exchange(&Request::new("GET", "/openapi.json"))?;
        Ok(Self {
            has_viewer: description.status != 404,
            operator_token: operator_token.to_owned(),
            service_name: text("service_name")?,
            key_prefix: text("key_prefix")?,
            client_delay_seconds: number("client_delay_seconds")?,
            prospect_delay_seconds: number("prospect_delay_seconds")?,
            rate_limit_per_minute: number("rate_limit_per_minute")?,
            body_limit_bytes: usize::try_from(number("body_limit_bytes")?).unwrap_or(usize::MAX),
        })
    }

    /// Whether the suite can be run on a real clock against this service.
    ///
    /// # Errors
    /// A sentence that names the setting to change.
    pub fn suitable_on_a_real_clock(&self) -> Result<(), String> {
        let longest = Self::LONGEST_DELAY_SECONDS;
        for (name, seconds) in [
            ("MATTERBOOK_CLIENT_DELAY_SECONDS", self.client_delay_seconds),
            ("MATTERBOOK_PROSPECT_DELAY_SECONDS", self.prospect_delay_seconds),
        ] {
            if seconds > longest {
                return Err(format!(
                    "{name} is {seconds}: the suite waits for every delay, so run the service with at most {longest}."
                ));
            }
        }
        let lowest = Self::LOWEST_RATE_LIMIT;
        if (1..lowest).contains(&self.rate_limit_per_minute) {
            return Err(format!(
                "MATTERBOOK_RATE_LIMIT_PER_MINUTE is {}: run the service with at least {lowest}, or 0 for none.",
                self.rate_limit_per_minute
            ));
        }
        Ok(())
    }
}

impl std::fmt::Debug for Facts {
    /// Leaves the token out.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Facts")
            .field("client_delay_seconds", &self.client_delay_seconds)
            .field("prospect_delay_seconds", &self.prospect_delay_seconds)
            .field("rate_limit_per_minute", &self.rate_limit_per_minute)
            .finish_non_exhaustive()
    }
}
