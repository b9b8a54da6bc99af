//! The flags that every command takes: where the service is, how to print, and the settings.

use std::{ffi::OsString, path::PathBuf};

use clap::{ArgMatches, Args, Command, ValueHint, error::ErrorKind, parser::ValueSource};
use matterbook_core::{key::KEY_SECRET, settings::SettingError};

use crate::settings::{NativeSettings, VARIABLES};

/// The variable of a flag that is not a setting of the service.
const CA_FILE: &str = "MATTERBOOK_CA_FILE";
/// Shells complete the value as a path.
const PATH: ValueHint = ValueHint::AnyPath;

/// Where the value of a setting comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A flag, which overrides the variable.
    Flag,
    /// Its environment variable.
    Environment,
    /// It is not set.
    Default,
}

/// Flags that are read before or after any subcommand. A flag overrides its environment variable (rule L9).
/// It has no `Debug` form, because it contains the operator token.
#[derive(Args, Clone, Default)]
pub(super) struct Flags {
    /// The database file [env: MATTERBOOK_DB] [default: matterbook.db, with --demo matterbook-demo.db]
    #[arg(long, global = true, value_name = "FILE", value_hint = PATH, help_heading = "Where and how")]
    db: Option<String>,
    /// Use the running service at this address instead of a file; with or without /api/v1
    #[arg(long, global = true, value_name = "BASE", help_heading = "Where and how")]
    pub(super) url: Option<String>,
    /// The token of the operator API: serve accepts it, --url sends it [env: MATTERBOOK_OPERATOR_TOKEN]
    #[arg(long, global = true, value_name = "TOKEN", help_heading = "Where and how")]
    operator_token: Option<String>,
    /// Trust only the certificate authorities in this PEM file [env: MATTERBOOK_CA_FILE]
    #[arg(long, global = true, value_name = "FILE", value_hint = PATH, help_heading = "Where and how")]
    ca_file: Option<OsString>,
    /// Print the answer as JSON, for programs
    #[arg(long, global = true, help_heading = "Where and how")]
    pub(super) json: bool,
    /// Print all columns of a table, also where the terminal is narrower
    #[arg(long, global = true, help_heading = "Where and how")]
    pub(super) wide: bool,
    /// Address and port to listen on; port 0 takes any free one [env: MATTERBOOK_LISTEN] [default: 127.0.0.1:8080]
    #[arg(long, global = true, value_name = "ADDRESS", help_heading = "Settings", hide_short_help = true)]
    listen: Option<String>,
    /// Address and port for the operator API alone; callers then get 404 for it at --listen [env: MATTERBOOK_OPERATOR_LISTEN] [default: none]
    #[arg(long, global = true, value_name = "ADDRESS", help_heading = "Settings", hide_short_help = true)]
    operator_listen: Option<String>,
    /// A reverse proxy in front adds each caller's address to X-Forwarded-For: true or false [env: MATTERBOOK_BEHIND_PROXY] [default: false]
    #[arg(long, global = true, value_name = "TRUE", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Settings", hide_short_help = true)]
    behind_proxy: Option<String>,
    /// Address and port where Prometheus reads the metrics, without a password [env: MATTERBOOK_METRICS_LISTEN] [default: none]
    #[arg(long, global = true, value_name = "ADDRESS", help_heading = "Settings", hide_short_help = true)]
    metrics_listen: Option<String>,
    /// The format of the log on stderr: json or text [env: MATTERBOOK_LOG] [default: text]
    #[arg(long, global = true, value_name = "FORMAT", help_heading = "Settings", hide_short_help = true)]
    log: Option<String>,
    /// The longest write-ahead log; past it writes are refused until it can be cut [env: MATTERBOOK_WAL_LIMIT_BYTES] [default: 1073741824]
    #[arg(long, global = true, value_name = "BYTES", help_heading = "Settings", hide_short_help = true)]
    wal_limit_bytes: Option<String>,
    /// The address at which people open the console, such as https://matterbook.example.com; sign-in links begin with it [env: MATTERBOOK_PUBLIC_URL] [default: where the request came in]
    #[arg(long, global = true, value_name = "URL", help_heading = "Settings", hide_short_help = true)]
    public_url: Option<String>,
    /// Serve the console at /app: on or off [env: MATTERBOOK_CONSOLE] [default: on]
    #[arg(long, global = true, value_name = "ON", help_heading = "Settings", hide_short_help = true)]
    console: Option<String>,
    /// The service's name, shown as the prospects' source and the bearer realm [env: MATTERBOOK_SERVICE_NAME] [default: Matterbook]
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
    /// How long earlier states of clients are kept; 0 for no history [env: MATTERBOOK_HISTORY_DAYS] [default: 730]
    #[arg(long, global = true, value_name = "DAYS", help_heading = "Settings", hide_short_help = true)]
    history_days: Option<String>,
    /// How long the record of a change of clients is kept [env: MATTERBOOK_COMMIT_RETENTION_DAYS] [default: 30]
    #[arg(long, global = true, value_name = "DAYS", help_heading = "Settings", hide_short_help = true)]
    commit_retention_days: Option<String>,
    /// How long an entry of the operator log is kept [env: MATTERBOOK_OPERATOR_LOG_RETENTION_DAYS] [default: 730]
    #[arg(long, global = true, value_name = "DAYS", help_heading = "Settings", hide_short_help = true)]
    operator_log_retention_days: Option<String>,
    /// How long what was not saved waits for review; 0 keeps nothing [env: MATTERBOOK_REVIEW_DAYS] [default: 90]
    #[arg(long, global = true, value_name = "DAYS", help_heading = "Settings", hide_short_help = true)]
    review_days: Option<String>,
    /// The variables of the settings that are given as flags.
    #[arg(skip)]
    given: Vec<&'static str>,
}

