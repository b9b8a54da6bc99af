//! The answers of a host that never reach [`super::Api::handle`]: the same error shape, so that a
//! caller needs to know only one (design section 2).

use http::{Request, StatusCode};

use super::{
    Handled,
    error::{ApiError, ErrorCode},
    exchange::Exchange,
};
use crate::platform::Platform;

/// Why a host answers by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostRefusal {
    /// More connections than it serves at once: 500 with `Retry-After`, before any work.
    TooManyConnections,
    /// Handling the request panicked: 500.
    Panicked,
    /// What came in is not HTTP: 400.
    MalformedHead,
    /// The request line or the headers are larger than it reads: 431.
    HeadTooLarge,
}

impl HostRefusal {
    /// The whole answer, with a request id for the log.
    pub fn answer(self, platform: &impl Platform) -> Handled {
        let (head, ()) = Request::new(()).into_parts();
        Exchange::begin(platform, &head).finish(Err(self.error()))
    }

    fn error(self) -> ApiError {
        match self {
            Self::TooManyConnections => ApiError::overloaded(1, "more connections than are served at once"),
            Self::Panicked => {
                ApiError::new(ErrorCode::Internal, "Something went wrong on our side. Please try again shortly.")
            }
            Self::MalformedHead => ApiError::invalid("The request is not well-formed HTTP/1.1."),
            Self::HeadTooLarge => ApiError::invalid("The request line or the headers are too large.")
                .with_status(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE),
        }
    }
}
