//! The service's settings, without secrets (rule O8).

use serde::Serialize;

use super::request::OperatorRequest;
use crate::{
    api::{error::ApiError, response::Response},
    platform::Platform,
    store::OperatorStore,
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
    key_secret: &'a str,
    database_bytes: Option<u64>,
}

pub(super) async fn show<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let settings = request.settings;
    let recorded = request.recorded_secrets().await?;
    let key_secret = match request.key_secrets.fit(&recorded) {
        _ if recorded.is_empty() => "unused",
        true => "known",
        false => "unknown",
    };
    let body = SettingsBody {
        settings: SettingsMember {
            service_name: &settings.service_name,
            key_prefix: &settings.key_prefix,
            client_delay_seconds: settings.client_delay_seconds,
            prospect_delay_seconds: settings.prospect_delay_seconds,
            rate_limit_per_minute: settings.rate_limit_per_minute,
            body_limit_bytes: settings.body_limit_bytes,
            key_secret,
            database_bytes: request.store.database_bytes(),
        },
    };
    Response::ok(&body)
}
