//! Which bodies are read, decided from the headers (rules H10 and H11).

use http::{HeaderMap, StatusCode, header};

use super::error::{ApiError, ErrorCode};

/// Accepts an uncompressed body whose type is missing, JSON, text or that of a form.
///
/// `curl -d` without a header declares JSON as a form, so a form is read and must parse as JSON.
pub(crate) fn check(headers: &HeaderMap) -> Result<(), ApiError> {
    let is_encoded = headers
        .get_all(header::CONTENT_ENCODING)
        .iter()
        .any(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity") && !value.is_empty());
    if is_encoded {
        return Err(unsupported("The body must not be compressed; send it without Content-Encoding."));
    }
    let readable = headers.get_all(header::CONTENT_TYPE).iter().all(|value| {
        let text = value.to_str().unwrap_or("?");
        let essence = text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        essence.is_empty()
            || essence == "application/json"
            || essence.ends_with("+json")
            || essence.starts_with("text/")
            || essence == "application/x-www-form-urlencoded"
    });
    if readable {
        Ok(())
    } else {
        Err(unsupported("The body must be JSON; send it with Content-Type: application/json."))
    }
}

fn unsupported(message: &'static str) -> ApiError {
    ApiError::new(ErrorCode::InvalidRequest, message).with_status(StatusCode::UNSUPPORTED_MEDIA_TYPE)
}
