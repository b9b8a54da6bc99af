//! The flags that every command takes: where the service is, how to print, and the settings.

use std::path::PathBuf;

use clap::Args;
use matterbook_core::settings::SettingError;

use crate::settings::NativeSettings;

/// Where the value of a setting comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A flag, which wins.
    Flag,
    /// Its environment variable.
    Environment,
    /// It is not set.
    Default,
}

/// Flags that are read before or after any subcommand. A setting's flag wins over its environment
/// variable. Without a `Debug` form, since the operator's token is among them.
#[derive(Args, Clone, Default)]
pub(super) struct Flags {
    /// The database file [env: MATTERBOOK_DB] [default: matterbook.db, with --demo matterbook-demo.db]
    #[arg(long, global = true, value_name = "FILE", help_heading = "Where and how")]
    pub(super) db: Option<PathBuf>,
    /// Talk to a running service at this address instead of opening a file; with or without /api/v1
    #[arg(long, global = true, value_name = "BASE", help_heading = "Where and how", conflicts_with = "db")]
    pub(super) url: Option<String>,
    /// The token of the operator API: what serve accepts, what --url sends [env: MATTERBOOK_OPERATOR_TOKEN]
    #[arg(long, global = true, value_name = "TOKEN", help_heading = "Where and how")]
    operator_token: Option<String>,
    /// Trust the certificate authorities in this file of PEM, and no others [env: MATTERBOOK_CA_FILE]
    #[arg(long, global = true, value_name = "FILE", help_heading = "Where and how")]
    ca_file: Option<PathBuf>,
    /// Print the answer as JSON, for programs
    #[arg(long, global = true, help_heading = "Where and how")]
    pub(super) json: bool,
    /// Address and port to listen on; port 0 takes any free one [env: MATTERBOOK_LISTEN] [default: 127.0.0.1:8080]
    #[arg(long, global = true, value_name = "ADDRESS", help_heading = "Settings", hide_short_help = true)]
    listen: Option<String>,
    /// Address and port where Prometheus reads the metrics; whoever reaches it may [env: MATTERBOOK_METRICS_LISTEN] [default: none]
    #[arg(long, global = true, value_name = "ADDRESS", help_heading = "Settings", hide_short_help = true)]
    metrics_listen: Option<String>,
    /// How the log on stderr looks: json or text [env: MATTERBOOK_LOG] [default: text]
    #[arg(long, global = true, value_name = "FORMAT", help_heading = "Settings", hide_short_help = true)]
    log: Option<String>,
    /// The prospects' source and the bearer realm [env: MATTERBOOK_SERVICE_NAME] [default: Matterbook]
    #[arg(long, global = true, value_name = "NAME", help_heading = "Settings", hide_short_help = true)]
    service_name: Option<String>,
    /// The first four characters of every key [env: MATTERBOOK_KEY_PREFIX] [default: mtb_]
    #[arg(long, global = true, value_name = "PREFIX", help_heading = "Settings", hide_short_help = true)]
    key_prefix: Option<String>,
    /// How long GET /clients hides a change [env: MATTERBOOK_CLIENT_DELAY_SECONDS] [default: 60]
    #[arg(long, global = true, value_name = "SECONDS", help_heading = "Settings", hide_short_help = true)]
    client_delay_seconds: Option<String>,
    /// How long GET /prospects hides a new prospect [env: MATTERBOOK_PROSPECT_DELAY_SECONDS] [default: 3600]
    #[arg(long, global = true, value_name = "SECONDS", help_heading = "Settings", hide_short_help = true)]
    prospect_delay_seconds: Option<String>,
    /// Requests of one key in any 60 seconds; 0 for no limit [env: MATTERBOOK_RATE_LIMIT_PER_MINUTE] [default: 120]
    #[arg(long, global = true, value_name = "REQUESTS", help_heading = "Settings", hide_short_help = true)]
    rate_limit_per_minute: Option<String>,
    /// The largest request body [env: MATTERBOOK_BODY_LIMIT_BYTES] [default: 12582912]
    #[arg(long, global = true, value_name = "BYTES", help_heading = "Settings", hide_short_help = true)]
    body_limit_bytes: Option<String>,
}

impl Flags {
    /// The settings, from flags and from the environment.
    pub(super) fn settings(&self) -> Result<NativeSettings, SettingError> {
        NativeSettings::read(|name| self.value(name)).map_err(|SettingError(sentence)| {
            // The sentence names the variable; whoever wrote a flag looks for the flag.
            let variable = sentence.split(' ').next().unwrap_or_default();
            match self.flag(variable) {
                Some(_) => SettingError(sentence.replacen(variable, &flag_name(variable), 1)),
                None => SettingError(sentence),
            }
        })
    }

    /// The value of a setting, given by its variable's name.
    pub(super) fn value(&self, variable: &str) -> Option<String> {
        self.flag(variable).or_else(|| std::env::var(variable).ok()).filter(|value| !value.is_empty())
    }

    /// The file of the authorities that are trusted, where it is not the public ones that are.
    pub(super) fn authorities(&self) -> Option<PathBuf> {
        let named = self.ca_file.clone().or_else(|| std::env::var_os("MATTERBOOK_CA_FILE").map(PathBuf::from));
        named.filter(|path| !path.as_os_str().is_empty())
    }

    /// Where [`Flags::value`] finds it.
    pub(super) fn source(&self, variable: &str) -> Source {
        match (self.value(variable), self.flag(variable)) {
            (None, _) => Source::Default,
            (Some(_), Some(_)) => Source::Flag,
            (Some(_), None) => Source::Environment,
        }
    }

    fn flag(&self, variable: &str) -> Option<String> {
        match variable {
            "MATTERBOOK_DB" => self.db.as_ref().map(|path| path.display().to_string()),
            "MATTERBOOK_OPERATOR_TOKEN" => self.operator_token.clone(),
            "MATTERBOOK_LISTEN" => self.listen.clone(),
            "MATTERBOOK_METRICS_LISTEN" => self.metrics_listen.clone(),
            "MATTERBOOK_LOG" => self.log.clone(),
            "MATTERBOOK_SERVICE_NAME" => self.service_name.clone(),
            "MATTERBOOK_KEY_PREFIX" => self.key_prefix.clone(),
            "MATTERBOOK_CLIENT_DELAY_SECONDS" => self.client_delay_seconds.clone(),
            "MATTERBOOK_PROSPECT_DELAY_SECONDS" => self.prospect_delay_seconds.clone(),
            "MATTERBOOK_RATE_LIMIT_PER_MINUTE" => self.rate_limit_per_minute.clone(),
            "MATTERBOOK_BODY_LIMIT_BYTES" => self.body_limit_bytes.clone(),
            _ => None,
        }
    }
}

/// `MATTERBOOK_KEY_PREFIX` → `--key-prefix`.
fn flag_name(variable: &str) -> String {
    let name = variable.strip_prefix("MATTERBOOK_").unwrap_or(variable);
    format!("--{}", name.to_ascii_lowercase().replace('_', "-"))
}
