//! The bearer token of a request (reference section 5).

use http::{HeaderMap, HeaderValue, header};

use super::{
    error::{ApiError, ErrorCode},
    headers::AUTHORIZATION,
};

/// The token of the one `Authorization` header, `None` when there is no header.
///
/// # Errors
/// When there are several headers, or the one is not `Bearer` and a token.
pub(crate) fn bearer_token(headers: &HeaderMap) -> Result<Option<&str>, NotBearer> {
    let mut values = headers.get_all(&AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(NotBearer);
    }
    let (scheme, token) = value.to_str().ok().and_then(|text| text.trim().split_once(' ')).ok_or(NotBearer)?;
    if scheme.eq_ignore_ascii_case("bearer") { Ok(Some(token.trim_start())) } else { Err(NotBearer) }
}

/// There is an `Authorization` header, but no bearer token in it.
pub(crate) struct NotBearer;

/// 401 without a key: says how to send one.
pub(crate) fn missing(service_name: &str, message: &'static str) -> ApiError {
    challenge(format!("Bearer realm=\"{service_name}\""), message)
}

/// 401 with a key that does not work; unknown and revoked ones get the same words.
pub(crate) fn refused(service_name: &str, message: &'static str) -> ApiError {
    challenge(format!("Bearer realm=\"{service_name}\", error=\"invalid_token\""), message)
}

fn challenge(value: String, message: &'static str) -> ApiError {
    let error = ApiError::new(ErrorCode::Unauthorized, message);
    match HeaderValue::try_from(value) {
        Ok(value) => error.with_header(header::WWW_AUTHENTICATE, value),
        Err(_) => error.with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")),
    }
}
