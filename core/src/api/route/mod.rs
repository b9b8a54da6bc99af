//! All paths of the service and their methods, in one table (rules H1 to H6).

mod open;
mod operator;
mod public;

use http::{HeaderValue, Method, StatusCode, header};

use super::error::{ApiError, ErrorCode};
use open::OPEN;
use operator::OPERATOR;
use public::PUBLIC;

pub(crate) use open::{OpenEndpoint, open_endpoint};
pub(crate) use operator::{OperatorEndpoint, operator_endpoint, operator_template};
pub(crate) use public::{Endpoint, public_endpoint, public_template};

/// The part of the service that a path belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Area {
    /// Under `/api/v1`.
    Public,
    /// Under `/operator/v1`.
    Operator,
    /// The endpoints without a key.
    Open,
    /// No part: 404.
    Nowhere,
}

pub(crate) fn area(path: &str) -> Area {
    let is_under = |base: &str| path.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if is_under("/api/v1") {
        Area::Public
    } else if is_under("/operator/v1") {
        Area::Operator
    } else if OPEN.iter().any(|route| arguments(route.template, path).is_some()) {
        Area::Open
    } else {
        Area::Nowhere
    }
}

/// One path and its endpoints by method.
struct Route<E: 'static> {
    /// The whole path. A segment in braces matches any segment.
    template: &'static str,
    endpoints: &'static [(Method, E)],
}

/// Every endpoint of the service: its method and the template of its path. A segment in braces matches
/// any segment. Each GET has a HEAD, too.
///
/// Requests are routed by the same table, so a test of all entries tests every endpoint.
///
/// ```
/// use matterbook_core::api;
/// assert!(api::endpoints().any(|(method, path)| method == "POST" && path == "/api/v1/clients"));
/// assert!(api::endpoints().any(|(method, path)| method == "DELETE" && path == "/operator/v1/keys/{key}"));
/// ```
pub fn endpoints() -> impl Iterator<Item = (&'static Method, &'static str)> {
    let public = PUBLIC.iter().flat_map(Route::methods);
    public.chain(OPERATOR.iter().flat_map(Route::methods)).chain(OPEN.iter().flat_map(Route::methods))
}

impl<E: Copy> Route<E> {
    fn methods(&'static self) -> impl Iterator<Item = (&'static Method, &'static str)> {
        self.endpoints.iter().map(|(method, _)| (method, self.template))
    }

    /// The endpoint of a method. HEAD is routed like GET.
    fn endpoint(&self, method: &Method) -> Result<E, ApiError> {
        let wanted = if *method == Method::HEAD { &Method::GET } else { method };
        let found = self.endpoints.iter().find(|(method, _)| method == wanted);
        found.map(|(_, endpoint)| *endpoint).ok_or_else(|| self.method_not_allowed())
    }

    /// 405 with the methods that the path has.
    #[cold]
    fn method_not_allowed(&self) -> ApiError {
        let names =
            self.endpoints.iter().map(|(method, _)| if method == Method::GET { "GET, HEAD" } else { method.as_str() });
        let allow = names.collect::<Vec<_>>().join(", ");
        let error =
            ApiError::new(ErrorCode::InvalidRequest, format!("This path does not have that method; it has {allow}."));
        let error = error.with_status(StatusCode::METHOD_NOT_ALLOWED);
        // Names of methods are valid header values, so this never fails.
        match HeaderValue::try_from(allow) {
            Ok(allow) => error.with_header(header::ALLOW, allow),
            Err(_) => error,
        }
    }
}

/// The segments that match the braces of a template; `None` if the path does not match.
fn arguments<'p>(template: &str, path: &'p str) -> Option<[&'p str; 3]> {
    let mut arguments = [""; 3];
    if !template.contains('{') {
        return (template == path).then_some(arguments);
    }
    let mut free = arguments.iter_mut();
    let mut segments = path.split('/');
    for expected in template.split('/') {
        let segment = segments.next()?;
        if expected.starts_with('{') {
            *free.next()? = segment;
        } else if segment != expected {
            return None;
        }
    }
    segments.next().is_none().then_some(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operators_path_is_found_by_its_segments() {
        let check = |path: &str, expected: Option<(OperatorEndpoint, [&str; 3])>| {
            assert_eq!(operator_endpoint(path, &Method::DELETE).ok(), expected, "{path}");
        };
        check("/operator/v1/keys/k", Some((OperatorEndpoint::RevokeKey, ["k", "", ""])));
        check("/operator/v1/accounts/a/clients/c", Some((OperatorEndpoint::EraseClient, ["a", "c", ""])));
        check("/operator/v1/keys", None);
        check("/operator/v1/keys/k/", None);
        check("/operator/v1/keys/k/more", None);
        check("/operator/v1", None);
        check("/operator/v1/log", None);
    }

    #[test]
    fn an_operators_path_has_its_template_and_an_unknown_one_has_none_of_itself() {
        let check = |path: &str, expected: &str| assert_eq!(operator_template(path), expected, "{path}");
        check("/operator/v1/log", "/operator/v1/log");
        check("/operator/v1/keys/k", "/operator/v1/keys/{key}");
        check("/operator/v1/accounts/a/clients/c", "/operator/v1/accounts/{account}/clients/{client}");
        check("/operator/v1/Sampleton", "/operator/v1/…");
        check("/operator/v1", "/operator/v1/…");
    }

    #[test]
    fn a_405_names_what_the_path_has() {
        for (path, method, allow) in [
            ("/operator/v1/accounts/a", Method::DELETE, "GET, HEAD, PATCH"),
            ("/operator/v1/keys/k", Method::GET, "DELETE"),
        ] {
            let error = operator_endpoint(path, &method).expect_err("a method that it does not have");
            assert_eq!(error.headers, [(header::ALLOW, HeaderValue::from_static(allow))], "{path}");
        }
    }

    #[test]
    fn what_needs_no_key_is_found_by_its_whole_path() {
        let check = |path: &str, expected: Area| assert_eq!(area(path), expected, "{path}");
        check("/healthz", Area::Open);
        check("/docs", Area::Open);
        check("/docs/viewer.js", Area::Open);
        check("/docs/", Area::Open);
        check("/docs/viewer.js/", Area::Nowhere);
        check("/docs/a/b", Area::Nowhere);
        check("/documents", Area::Nowhere);
        check("/", Area::Open);
        check("//", Area::Nowhere);
        check("", Area::Nowhere);
    }

    #[test]
    fn no_template_has_more_braces_than_are_read() {
        for (_, template) in endpoints() {
            assert!(template.matches('{').count() <= 3, "{template}");
        }
    }
}
