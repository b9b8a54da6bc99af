//! Answers to requests that do not reach [`super::Api::handle`], in the same error shape (rules H29, H30,
//! W1 and W10).

use http::Request;

use super::{Handled, error::ApiError, request_context::RequestContext};
use crate::platform::Platform;

/// Why a host answers without the API.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HostRefusal {
    /// More connections than it serves at once: 500 with `Retry-After`, before any work.
    TooManyConnections,
    /// Handling the request panicked: 500.
    Panicked,
    /// The request is not HTTP: 400.
    MalformedHead,
    /// A setting or a binding is invalid: 500 until the operator fixes it. A host that reads its settings at
    /// its start does not start instead.
    Misconfigured {
        /// What is wrong, for the log.
        cause: String,
    },
}

impl HostRefusal {
    /// The whole answer, with a request id for the log.
    pub fn answer(self, platform: &impl Platform) -> Handled {
        let (head, ()) = Request::new(()).into_parts();
        RequestContext::begin(platform, &head).finish(Err(self.error()))
    }

    fn error(self) -> ApiError {
        match self {
            Self::TooManyConnections => ApiError::overloaded(1, "more connections than are served at once"),
            Self::Panicked => ApiError {
                // It is not known whether anything was saved, so the message does not say.
                message: "Something went wrong on our side. Please try again shortly.".into(),
                ..ApiError::internal("handling the request panicked")
            },
            Self::MalformedHead => ApiError::invalid("The request is not well-formed HTTP/1.1."),
            Self::Misconfigured { cause } => ApiError::internal(cause),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_of_the_service_has_a_cause_for_the_log_and_a_mistake_of_the_caller_has_none() {
        for refusal in [
            HostRefusal::TooManyConnections,
            HostRefusal::Panicked,
            HostRefusal::MalformedHead,
            HostRefusal::Misconfigured { cause: "a setting".to_owned() },
        ] {
            let name = format!("{refusal:?}");
            let error = refusal.error();
            assert_eq!(error.cause.is_some(), error.status.is_server_error(), "{name}");
        }
    }
}
