//! The optional `Idempotency-Key` of both POSTs (rules I1 to I7): the header, and the digest of the request. `change.rs`
//! compares digests and answers a repeated key, in the same atomic unit as the change.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use http::{HeaderMap, HeaderName, request::Parts};
use sha2::{Digest as _, Sha256};

use super::{error::ApiError, limits::IDEMPOTENCY_KEY_MAX_LENGTH};
use crate::{store::View, time::Timestamp};

static IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// How long an answer is kept under its key: 24 hours.
const KEPT_SECONDS: i64 = 24 * 60 * 60;

/// Answers saved at or before this time have expired (rules I3 and I5).
///
/// ```
/// use matterbook_core::{api::answers_since, time::Timestamp};
/// let now = Timestamp::from_micros(0);
/// assert_eq!(answers_since(now), now.plus_seconds(-24 * 3_600));
/// ```
#[must_use]
pub const fn answers_since(now: Timestamp) -> Timestamp {
    now.plus_seconds(-KEPT_SECONDS)
}

/// Answers saved at or before this time may be deleted. It is a little later than they expire, so that an answer is found
/// again after a clock was set back a little (rule I3).
///
/// ```
/// use matterbook_core::{api::{answers_kept_since, answers_since}, time::Timestamp};
/// let now = Timestamp::from_micros(0);
/// assert_eq!(answers_kept_since(now), answers_since(now).plus_seconds(-30));
/// ```
#[must_use]
pub const fn answers_kept_since(now: Timestamp) -> Timestamp {
    answers_since(now).plus_seconds(-View::CLOCK_TOLERANCE_SECONDS)
}

/// A key, and the digest of the request that carries it.
#[derive(Clone, Debug)]
pub(crate) struct Idempotency {
    pub(crate) key: String,
    pub(crate) request_digest: String,
}

impl Idempotency {
    /// A key with the digest of its request.
    pub(crate) fn new(key: String, head: &Parts, explain: bool, body: &str) -> Self {
        Self { key, request_digest: digest(head, explain, body) }
    }
}

/// The request's key, bare or quoted, up to 255 visible characters; `None` when absent or empty.
pub(crate) fn read(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let refused = || {
        ApiError::invalid(format!(
            "Idempotency-Key must be one header of 1 to {IDEMPOTENCY_KEY_MAX_LENGTH} visible ASCII characters, quoted or \
             bare."
        ))
    };
    let mut values = headers.get_all(&IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let text = value.to_str().map_err(|_| refused())?.trim();
    let bare = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    if values.next().is_some()
        || bare.len() > IDEMPOTENCY_KEY_MAX_LENGTH
        || !bare.bytes().all(|byte| byte.is_ascii_graphic())
    {
        return Err(refused());
    }
    Ok(Some(bare.to_owned()).filter(|bare| !bare.is_empty()))
}

/// The digest of what makes two requests the same (rule I2): the path, `explain`, which changes the answer,
/// and the body.
fn digest(head: &Parts, explain: bool, body: &str) -> String {
    let mut digest = Sha256::new();
    digest.update(head.uri.path());
    // A path has no question mark.
    digest.update(if explain { "?explain" } else { "" });
    digest.update([0]);
    digest.update(body);
    URL_SAFE_NO_PAD.encode(digest.finalize())
}
