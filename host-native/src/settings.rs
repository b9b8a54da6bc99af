//! The settings of the native host (design section 9): those that both hosts share, and where the
//! file is, what to listen on, how to log.

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
        let listen = value("MATTERBOOK_LISTEN").unwrap_or_else(|| "127.0.0.1:8080".to_owned());
        let Ok(listen) = listen.to_socket_addrs() else {
            return Err(SettingError(
                "MATTERBOOK_LISTEN must be an address and a port, such as 127.0.0.1:8080.".to_owned(),
            ));
        };
        let log = match value("MATTERBOOK_LOG").as_deref() {
            None | Some("text") => LogFormat::Text,
            Some("json") => LogFormat::Json,
            Some(_) => return Err(SettingError("MATTERBOOK_LOG must be json or text.".to_owned())),
        };
        let database = value("MATTERBOOK_DB").unwrap_or_else(|| "matterbook.db".to_owned());
        Ok(Self { rules, database: PathBuf::from(database), listen: listen.collect(), log })
    }
}
