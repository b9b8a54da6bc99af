//! The flags of the commands that call the public API with an account's key.

use std::{fmt, str::FromStr, time::Duration};

use clap::Args;

use super::{flags::Flags, outcome::Failure, terminal};
use crate::api_client::{HttpTransport, Way, way_to};

/// The variable of the service's address.
const URL: &str = "MATTERBOOK_URL";

/// The account's key, and how long to retry.
#[derive(Args, Debug)]
pub(super) struct CallerFlags {
    /// The account's API key [env: MATTERBOOK_KEY]. Prefer the variable: other users of this machine can see a flag,
    /// and the shell stores it in its history
    #[arg(long, value_name = "KEY", env = "MATTERBOOK_KEY", hide_env = true)]
    key: Option<Key>,
    /// How long to retry while the service fails or cannot be reached
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    retry_seconds: u64,
}

impl CallerFlags {
    /// The transport to the service in the flags, with the key.
    pub(super) fn transport(&self, flags: &Flags) -> Result<HttpTransport, Failure> {
        // The operator's commands do not read the variable: without --url they use the database file.
        let variable = || std::env::var(URL).ok().filter(|base| !base.is_empty());
        let base = flags.url.clone().or_else(variable);
        let Some(base) = &base else {
            return Err(Failure::usage(
                "Name the service with --url or MATTERBOOK_URL, such as https://matterbook.example.com.",
            ));
        };
        let Some(Key(key)) = self.key.as_ref().filter(|Key(key)| !key.is_empty()) else {
            return Err(Failure::usage("Give the account's API key, in MATTERBOOK_KEY or with --key."));
        };
        let authorities = flags.authorities();
        let transport = HttpTransport::new(base, key, authorities.as_deref()).map_err(Failure::usage)?;
        warn_if_open(transport.base(), "the key and the rows");
        Ok(transport)
    }

    pub(super) const fn patience(&self) -> Duration {
        Duration::from_secs(self.retry_seconds)
    }
}

/// Warns on stderr, before anything is sent, that others can read `what` on its way to this address.
pub(super) fn warn_if_open(address: &str, what: &str) {
    if way_to(address) == Way::Open {
        terminal::print_wrapped(&format!(
            "Warning: {address} is reached without TLS, so {what} can be read by others on the way. Use an https:// \
             address if it has one."
        ));
    }
}

/// A key whose `Debug` form hides it.
#[derive(Clone)]
struct Key(String);

impl FromStr for Key {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(…)")
    }
}
