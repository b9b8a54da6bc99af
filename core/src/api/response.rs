//! An answer before it becomes an HTTP response.

use http::{HeaderName, HeaderValue, StatusCode};
use serde::Serialize;

use super::{error::ApiError, status_counts::StatusCounts};
use crate::store::StoredResponse;

static IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Status, JSON body and the headers of this answer alone.
#[derive(Clone, Debug)]
pub(crate) struct Response {
    pub(crate) status: StatusCode,
    pub(crate) body: Vec<u8>,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    /// The counts of the clients that were decided for it.
    pub(crate) counts: Option<StatusCounts>,
}

impl Response {
    /// 200 with a JSON body.
    pub(crate) fn ok(body: &impl Serialize) -> Result<Self, ApiError> {
        Ok(Self { status: StatusCode::OK, body: to_json(body)?, headers: Vec::new(), counts: None })
    }

    /// 200 with a JSON body that is written already.
    pub(crate) fn ok_json(body: String) -> Self {
        Self { status: StatusCode::OK, body: body.into_bytes(), headers: Vec::new(), counts: None }
    }

    /// A decision's answer. A saved answer has the header of a replay.
    pub(crate) fn of_stored(response: StoredResponse) -> Result<Self, ApiError> {
        let status = StatusCode::from_u16(response.status).map_err(|error| ApiError::internal(error.to_string()))?;
        let replayed = || (IDEMPOTENT_REPLAYED.clone(), HeaderValue::from_static("true"));
        let headers = if response.replayed { vec![replayed()] } else { Vec::new() };
        Ok(Self { status, body: response.body.into_bytes(), headers, counts: None })
    }
}

impl From<ApiError> for Response {
    fn from(error: ApiError) -> Self {
        let body = to_json(&error.body()).unwrap_or_default();
        Self { status: error.status, body, headers: error.headers, counts: None }
    }
}

pub(crate) fn to_json(body: &impl Serialize) -> Result<Vec<u8>, ApiError> {
    serde_json::to_vec(body).map_err(|error| ApiError::internal(format!("an answer has no JSON form: {error}")))
}
