//! The bearer token of a request (rules A1 to A3).

use http::{HeaderMap, HeaderValue, header};

use super::error::{ApiError, ErrorCode};

/// The token of the one `Authorization` header, `None` when there is no header.
///
/// # Errors
/// When there are several headers, or the one is not `Bearer` and a token.
pub(crate) fn bearer_token(headers: &HeaderMap) -> Result<Option<&str>, NotBearer> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(NotBearer);
    }
    let (scheme, token) = value.to_str().ok().and_then(|text| text.trim().split_once(' ')).ok_or(NotBearer)?;
    if scheme.eq_ignore_ascii_case("bearer") { Ok(Some(token.trim_start())) } else { Err(NotBearer) }
}

/// The `Authorization` header holds no bearer token.
pub(crate) struct NotBearer;

/// 401 without a key. The message says how to send one.
pub(crate) fn missing(service_name: &str, message: &'static str) -> ApiError {
    challenge(format!("Bearer realm=\"{service_name}\""), message)
}

/// 401 with a key that does not work. Unknown and revoked keys get the same message.
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
