//! The settings: whether each is valid, where it comes from, and whether it is risky.

use std::net::SocketAddr;

use matterbook_core::{key::KEY_SECRET, settings::SettingError};

use super::finding::Finding;
use crate::{
    cli::flags::{Flags, Source},
    settings::{NativeSettings, VARIABLES},
};

/// A setting whose value is never shown, as that of the key secret.
const TOKEN: &str = "MATTERBOOK_OPERATOR_TOKEN";
/// A token with fewer different characters is a word or one repeated key.
const TOKEN_DIFFERENT_CHARACTERS_MIN: usize = 8;
/// The variables of the commands that call a service.
const OTHER_VARIABLES: &[&str] = &["MATTERBOOK_CA_FILE", "MATTERBOOK_KEY", "MATTERBOOK_URL"];

pub(super) fn examine(flags: &Flags) -> Vec<Finding> {
    let mut findings: Vec<_> =
        VARIABLES.into_iter().chain([KEY_SECRET]).map(|variable| setting(flags, variable)).collect();
    findings.extend(unknown_variables().map(|name| {
        let fix = "Unset it, or see the table of settings in docs/deploy-native.md for how it is spelled.";
        Finding::warn(&name, "No setting has this name: it does nothing.", fix)
    }));
    if let Ok(settings) = flags.settings() {
        findings.extend(token(flags, &settings));
        findings.extend(exposed("listen", &settings.listen, "Callers' keys and clients' data cross the network unencrypted",
            "Listen on 127.0.0.1 and let a reverse proxy on this machine do the TLS; in a container, publish the port to it alone."));
        findings.extend(exposed(
            "operator listen",
            &settings.operator_listen,
            "Operators' tokens cross the network unencrypted",
            "Listen on 127.0.0.1 and reach it through SSH, or let a reverse proxy on this machine do the TLS.",
        ));
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
        Ok(_) if variable == TOKEN || variable == KEY_SECRET => Finding::ok(variable, format!("Set, {source}.")),
        Ok(_) => Finding::ok(variable, format!("{value}, {source}.")),
        Err(SettingError(sentence)) => Finding::wrong(variable, format!("It cannot be used, {source}."), sentence),
    }
}

/// Variables that look like a setting but are none, such as a misspelled one.
pub(in crate::cli) fn unknown_variables() -> impl Iterator<Item = String> {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    names.filter(|name| {
        name.starts_with("MATTERBOOK_")
            && ![&VARIABLES, OTHER_VARIABLES, &[KEY_SECRET]].concat().contains(&name.as_str())
    })
}

fn token(flags: &Flags, settings: &NativeSettings) -> Option<Finding> {
    let token = settings.rules.operator_token.as_deref()?;
    let mut different: Vec<_> = token.bytes().collect();
    different.sort_unstable();
    different.dedup();
    let make = "Make one by: openssl rand -hex 32";
    if different.len() < TOKEN_DIFFERENT_CHARACTERS_MIN {
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
    let open = open_address(addresses)?;
    Some(Finding::warn(check, format!("{open} can be reached from other machines. {message}."), fix))
}

/// An address that other machines reach.
pub(in crate::cli) fn open_address(addresses: &[SocketAddr]) -> Option<&SocketAddr> {
    addresses.iter().find(|address| !address.ip().to_canonical().is_loopback())
}
