//! The settings that both hosts share (rules L9 to L11, L17 and L19), read from any source of named values.

use crate::{sign_in::is_host, store::Retention};

/// A shorter operator token can be guessed.
const OPERATOR_TOKEN_MIN_LENGTH: usize = 32;

/// The longest retention: a hundred years.
const RETENTION_DAYS_MAX: u32 = 36_500;

/// The settings of the rules.
#[derive(Clone, PartialEq, Eq)]
pub struct Settings {
    /// The prospects' `source` and the bearer realm: `MATTERBOOK_SERVICE_NAME`.
    pub service_name: String,
    /// The first four characters of every key: `MATTERBOOK_KEY_PREFIX`.
    pub key_prefix: String,
    /// The operator's token: `MATTERBOOK_OPERATOR_TOKEN`. Without it the operator API is 404.
    pub operator_token: Option<String>,
    /// `MATTERBOOK_CLIENT_DELAY_SECONDS`, 60.
    pub client_delay_seconds: u32,
    /// `MATTERBOOK_PROSPECT_DELAY_SECONDS`, 3600.
    pub prospect_delay_seconds: u32,
    /// `MATTERBOOK_RATE_LIMIT_PER_MINUTE`, 120; 0 switches the limit off.
    pub rate_limit_per_minute: u32,
    /// `MATTERBOOK_BODY_LIMIT_BYTES`, 12 MiB.
    pub body_limit_bytes: usize,
    /// `MATTERBOOK_PUBLIC_URL`: the origin at which people open the console, without a slash at the end. Sign-in
    /// links begin with it.
    pub public_url: Option<String>,
    /// `MATTERBOOK_CONSOLE`, on: whether the console is served.
    pub console: bool,
    /// `MATTERBOOK_HISTORY_DAYS`, 730, `MATTERBOOK_COMMIT_RETENTION_DAYS`, 30, `MATTERBOOK_OPERATOR_LOG_RETENTION_DAYS`,
    /// 730, and `MATTERBOOK_REVIEW_DAYS`, 90.
    pub retention: Retention,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            service_name: "Matterbook".to_owned(),
            key_prefix: "mtb_".to_owned(),
            operator_token: None,
            client_delay_seconds: 60,
            prospect_delay_seconds: 3_600,
            rate_limit_per_minute: 120,
            body_limit_bytes: 12 * 1024 * 1024,
            public_url: None,
            console: true,
            retention: Retention::default(),
        }
    }
}

impl std::fmt::Debug for Settings {
    /// Never shows the operator's token.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Settings")
            .field("service_name", &self.service_name)
            .field("key_prefix", &self.key_prefix)
            .field("operator_token", &self.operator_token.as_ref().map(|_| "…"))
            .field("client_delay_seconds", &self.client_delay_seconds)
            .field("prospect_delay_seconds", &self.prospect_delay_seconds)
            .field("rate_limit_per_minute", &self.rate_limit_per_minute)
            .field("body_limit_bytes", &self.body_limit_bytes)
            .field("public_url", &self.public_url)
            .field("console", &self.console)
            .field("retention", &self.retention)
            .finish()
    }
}

/// Why a setting is invalid: a sentence that names it and its valid values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SettingError(pub String);

impl SettingError {
    /// The name of the setting, with which the sentence begins.
    ///
    /// ```
    /// use matterbook_core::settings::Settings;
    /// let refused = Settings::read(|name| (name == "MATTERBOOK_KEY_PREFIX").then(|| "key".to_owned()));
    /// assert_eq!(refused.unwrap_err().setting(), "MATTERBOOK_KEY_PREFIX");
    /// ```
    #[must_use]
    pub fn setting(&self) -> &str {
        self.0.split(' ').next().unwrap_or_default()
    }
}

