//! Why a request failed, in sentences for the user of the command.

use std::time::Duration;

use serde::Deserialize;

use super::transport::{Answer, NoAnswer};
use crate::visible::visible;

/// Why the service did not do what was asked. The error contains no client data and no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ApiError {
    /// The service refused the request.
    #[error("{}", refused(*.status, .message, .request_id.as_deref()))]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The stable error code (rule E2).
        code: String,
        /// The service's own message.
        message: String,
        /// The id that finds the request in the service's log.
        request_id: Option<String>,
    },
    /// The service cannot be reached.
    #[error("{base} cannot be reached: {cause}.")]
    Unreachable {
        /// The base address.
        base: String,
        /// The system's error.
        cause: String,
    },
    /// No secure connection is possible.
    #[error(
        "No secure connection to {base} can be made: {cause}. Check the address, and the certificate there. \
             --ca-file names an authority of your own."
    )]
    Insecure {
        /// The base address.
        base: String,
        /// The error of TLS.
        cause: String,
    },
    /// The service does not use TLS at this address.
    #[error("{base} answers in plain HTTP. Name it by http://, or by the port where it has TLS.")]
    NotEncrypted {
        /// The base address.
        base: String,
    },
    /// The service redirects to another address.
    #[error("{base} redirects to {location}: use that address as --url, without what follows /api/v1.")]
    Moved {
        /// The base address.
        base: String,
        /// The target of the redirect.
        location: String,
    },
    /// The response does not come from Matterbook: it comes from a proxy or another service.
    #[error("{}", foreign(.base, *.status, .kind))]
    Foreign {
        /// The base address.
        base: String,
        /// The HTTP status.
        status: u16,
        /// The media type.
        kind: String,
    },
    /// The retries failed for this long.
    #[error("{last} The command gave up after {}.", words(*.time))]
    GivenUp {
        /// The last failure.
        last: Box<ApiError>,
        /// The time since the first failure.
        time: Duration,
    },
    /// The service asks for a longer pause than this caller makes.
    #[error("{last} It asks to wait {}, which is longer than --retry-seconds allows.", words(*.pause))]
    TooLongAPause {
        /// The refusal.
        last: Box<ApiError>,
        /// The requested pause.
        pause: Duration,
    },
}

impl ApiError {
    /// Whether the service itself answered with this code.
    #[must_use]
    pub(crate) fn has_code(&self, wanted: &str) -> bool {
        matches!(self, Self::Refused { code, .. } if code == wanted)
    }

    /// Whether the body was too large for the service or for a proxy in front of it.
    #[must_use]
    pub(crate) fn is_too_large(&self) -> bool {
        matches!(self, Self::Refused { status: 413, .. } | Self::Foreign { status: 413, .. })
    }

    /// The error of a response without success.
    pub(super) fn of_answer(base: &str, answer: &Answer) -> Self {
        #[derive(Deserialize)]
        struct Body {
            error: Inner,
        }
        #[derive(Deserialize)]
        struct Inner {
            code: String,
            message: String,
        }
        let location = answer.header("location").filter(|_| (300..400).contains(&answer.status));
        match (serde_json::from_slice(&answer.body), location) {
            (Ok(Body { error: Inner { code, message } }), _) => {
                let request_id = answer.header("x-request-id").map(str::to_owned);
                // Its line breaks are text too: they could pose as lines of the command.
                Self::Refused { status: answer.status, code, message: visible(&message), request_id }
            }
            (Err(_), Some(location)) => Self::Moved { base: base.to_owned(), location: location.to_owned() },
            (Err(_), None) => Self::foreign(base, answer),
        }
    }

    /// The error of a response that does not come from Matterbook.
    pub(super) fn foreign(base: &str, answer: &Answer) -> Self {
        let kind = answer.header("content-type").unwrap_or("nothing").split(';').next().unwrap_or_default();
        Self::Foreign { base: base.to_owned(), status: answer.status, kind: kind.to_owned() }
    }

    /// The error if no response came from the base address.
    #[must_use]
    pub(crate) fn of_no_answer(base: &str, no_answer: NoAnswer) -> Self {
        let base = base.to_owned();
        match no_answer {
            NoAnswer::Unreachable(cause) | NoAnswer::BadAddress(cause) => Self::Unreachable { base, cause },
            NoAnswer::Insecure(cause) => Self::Insecure { base, cause },
            NoAnswer::NotEncrypted => Self::NotEncrypted { base },
        }
    }
}

fn refused(status: u16, message: &str, request_id: Option<&str>) -> String {
    let advice = match status {
        401 => " Check --key or MATTERBOOK_KEY.",
        403 => " Ask the operator of the service.",
        404 => " Check --url.",
        _ => "",
    };
    let request = request_id.map(|id| format!(" (request {id})")).unwrap_or_default();
    format!("The service answers {status}: {message}{advice}{request}")
}

fn foreign(base: &str, status: u16, kind: &str) -> String {
    match status {
        413 => "A proxy in front of the service takes no body of this size (413).".to_owned(),
        500..600 => format!("{base} answers {status} with {kind}: something in front of the service cannot reach it."),
        _ => format!("{base} answers {status} with {kind}, which is not an answer of Matterbook. Check --url."),
    }
}

/// A duration for people, in whole units.
fn words(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3_600),
    }
}
