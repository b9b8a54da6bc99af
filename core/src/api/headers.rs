//! The headers of a request that the rules read.

use http::{HeaderName, header};

pub(super) static AUTHORIZATION: HeaderName = header::AUTHORIZATION;
pub(super) static CONTENT_ENCODING: HeaderName = header::CONTENT_ENCODING;
pub(super) static CONTENT_TYPE: HeaderName = header::CONTENT_TYPE;
pub(super) static IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
pub(super) static MATTERBOOK_ACTOR: HeaderName = HeaderName::from_static("matterbook-actor");
