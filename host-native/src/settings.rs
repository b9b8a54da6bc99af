//! The settings of the native host (rules L9 to L12): those that both hosts share, the file, the addresses
//! and the log.

use std::{
    net::{SocketAddr, ToSocketAddrs as _},
    path::PathBuf,
};

use matterbook_core::{
    key::{KEY_SECRET, KeySecrets},
    settings::{SettingError, Settings},
};

/// All settings of `matterbook serve`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeSettings {
    /// The settings of the rules.
    pub rules: Settings,
    /// `MATTERBOOK_KEY_SECRET`; without it the secret is in a file beside the database (rule K10).
    pub key_secrets: Option<KeySecrets>,
    /// `MATTERBOOK_DB`, default `matterbook.db`.
    pub database: PathBuf,
    /// `MATTERBOOK_LISTEN`, default `127.0.0.1:8080`; the first free address is used. Port 0 takes any free
    /// port.
    pub listen: Vec<SocketAddr>,
    /// `MATTERBOOK_OPERATOR_LISTEN`, default none: the operator API is at `listen`.
    pub operator_listen: Vec<SocketAddr>,
    /// `MATTERBOOK_BEHIND_PROXY`, default false: whether a reverse proxy tells the callers' addresses.
    pub behind_proxy: bool,
    /// `MATTERBOOK_METRICS_LISTEN`, default none; the first free address is used. Reading the metrics needs
    /// no password.
    pub metrics_listen: Vec<SocketAddr>,
    /// `MATTERBOOK_LOG`, default `text`.
    pub log: LogFormat,
    /// `MATTERBOOK_WAL_LIMIT_BYTES`, default 1 GiB: past it writes are refused until the write-ahead log can be cut.
    pub wal_limit_bytes: u64,
}

/// The format of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// One JSON object per line, for programs.
    Json,
    /// For people.
    #[default]
    Text,
}

/// The variable of every setting that is also a flag. `MATTERBOOK_KEY_SECRET` is none: other users of the machine
/// can read the arguments of a program.
pub const VARIABLES: [&str; 20] = [
    "MATTERBOOK_DB",
    "MATTERBOOK_LISTEN",
    "MATTERBOOK_OPERATOR_LISTEN",
    "MATTERBOOK_BEHIND_PROXY",
    "MATTERBOOK_METRICS_LISTEN",
    "MATTERBOOK_LOG",
    "MATTERBOOK_WAL_LIMIT_BYTES",
    "MATTERBOOK_OPERATOR_TOKEN",
    "MATTERBOOK_PUBLIC_URL",
    "MATTERBOOK_CONSOLE",
    "MATTERBOOK_SERVICE_NAME",
    "MATTERBOOK_KEY_PREFIX",
    "MATTERBOOK_CLIENT_DELAY_SECONDS",
    "MATTERBOOK_PROSPECT_DELAY_SECONDS",
    "MATTERBOOK_RATE_LIMIT_PER_MINUTE",
    "MATTERBOOK_BODY_LIMIT_BYTES",
    "MATTERBOOK_HISTORY_DAYS",
    "MATTERBOOK_COMMIT_RETENTION_DAYS",
    "MATTERBOOK_OPERATOR_LOG_RETENTION_DAYS",
    "MATTERBOOK_REVIEW_DAYS",
];

/// The default address.
const DEFAULT_LISTEN: &str = "127.0.0.1:8080";
/// The default limit of the write-ahead log, and what it may be: from twice what a checkpoint copies to 1 TiB.
const DEFAULT_WAL_LIMIT_BYTES: u64 = 1 << 30;
const WAL_LIMIT_BYTES: std::ops::RangeInclusive<u64> = 32 << 20..=1 << 40;

impl NativeSettings {
    /// Reads the settings; `lookup` returns the value of a variable such as `MATTERBOOK_DB`. An empty value
    /// counts as not set.
    ///
    /// # Errors
    /// The first invalid setting, as a sentence.
    ///
    /// ```
    /// use matterbook::settings::NativeSettings;
    /// let settings = NativeSettings::read(|_| None)?;
    /// assert_eq!(settings.listen, ["127.0.0.1:8080".parse()?]);
    /// let refused = NativeSettings::read(|name| (name == "MATTERBOOK_LOG").then(|| "xml".to_owned()));
    /// assert_eq!(refused.unwrap_err().to_string(), "MATTERBOOK_LOG must be json or text.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(lookup: impl Fn(&str) -> Option<String>) -> Result<Self, SettingError> {
        let rules = Settings::read(&lookup)?;
        let value = |name: &str| lookup(name).filter(|value| !value.is_empty());
        let addresses = |name: &str, example: &str, value: String| {
            let refused = |_| SettingError(format!("{name} must be an address and a port, such as {example}."));
            value.to_socket_addrs().map(Vec::from_iter).map_err(refused)
        };
        let key_secrets = value(KEY_SECRET).map(|text| KeySecrets::parse(&text)).transpose()?;
        let listen = value("MATTERBOOK_LISTEN").unwrap_or_else(|| DEFAULT_LISTEN.to_owned());
        let listen = addresses("MATTERBOOK_LISTEN", DEFAULT_LISTEN, listen)?;
        let optional = |name: &str, example: &str| match value(name) {
            Some(listen) => addresses(name, example, listen),
            None => Ok(Vec::new()),
        };
        let operator_listen = optional("MATTERBOOK_OPERATOR_LISTEN", "127.0.0.1:8081")?;
        let metrics_listen = optional("MATTERBOOK_METRICS_LISTEN", "127.0.0.1:9464")?;
        let behind_proxy = match value("MATTERBOOK_BEHIND_PROXY").as_deref() {
            None | Some("false") => false,
            Some("true") => true,
            Some(_) => return Err(SettingError("MATTERBOOK_BEHIND_PROXY must be true or false.".to_owned())),
        };
        let log = match value("MATTERBOOK_LOG").as_deref() {
            None | Some("text") => LogFormat::Text,
            Some("json") => LogFormat::Json,
            Some(_) => return Err(SettingError("MATTERBOOK_LOG must be json or text.".to_owned())),
        };
        let wal_limit_bytes = match value("MATTERBOOK_WAL_LIMIT_BYTES") {
            None => DEFAULT_WAL_LIMIT_BYTES,
            Some(text) => text.parse().ok().filter(|bytes| WAL_LIMIT_BYTES.contains(bytes)).ok_or_else(|| {
                let (least, most) = (WAL_LIMIT_BYTES.start(), WAL_LIMIT_BYTES.end());
                SettingError(format!("MATTERBOOK_WAL_LIMIT_BYTES must be a whole number from {least} to {most}."))
            })?,
        };
        let database = value("MATTERBOOK_DB").unwrap_or_else(|| "matterbook.db".to_owned());
        Ok(Self {
            rules,
            key_secrets,
            database: PathBuf::from(database),
            listen,
            operator_listen,
            behind_proxy,
            metrics_listen,
            log,
            wal_limit_bytes,
        })
    }
}
