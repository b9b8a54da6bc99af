//! The paths that need no key.

use http::Method;

use super::{ApiError, Route, arguments};

/// An endpoint that needs no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenEndpoint {
    FrontPage,
    Health,
    OpenApi,
    ViewerPage,
    ViewerFile,
}

pub(super) static OPEN: [Route<OpenEndpoint>; 5] = [
    Route { template: "/", endpoints: &[(Method::GET, OpenEndpoint::FrontPage)] },
    Route { template: "/healthz", endpoints: &[(Method::GET, OpenEndpoint::Health)] },
    Route { template: "/openapi.json", endpoints: &[(Method::GET, OpenEndpoint::OpenApi)] },
    Route { template: "/docs", endpoints: &[(Method::GET, OpenEndpoint::ViewerPage)] },
    Route { template: "/docs/{file}", endpoints: &[(Method::GET, OpenEndpoint::ViewerFile)] },
];

/// The template and the endpoint of a path without a key, and the segment that matches the template's
/// braces.
pub(crate) fn open_endpoint<'p>(
    path: &'p str,
    method: &Method,
) -> (&'static str, Result<(OpenEndpoint, &'p str), ApiError>) {
    let mut routes = OPEN.iter().filter_map(|route| Some((route, arguments(route.template, path)?)));
    match routes.next() {
        Some((route, [argument, ..])) => (route.template, route.endpoint(method).map(|endpoint| (endpoint, argument))),
        None => ("", Err(ApiError::not_found("There is nothing at this path."))),
    }
}
