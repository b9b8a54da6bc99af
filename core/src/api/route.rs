//! Paths and their methods (reference section 4, design section 3).

use http::{HeaderValue, Method, StatusCode, header};

use super::error::{ApiError, ErrorCode};

/// Where a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Area<'p> {
    /// Under `/api/v1`; the rest of the path, empty or beginning with a slash.
    Public(&'p str),
    /// Under `/operator/v1`, likewise.
    Operator(&'p str),
    /// `/healthz`.
    Health,
    /// `/openapi.json`.
    OpenApi,
    /// Nowhere.
    Nowhere,
}

pub(crate) fn area(path: &str) -> Area<'_> {
    let under = |base: &str| path.strip_prefix(base).filter(|rest| rest.is_empty() || rest.starts_with('/'));
    if let Some(rest) = under("/api/v1") {
        Area::Public(rest)
    } else if let Some(rest) = under("/operator/v1") {
        Area::Operator(rest)
    } else {
        match path {
            "/healthz" => Area::Health,
            "/openapi.json" => Area::OpenApi,
            _ => Area::Nowhere,
        }
    }
}

/// An endpoint of the public API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Me,
    PostClients,
    ListClients,
    CasesSettled,
    Prospects,
}

/// One path of the public API: its endpoints by method.
struct Route {
    path: &'static str,
    template: &'static str,
    get: Option<Endpoint>,
    post: Option<Endpoint>,
}

const ROUTES: [Route; 4] = [
    Route { path: "/me", template: "/api/v1/me", get: Some(Endpoint::Me), post: None },
    Route {
        path: "/clients",
        template: "/api/v1/clients",
        get: Some(Endpoint::ListClients),
        post: Some(Endpoint::PostClients),
    },
    Route { path: "/cases/settled", template: "/api/v1/cases/settled", get: None, post: Some(Endpoint::CasesSettled) },
    Route { path: "/prospects", template: "/api/v1/prospects", get: Some(Endpoint::Prospects), post: None },
];

/// The template of a path, for the log: never the path itself.
pub(crate) fn public_template(path: &str) -> &'static str {
    ROUTES.iter().find(|route| route.path == path).map_or("/api/v1/…", |route| route.template)
}

/// The endpoint of a path and a method. HEAD goes where GET goes.
pub(crate) fn public_endpoint(path: &str, method: &Method) -> Result<Endpoint, ApiError> {
    let route = ROUTES
        .iter()
        .find(|route| route.path == path)
        .ok_or_else(|| ApiError::not_found("There is nothing at this path; see the API's documentation."))?;
    let endpoint = match *method {
        Method::GET | Method::HEAD => route.get,
        Method::POST => route.post,
        _ => None,
    };
    endpoint.ok_or_else(|| {
        method_not_allowed(match (route.get, route.post) {
            (Some(_), Some(_)) => "GET, HEAD, POST",
            (Some(_), None) => "GET, HEAD",
            _ => "POST",
        })
    })
}

/// Refuses every method but GET and HEAD.
pub(crate) fn only_get(method: &Method) -> Result<(), ApiError> {
    if matches!(*method, Method::GET | Method::HEAD) { Ok(()) } else { Err(method_not_allowed("GET, HEAD")) }
}

/// 405 with the methods that the path has.
pub(crate) fn method_not_allowed(allow: &'static str) -> ApiError {
    ApiError::new(ErrorCode::InvalidRequest, format!("This path does not have that method; it has {allow}."))
        .with_status(StatusCode::METHOD_NOT_ALLOWED)
        .with_header(header::ALLOW, HeaderValue::from_static(allow))
}
