//! The result of a request: the response, and the facts that may be logged.

use uuid::Uuid;

use super::{StatusCounts, viewer::ViewerFile};

/// A response, with the facts for one log line. They hold no value of a client, a prospect or a key
/// (rule D5).
#[derive(Debug)]
#[non_exhaustive]
pub struct Handled {
    /// The whole response, with all of its headers.
    pub response: http::Response<Vec<u8>>,
    /// The file of the viewer whose content the host sends as the body. The body of `response` is empty then.
    pub file: Option<&'static ViewerFile>,
    /// The request's id, which is also in the response.
    pub request_id: Uuid,
    /// The route's template, such as `/api/v1/clients`. It is never the path, which may contain personal data.
    pub route: &'static str,
    /// The account whose key was used.
    pub account: Option<Uuid>,
    /// The request had the operator token.
    pub is_operator: bool,
    /// The request failed to authenticate, after too many others (rule A12).
    pub is_failure_past_limit: bool,
    /// The counts of its results, if this request decided clients. A saved answer has none.
    pub counts: Option<StatusCounts>,
    /// The cause of a 500, for the log only.
    pub cause: Option<String>,
}

impl Handled {
    /// What a part of the service answers that is not in this crate, such as the console: a whole response, and what
    /// may be logged.
    ///
    /// ```
    /// use matterbook_core::{api::Handled, http::Response, uuid::Uuid};
    /// let handled = Handled::of_part(Response::new(Vec::new()), Uuid::nil(), "/app", None, None);
    /// assert_eq!(handled.route, "/app");
    /// ```
    #[must_use]
    pub const fn of_part(
        response: http::Response<Vec<u8>>,
        request_id: Uuid,
        route: &'static str,
        account: Option<Uuid>,
        cause: Option<String>,
    ) -> Self {
        let (file, counts) = (None, None);
        let (is_operator, is_failure_past_limit) = (false, false);
        Self { response, file, request_id, route, account, is_operator, is_failure_past_limit, counts, cause }
    }
}
