//! `GET /healthz`: whether the service can reach its store (rule H26). No key needed.

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
}

/// Looks up an unknown key, which is the cheapest call that shows that the store answers.
pub(in crate::api) async fn health(store: &impl Store, now: Timestamp) -> Result<Response, ApiError> {
    store.key_owner(&KeyDigest::of(""), now).await?;
    let problem = store.problem();
    let status = if problem.is_some() { "warning" } else { "ok" };
    Response::ok(&HealthBody { status, problem })
}
