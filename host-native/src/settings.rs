//! The settings of the native host (rules L9 to L12): those that both hosts share, and where the file is,
//! what to listen on, how to log.

use std::{
    net::{SocketAddr, ToSocketAddrs as _},
    path::PathBuf,
};

use matterbook_core::settings::{SettingError, Settings};

/// Everything that `matterbook serve` needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeSettings {
    /// What the rules need to know.
    pub rules: Settings,
    /// `MATTERBOOK_DB`, `matterbook.db`.
    pub database: PathBuf,
    /// `MATTERBOOK_LISTEN`, `127.0.0.1:8080`; the first that is free is used. Port 0 takes any.
    pub listen: Vec<SocketAddr>,
    /// `MATTERBOOK_METRICS_LISTEN`, none; the first that is free is used. Every caller that reaches it reads the metrics.
    pub metrics_listen: Vec<SocketAddr>,
    /// `MATTERBOOK_LOG`, `text`.
    pub log: LogFormat,
}

/// How a line of the log looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// One JSON object a line, for programs.
    Json,
    /// For people.
    #[default]
    Text,
}

/// The variable of every setting.
pub const VARIABLES: [&str; 11] = [
    "MATTERBOOK_DB",
    "MATTERBOOK_LISTEN",
    "MATTERBOOK_METRICS_LISTEN",
    "MATTERBOOK_LOG",
    "MATTERBOOK_OPERATOR_TOKEN",
    "MATTERBOOK_SERVICE_NAME",
    "MATTERBOOK_KEY_PREFIX",
    "MATTERBOOK_CLIENT_DELAY_SECONDS",
    "MATTERBOOK_PROSPECT_DELAY_SECONDS",
    "MATTERBOOK_RATE_LIMIT_PER_MINUTE",
    "MATTERBOOK_BODY_LIMIT_BYTES",
];

/// Where the service listens if nothing is said.
const DEFAULT_LISTEN: &str = "127.0.0.1:8080";

impl NativeSettings {
    /// Reads the settings; `lookup` answers the value of a name such as `MATTERBOOK_DB`. An empty
    /// value counts as none.
    ///
    /// # Errors
    /// The first setting that cannot be used, as a sentence.
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
        let listen = value("MATTERBOOK_LISTEN").unwrap_or_else(|| DEFAULT_LISTEN.to_owned());
        let listen = addresses("MATTERBOOK_LISTEN", DEFAULT_LISTEN, listen)?;
        let metrics_listen = match value("MATTERBOOK_METRICS_LISTEN") {
            Some(listen) => addresses("MATTERBOOK_METRICS_LISTEN", "127.0.0.1:9464", listen)?,
            None => Vec::new(),
        };
        let log = match value("MATTERBOOK_LOG").as_deref() {
            None | Some("text") => LogFormat::Text,
            Some("json") => LogFormat::Json,
            Some(_) => return Err(SettingError("MATTERBOOK_LOG must be json or text.".to_owned())),
        };
        let database = value("MATTERBOOK_DB").unwrap_or_else(|| "matterbook.db".to_owned());
        Ok(Self { rules, database: PathBuf::from(database), listen, metrics_listen, log })
    }
}