impl Settings {
    /// Reads the settings. `lookup` returns the value of a name such as
    /// `MATTERBOOK_CLIENT_DELAY_SECONDS`, or `None`. An empty value counts as none.
    ///
    /// # Errors
    /// The first invalid setting.
    ///
    /// ```
    /// use matterbook_core::settings::Settings;
    /// let settings = Settings::read(|name| (name == "MATTERBOOK_KEY_PREFIX").then(|| "abc_".to_owned()));
    /// assert_eq!(settings.map(|settings| settings.key_prefix), Ok("abc_".to_owned()));
    /// let refused = Settings::read(|name| (name == "MATTERBOOK_KEY_PREFIX").then(|| "key".to_owned()));
    /// assert!(refused.is_err());
    /// ```
    pub fn read(lookup: impl Fn(&str) -> Option<String>) -> Result<Self, SettingError> {
        let value = |name: &str| lookup(name).filter(|value| !value.is_empty());
        let number_from = |smallest: u32, name: &str, default: u32, largest: u32| match value(name) {
            None => Ok(default),
            Some(text) => text
                .parse::<u32>()
                .ok()
                .filter(|number| (smallest..=largest).contains(number))
                .ok_or_else(|| SettingError(format!("{name} must be a whole number from {smallest} to {largest}."))),
        };
        let number = |name: &str, default: u32, largest: u32| number_from(0, name, default, largest);
        let days = |smallest: u32, name: &str, default: u32| number_from(smallest, name, default, RETENTION_DAYS_MAX);
        let default = Self::default();
        let service_name = value("MATTERBOOK_SERVICE_NAME").unwrap_or(default.service_name);
        if service_name.len() > 100
            || !service_name.bytes().all(|byte| (b' '..=b'~').contains(&byte) && byte != b'"' && byte != b'\\')
        {
            return Err(SettingError(
                "MATTERBOOK_SERVICE_NAME must be at most 100 plain ASCII characters without quotes and backslashes."
                    .to_owned(),
            ));
        }
        let key_prefix = value("MATTERBOOK_KEY_PREFIX").unwrap_or(default.key_prefix);
        let is_prefix = key_prefix.len() == 4
            && key_prefix.ends_with('_')
            && key_prefix.bytes().take(3).all(|byte| byte.is_ascii_alphanumeric());
        if !is_prefix {
            return Err(SettingError(
                "MATTERBOOK_KEY_PREFIX must be three letters or digits and an underscore, such as mtb_.".to_owned(),
            ));
        }
        let operator_token = value("MATTERBOOK_OPERATOR_TOKEN");
        if let Some(token) = &operator_token
            && !token.bytes().all(|byte| (b'!'..=b'~').contains(&byte))
        {
            return Err(SettingError(
                "MATTERBOOK_OPERATOR_TOKEN must be visible ASCII characters without spaces.".to_owned(),
            ));
        }
        if operator_token.as_ref().is_some_and(|token| token.len() < OPERATOR_TOKEN_MIN_LENGTH) {
            return Err(SettingError(format!(
                "MATTERBOOK_OPERATOR_TOKEN must have at least {OPERATOR_TOKEN_MIN_LENGTH} characters, because it opens \
                 every account. This command makes one: openssl rand -hex 32."
            )));
        }
        let body_limit = number("MATTERBOOK_BODY_LIMIT_BYTES", 12 * 1024 * 1024, 100 * 1024 * 1024)?;
        if body_limit == 0 {
            return Err(SettingError("MATTERBOOK_BODY_LIMIT_BYTES must be at least 1.".to_owned()));
        }
        let public_url = value("MATTERBOOK_PUBLIC_URL").map(|text| origin(&text)).transpose()?;
        let console = match value("MATTERBOOK_CONSOLE").as_deref() {
            None | Some("on") => true,
            Some("off") => false,
            Some(_) => return Err(SettingError("MATTERBOOK_CONSOLE must be on or off.".to_owned())),
        };
        Ok(Self {
            service_name,
            key_prefix,
            operator_token,
            client_delay_seconds: number("MATTERBOOK_CLIENT_DELAY_SECONDS", default.client_delay_seconds, 86_400)?,
            prospect_delay_seconds: number(
                "MATTERBOOK_PROSPECT_DELAY_SECONDS",
                default.prospect_delay_seconds,
                604_800,
            )?,
            rate_limit_per_minute: number("MATTERBOOK_RATE_LIMIT_PER_MINUTE", default.rate_limit_per_minute, 10_000)?,
            body_limit_bytes: usize::try_from(body_limit).unwrap_or(usize::MAX),
            public_url,
            console,
            retention: Retention {
                history_days: days(0, "MATTERBOOK_HISTORY_DAYS", default.retention.history_days)?,
                commit_days: days(
                    Retention::COMMIT_DAYS_MIN,
                    "MATTERBOOK_COMMIT_RETENTION_DAYS",
                    default.retention.commit_days,
                )?,
                operator_log_days: days(
                    Retention::OPERATOR_LOG_DAYS_MIN,
                    "MATTERBOOK_OPERATOR_LOG_RETENTION_DAYS",
                    default.retention.operator_log_days,
                )?,
                review_days: days(0, "MATTERBOOK_REVIEW_DAYS", default.retention.review_days)?,
            },
        })
    }
}

/// The origin of a web address that has nothing after its host and port: `https://matterbook.example.com`.
fn origin(text: &str) -> Result<String, SettingError> {
    let origin = text.strip_suffix('/').unwrap_or(text);
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://")).unwrap_or_default();
    if !is_host(host) {
        return Err(SettingError(
            "MATTERBOOK_PUBLIC_URL must be an address without a path, such as https://matterbook.example.com."
                .to_owned(),
        ));
    }
    Ok(origin.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_public_url_is_an_origin() {
        let read = |text: &str| {
            let settings = Settings::read(|name| (name == "MATTERBOOK_PUBLIC_URL").then(|| text.to_owned()));
            settings.map(|settings| settings.public_url)
        };
        for (text, origin) in [
            ("https://matterbook.example.com", "https://matterbook.example.com"),
            ("https://matterbook.example.com/", "https://matterbook.example.com"),
            ("http://localhost:8080", "http://localhost:8080"),
            ("http://[::1]:8080", "http://[::1]:8080"),
        ] {
            assert_eq!(read(text), Ok(Some(origin.to_owned())), "{text}");
        }
        assert_eq!(read(""), Ok(None));
        for text in ["matterbook.example.com", "https://", "https://a.example/app", "https://user@a.example", "ftp://a"]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
