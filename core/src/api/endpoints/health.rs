//! `GET /healthz`: whether the service can reach its store (rule H26), and how old a standby's copy is (rule W23). No key
//! needed.

use serde::Serialize;

use crate::{
    api::{error::ApiError, response::Response},
    key::KeyDigest,
    store::Store,
    time::Timestamp,
};

#[derive(Serialize)]
struct HealthBody {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    copied_until: Option<Timestamp>,
}

/// Looks up an unknown key, which is the cheapest call that shows that the store answers.
pub(in crate::api) async fn health(store: &impl Store, now: Timestamp) -> Result<Response, ApiError> {
    store.key_owner(&KeyDigest::of(""), now).await?;
    let problem = store.problem();
    let copied_until = store.copied_until();
    let status = match (problem, copied_until) {
        (Some(_), _) => "warning",
        (None, Some(_)) => "standby",
        (None, None) => "ok",
    };
    Response::ok(&HealthBody { status, problem, copied_until })
}
