//! What a handled request leaves: the response, and what the log may know of it.

use uuid::Uuid;

use super::{OutcomeCounts, viewer::ViewerFile};

/// A response, with the facts for one log line. Nothing in them is of a client, a prospect or a
/// key.
#[derive(Debug)]
#[non_exhaustive]
pub struct Handled {
    /// What goes back to the caller, `X-Request-Id` and `Cache-Control` included.
    pub response: http::Response<Vec<u8>>,
    /// The viewer's file that a host sends as the response's body, which is empty.
    pub file: Option<&'static ViewerFile>,
    /// The request's id, as the caller got it.
    pub request_id: Uuid,
    /// The route's template, such as `/api/v1/clients`; never the path itself, which may name a
    /// person.
    pub route: &'static str,
    /// The account whose key was used.
    pub account: Option<Uuid>,
    /// What became of its clients, where it is a batch or a settled case that was decided for this
    /// request: not where a saved answer was given again.
    pub outcomes: Option<OutcomeCounts>,
    /// Why it is a 500, for the log only.
    pub cause: Option<String>,
}
