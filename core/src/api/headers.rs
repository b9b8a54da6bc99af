//! The headers of a request that the rules read.

use http::{HeaderName, header};

pub(super) static AUTHORIZATION: HeaderName = header::AUTHORIZATION;
pub(super) static CONTENT_ENCODING: HeaderName = header::CONTENT_ENCODING;
pub(super) static CONTENT_TYPE: HeaderName = header::CONTENT_TYPE;
pub(super) static IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
pub(super) static MATTERBOOK_ACTOR: HeaderName = HeaderName::from_static("matterbook-actor");

/// Every header of a request that [`Api::handle`](super::Api::handle) reads. A host that has to make names of
/// texts need not do so with others: it takes code that knows every header that there is.
///
/// ```
/// use matterbook_core::api::HEADERS_READ;
/// assert!(HEADERS_READ.iter().any(|name| *name == "authorization"));
/// ```
pub static HEADERS_READ: [&HeaderName; 5] =
    [&AUTHORIZATION, &CONTENT_ENCODING, &CONTENT_TYPE, &IDEMPOTENCY_KEY, &MATTERBOOK_ACTOR];
