//! Reads bodies once, within the limit, and parses them without copying (rules H10 to H14).

use http::StatusCode;

use super::{
    body::{BodyError, RequestBody},
    error::{ApiError, ErrorCode},
};
use crate::{
    json::{Malformed, Members, ObjectError, Scanner},
    normalize::FieldValue,
};

/// `Retry-After` where the host had no memory for a body.
const ROOM_RETRY_AFTER_SECONDS: u32 = 5;

/// Reads a body as text.
pub(crate) async fn read_text<B: RequestBody>(body: B, limit_bytes: usize) -> Result<String, ApiError> {
    let bytes = body.read(limit_bytes).await.map_err(|error| match error {
        BodyError::TooLarge => {
            ApiError::new(ErrorCode::InvalidRequest, format!("The body has more than {limit_bytes} bytes."))
                .with_status(StatusCode::PAYLOAD_TOO_LARGE)
        }
        BodyError::TooSlow => ApiError::new(ErrorCode::InvalidRequest, "The body did not arrive in time.")
            .with_status(StatusCode::REQUEST_TIMEOUT),
        BodyError::NoRoom => ApiError::overloaded(ROOM_RETRY_AFTER_SECONDS, "there was no room for the body"),
        BodyError::Broken => ApiError::invalid("The body broke off before its end."),
    })?;
    String::from_utf8(bytes).map_err(|_| ApiError::invalid("The body is not UTF-8 text."))
}

/// A scanner at the object that a body must be.
pub(crate) fn object(text: &str) -> Result<Scanner<'_>, ApiError> {
    Scanner::of_object(json(text)?).map_err(refused)
}

/// The body without a leading byte order mark.
fn json(text: &str) -> Result<&str, ApiError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_ascii().is_empty() {
        return Err(ApiError::invalid("The body is empty; send a JSON object."));
    }
    Ok(text)
}

/// Reads an object: `read` gets each member's name and reads its value.
pub(crate) fn go_through<'a>(
    scanner: &mut Scanner<'a>,
    mut read: impl FnMut(&mut Scanner<'a>, &str) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    scanner.object(|scanner, name| match name.value() {
        FieldValue::Text(name) => read(scanner, &name),
        _ => Err(Malformed),
    })?;
    scanner.end()
}

/// The members of the object that a body must be.
pub(crate) fn members<'a, const N: usize>(
    text: &'a str,
    names: &'static [&'static str; N],
) -> Result<Members<'a, N>, ApiError> {
    Members::parse(json(text)?, names).map_err(refused)
}

fn refused(error: ObjectError) -> ApiError {
    match error {
        ObjectError::NotAnObject => ApiError::invalid("The body must be a JSON object."),
        ObjectError::Malformed => malformed(),
    }
}

/// The body is not JSON.
pub(crate) fn malformed() -> ApiError {
    ApiError::invalid("The body is not valid JSON.")
}
