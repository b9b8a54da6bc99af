//! The exact rate limit: one request to the Durable Object of the key.

use matterbook_core::{
    gate::{Admission, Gate, GateError},
    key::KeyDigest,
    time::Timestamp,
};
use worker::ObjectNamespace;

use crate::rate_limit::{parse_admission, url};

/// The gate of one request.
pub(crate) struct DurableGate {
    namespace: ObjectNamespace,
}

impl DurableGate {
    pub(crate) const fn new(namespace: ObjectNamespace) -> Self {
        Self { namespace }
    }

    async fn ask(&self, key: &KeyDigest, limit: u32) -> worker::Result<Option<Admission>> {
        let object = self.namespace.get_by_name(&key.to_text())?;
        let mut response = object.fetch_with_str(&url(limit)).await?;
        Ok(parse_admission(&response.text().await?))
    }
}

impl Gate for DurableGate {
    async fn admit(&self, key: &KeyDigest, limit: u32, _: Timestamp) -> Result<Admission, GateError> {
        match self.ask(key, limit).await {
            Ok(Some(admission)) => Ok(admission),
            Ok(None) => Err(GateError("the rate limit's object sent a malformed response".to_owned())),
            Err(error) => Err(GateError(error.to_string())),
        }
    }
}
