//! `GET /healthz`: whether the service can reach its store. No key needed.

use serde::Serialize;

use crate::{
    api::{error::ApiError, reply::Reply},
    key::KeyDigest,
    store::Store,
};

#[derive(Serialize)]
struct HealthBody {
    status: &'static str,
}

/// Asks the store for a key that nobody has: the cheapest thing that shows it answers.
pub(in crate::api) async fn health(store: &impl Store) -> Result<Reply, ApiError> {
    store.holder(&KeyDigest::of("")).await?;
    Reply::ok(&HealthBody { status: "ok" })
}
