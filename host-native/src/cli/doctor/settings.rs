//! The settings: whether each is valid, where it comes from, and whether it is risky.

use std::net::{IpAddr, SocketAddr};

use matterbook_core::settings::SettingError;

use super::finding::Finding;
use crate::{
    cli::flags::{Flags, Source},
    settings::{NativeSettings, VARIABLES},
};

/// The setting whose value is never shown.
const TOKEN: &str = "MATTERBOOK_OPERATOR_TOKEN";
/// A shorter token can be guessed: 22 characters of base64 are 128 bits.
const TOKEN_CHARACTERS_MIN: usize = 22;
/// A token with fewer different characters is a word or one repeated key.
const TOKEN_DIFFERENT_CHARACTERS_MIN: usize = 8;
/// The variables of the commands that call a service.
const OTHER_VARIABLES: &[&str] = &["MATTERBOOK_CA_FILE", "MATTERBOOK_KEY"];

pub(super) fn examine(flags: &Flags) -> Vec<Finding> {
    let mut findings: Vec<_> = VARIABLES.into_iter().map(|variable| setting(flags, variable)).collect();
    findings.extend(unknown_variables());
    if let Ok(settings) = flags.settings() {
        findings.extend(token(flags, &settings));
        findings.extend(exposed("listen", &settings.listen, "Callers' keys and clients' data cross the network unencrypted",
            "Listen on 127.0.0.1 and let a reverse proxy on this machine do the TLS; in a container, publish the port to it alone."));
        findings.extend(exposed(
            "metrics listen",
            &settings.metrics_listen,
            "The metrics need no password: every program that reaches them can read them",
            "Listen on 127.0.0.1, or on a network that only operators are on.",
        ));
        if settings.rules.rate_limit_per_minute == 0 {
            findings.push(Finding::warn(
                "rate limit",
                "It is switched off: one caller's mistake can take the whole service.",
                "Set MATTERBOOK_RATE_LIMIT_PER_MINUTE to 120, or to what callers need.",
            ));
        }
    }
    findings
}

/// Checks one setting: where it comes from, and whether its value is valid.
fn setting(flags: &Flags, variable: &str) -> Finding {
    let source = match flags.source(variable) {
        Source::Flag => "from its flag",
        Source::Environment => "from the environment",
        Source::Default => return Finding::ok(variable, "Not set: its default is used."),
    };
    let value = flags.value(variable).unwrap_or_default();
    match NativeSettings::read(|name| (name == variable).then(|| value.clone())) {
        Ok(_) if variable == TOKEN => Finding::ok(variable, format!("Set, {source}.")),
        Ok(_) => Finding::ok(variable, format!("{value}, {source}.")),
        Err(SettingError(sentence)) => Finding::wrong(variable, format!("It cannot be used, {source}."), sentence),
    }
}

/// Reports variables that look like a setting but are none, such as a misspelled one.
fn unknown_variables() -> impl Iterator<Item = Finding> {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let unknown = names.filter(|name| {
        name.starts_with("MATTERBOOK_") && ![&VARIABLES, OTHER_VARIABLES].concat().contains(&name.as_str())
    });
    unknown.map(|name| {
        let fix = "Unset it, or see the table of settings in docs/deploy-native.md for how it is spelled.";
        Finding::warn(&name, "No setting has this name: it does nothing.", fix)
    })
}

fn token(flags: &Flags, settings: &NativeSettings) -> Option<Finding> {
    let token = settings.rules.operator_token.as_deref()?;
    let mut different: Vec<_> = token.bytes().collect();
    different.sort_unstable();
    different.dedup();
    let make = "Make one by: openssl rand -hex 32";
    if token.len() < TOKEN_CHARACTERS_MIN || different.len() < TOKEN_DIFFERENT_CHARACTERS_MIN {
        let message = "It is easy to guess, and it opens every account.";
        return Some(Finding::wrong("operator token", message, make));
    }
    if flags.source(TOKEN) == Source::Flag {
        let fix = "Put it into the environment: MATTERBOOK_OPERATOR_TOKEN.";
        return Some(Finding::warn(
            "operator token",
            "Other users of the machine can read it among the arguments.",
            fix,
        ));
    }
    Some(Finding::ok("operator token", "It is long and varied enough."))
}

fn exposed(check: &str, addresses: &[SocketAddr], message: &str, fix: &str) -> Option<Finding> {
    let open = addresses.iter().find(|address| !is_loopback(address.ip()))?;
    Some(Finding::warn(check, format!("{open} can be reached from other machines. {message}."), fix))
}

fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}
