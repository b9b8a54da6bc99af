//! Every error that a caller can get: one table of codes, and the answer with one (rules E1 to E9).

use std::borrow::Cow;

use http::{HeaderName, HeaderValue, StatusCode};
use serde::Serialize;

use crate::store::StoreError;

/// How long a standby takes to become the main service once its operator says so.
pub const TAKEOVER_SECONDS: u32 = 60;

/// The stable codes. Callers branch on them. Messages may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// A missing, malformed, unknown, revoked or ended key.
    Unauthorized,
    /// The account is suspended, the key belongs to a view-only login, or the endpoint is outside its scope.
    Forbidden,
    /// The API is not enabled for the account.
    NotEnabled,
    /// Prospects need the digital bundle.
    BundleRequired,
    /// Over the limit of requests in a minute.
    RateLimited,
    /// A parameter or the body is invalid.
    InvalidRequest,
    /// The resource does not exist.
    NotFound,
    /// A settled case conflicts with another client.
    Conflict,
    /// The grants have changed since the cursor was issued.
    CursorStale,
    /// The service failed.
    Internal,
}

impl ErrorCode {
    /// Every code with its name and its usual status.
    pub const TABLE: [(Self, &'static str, StatusCode); 10] = [
        (Self::Unauthorized, "unauthorized", StatusCode::UNAUTHORIZED),
        (Self::Forbidden, "forbidden", StatusCode::FORBIDDEN),
        (Self::NotEnabled, "not_enabled", StatusCode::FORBIDDEN),
        (Self::BundleRequired, "bundle_required", StatusCode::FORBIDDEN),
        (Self::RateLimited, "rate_limited", StatusCode::TOO_MANY_REQUESTS),
        (Self::InvalidRequest, "invalid_request", StatusCode::BAD_REQUEST),
        (Self::NotFound, "not_found", StatusCode::NOT_FOUND),
        (Self::Conflict, "conflict", StatusCode::CONFLICT),
        (Self::CursorStale, "cursor_stale", StatusCode::CONFLICT),
        (Self::Internal, "internal", StatusCode::INTERNAL_SERVER_ERROR),
    ];

    /// The name in the body.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The usual status.
    #[must_use]
    pub fn status(self) -> StatusCode {
        self.row().2
    }

    fn row(self) -> (Self, &'static str, StatusCode) {
        let fallback = (Self::Internal, "internal", StatusCode::INTERNAL_SERVER_ERROR);
        Self::TABLE.into_iter().find(|row| row.0 == self).unwrap_or(fallback)
    }
}

/// An error answer: a public message for the caller, and a private cause for the log (rule E5).
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    pub(crate) code: ErrorCode,
    pub(crate) status: StatusCode,
    pub(crate) message: Cow<'static, str>,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) cause: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct ErrorBody<'a> {
    pub(crate) error: ErrorMember<'a>,
}

#[derive(Serialize)]
pub(crate) struct ErrorMember<'a> {
    pub(crate) code: &'static str,
    pub(crate) message: &'a str,
}

impl ApiError {
    pub(crate) fn new(code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, status: code.status(), message: message.into(), headers: Vec::new(), cause: None }
    }

    /// 400 `invalid_request`.
    pub(crate) fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::InvalidRequest, message)
    }

    /// 404 for a client that the delayed view does not show (rules V13 and V15).
    pub(crate) fn no_shown_client() -> Self {
        Self::not_found("The account has no client with this id, or it is newer than GET /clients shows.")
    }

    /// 404 `not_found`.
    pub(crate) fn not_found(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::NotFound, message)
    }

    /// 500 `internal`. The caller does not learn the cause.
    pub(crate) fn internal(cause: impl Into<String>) -> Self {
        let message = "Something went wrong on our side and nothing was saved. Please try again shortly.";
        Self { cause: Some(cause.into()), ..Self::new(ErrorCode::Internal, message) }
    }

    /// 500 `internal` after a write that may have been saved. `next` says what to do about it.
    pub(crate) fn unknown(next: &str, cause: impl Into<String>) -> Self {
        let message = format!("Something went wrong on our side, and it is not known whether this was saved. {next}");
        Self { cause: Some(cause.into()), ..Self::new(ErrorCode::Internal, message) }
    }

    /// 500 `internal` of an overloaded service (rule E6).
    pub(crate) fn overloaded(retry_after_seconds: u32, cause: impl Into<String>) -> Self {
        let message = "The service is busy and nothing was saved. Please try again after the seconds in Retry-After.";
        Self { cause: Some(cause.into()), ..Self::new(ErrorCode::Internal, message) }
            .with_header(http::header::RETRY_AFTER, HeaderValue::from(retry_after_seconds))
    }

    /// 503 `internal` of a service that only reads (rule W23).
    pub(crate) fn read_only(cause: impl Into<String>) -> Self {
        let message = "This service is a standby that only reads, and nothing was saved. Please send changes to the main \
                       service, or try again after the seconds in Retry-After.";
        Self { cause: Some(cause.into()), ..Self::new(ErrorCode::Internal, message) }
            .with_status(StatusCode::SERVICE_UNAVAILABLE)
            .with_header(http::header::RETRY_AFTER, HeaderValue::from(TAKEOVER_SECONDS))
    }

    pub(crate) fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    pub(crate) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The JSON body.
    pub(crate) fn body(&self) -> ErrorBody<'_> {
        ErrorBody { error: ErrorMember { code: self.code.name(), message: &self.message } }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::Overloaded { retry_after_seconds, .. } => {
                Self::overloaded(*retry_after_seconds, error.to_string())
            }
            StoreError::Contended { .. } | StoreError::Failed { .. } => Self::internal(error.to_string()),
            StoreError::ReadOnly => Self::read_only(error.to_string()),
            // A caller writes clients only, and sending a client again changes nothing (rule U11).
            StoreError::Unknown { .. } => Self::unknown(
                "Sending the same request again is safe: nobody is added twice. An Idempotency-Key makes it exact.",
                error.to_string(),
            ),
        }
    }
}
