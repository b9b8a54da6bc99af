//! The settings that the service runs with, without its secrets.

use serde::Serialize;

use crate::{
    api::{Api, error::ApiError, reply::Reply},
    gate::Gate,
    platform::Platform,
    store::Store,
};

#[derive(Serialize)]
struct SettingsBody<'a> {
    settings: SettingsMember<'a>,
}

#[derive(Serialize)]
struct SettingsMember<'a> {
    service_name: &'a str,
    key_prefix: &'a str,
    client_delay_seconds: u32,
    prospect_delay_seconds: u32,
    rate_limit_per_minute: u32,
    body_limit_bytes: usize,
}

impl<S: Store, G: Gate, P: Platform> Api<S, G, P> {
    pub(super) fn show_settings(&self) -> Result<Reply, ApiError> {
        let settings = &self.settings;
        Reply::ok(&SettingsBody {
            settings: SettingsMember {
                service_name: &settings.service_name,
                key_prefix: &settings.key_prefix,
                client_delay_seconds: settings.client_delay_seconds,
                prospect_delay_seconds: settings.prospect_delay_seconds,
                rate_limit_per_minute: settings.rate_limit_per_minute,
                body_limit_bytes: settings.body_limit_bytes,
            },
        })
    }
}