/// Lets clap read each flag's environment variable. The help texts name the variable themselves, because clap
/// would print it after the default.
pub(super) fn with_environment(command: Command) -> Command {
    VARIABLES
        .into_iter()
        .chain([CA_FILE])
        .fold(command, |command, variable| command.mut_arg(id(variable), |flag| flag.env(variable).hide_env(true)))
}

impl Flags {
    /// Stores which settings come from flags.
    pub(super) fn read_sources(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let is_flag = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        self.given = VARIABLES.into_iter().filter(|variable| is_flag(&id(variable))).collect();
        // clap's own conflict check would also reject a variable of the environment.
        if is_flag("url") && is_flag("db") {
            let sentence = "the argument '--url <BASE>' cannot be used with '--db <FILE>'";
            return Err(super::commands().error(ErrorKind::ArgumentConflict, sentence));
        }
        Ok(())
    }

    /// The settings, from flags and from the environment.
    pub(super) fn settings(&self) -> Result<NativeSettings, SettingError> {
        NativeSettings::read(|name| self.value(name)).map_err(|SettingError(sentence)| {
            // The error names the variable; for a flag it must name the flag.
            let variable = sentence.split(' ').next().unwrap_or_default();
            if self.given.contains(&variable) {
                SettingError(sentence.replacen(variable, &format!("--{}", id(variable).replace('_', "-")), 1))
            } else {
                SettingError(sentence)
            }
        })
    }

    /// The file of trusted authorities, if it replaces the public ones.
    pub(super) fn authorities(&self) -> Option<PathBuf> {
        self.ca_file.clone().filter(|path| !path.is_empty()).map(PathBuf::from)
    }

    /// Where [`Flags::value`] finds a setting.
    pub(super) fn source(&self, variable: &str) -> Source {
        match self.value(variable) {
            None => Source::Default,
            Some(_) if self.given.contains(&variable) => Source::Flag,
            Some(_) => Source::Environment,
        }
    }

    /// The value of a setting by its variable's name. An empty value counts as not set.
    pub(super) fn value(&self, variable: &str) -> Option<String> {
        if variable == KEY_SECRET {
            return std::env::var(KEY_SECRET).ok().filter(|value| !value.is_empty());
        }
        let value = match variable {
            "MATTERBOOK_DB" => &self.db,
            "MATTERBOOK_OPERATOR_TOKEN" => &self.operator_token,
            "MATTERBOOK_LISTEN" => &self.listen,
            "MATTERBOOK_OPERATOR_LISTEN" => &self.operator_listen,
            "MATTERBOOK_BEHIND_PROXY" => &self.behind_proxy,
            "MATTERBOOK_METRICS_LISTEN" => &self.metrics_listen,
            "MATTERBOOK_LOG" => &self.log,
            "MATTERBOOK_WAL_LIMIT_BYTES" => &self.wal_limit_bytes,
            "MATTERBOOK_PUBLIC_URL" => &self.public_url,
            "MATTERBOOK_CONSOLE" => &self.console,
            "MATTERBOOK_SERVICE_NAME" => &self.service_name,
            "MATTERBOOK_KEY_PREFIX" => &self.key_prefix,
            "MATTERBOOK_CLIENT_DELAY_SECONDS" => &self.client_delay_seconds,
            "MATTERBOOK_PROSPECT_DELAY_SECONDS" => &self.prospect_delay_seconds,
            "MATTERBOOK_RATE_LIMIT_PER_MINUTE" => &self.rate_limit_per_minute,
            "MATTERBOOK_BODY_LIMIT_BYTES" => &self.body_limit_bytes,
            "MATTERBOOK_HISTORY_DAYS" => &self.history_days,
            "MATTERBOOK_COMMIT_RETENTION_DAYS" => &self.commit_retention_days,
            "MATTERBOOK_OPERATOR_LOG_RETENTION_DAYS" => &self.operator_log_retention_days,
            "MATTERBOOK_REVIEW_DAYS" => &self.review_days,
            _ => &None,
        };
        value.clone().filter(|value| !value.is_empty())
    }
}

/// `MATTERBOOK_KEY_PREFIX` → `key_prefix`, clap's id of its flag.
fn id(variable: &str) -> String {
    variable.strip_prefix("MATTERBOOK_").unwrap_or(variable).to_ascii_lowercase()
}
