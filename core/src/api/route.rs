//! All paths of the service and their methods, in one table (rules H1 to H6).

use http::{HeaderValue, Method, StatusCode, header};

use super::error::{ApiError, ErrorCode};
use crate::key::KeyScope;

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

/// An endpoint of the public API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Me,
    PostClients,
    ListClients,
    ShowClient,
    ClientHistory,
    CasesSettled,
    Prospects,
}

impl Endpoint {
    /// The scope that a key needs, where it has one; `None` if any key is let in (rule K12).
    pub(crate) const fn scope(self) -> Option<KeyScope> {
        match self {
            Self::Me => None,
            Self::PostClients | Self::ListClients | Self::ShowClient | Self::ClientHistory | Self::CasesSettled => {
                Some(KeyScope::Clients)
            }
            Self::Prospects => Some(KeyScope::Prospects),
        }
    }
}

/// An endpoint that needs no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenEndpoint {
    FrontPage,
    Health,
    OpenApi,
    ViewerPage,
    ViewerFile,
}

/// An endpoint of the operator API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperatorEndpoint {
    ShowSettings,
    ListAccounts,
    CreateAccount,
    ShowAccount,
    SetAccount,
    ListLogins,
    AddLogin,
    SetRole,
    RemoveLogin,
    MakeLink,
    ListKeys,
    CreateKey,
    RevokeKey,
    ListCounties,
    GrantCounty,
    RevokeCounty,
    ImportProspects,
    EraseProspect,
    FindClients,
    ShowClient,
    EraseClient,
    MailOn,
    ClientHistory,
    ShowChange,
    UndoChange,
    ListReview,
    ResolveReview,
    ListSimilar,
    FindSimilar,
    DecideSimilar,
    ListSettlements,
    ExportAccount,
    BeginAccountImport,
    ImportAccountRows,
    DiscardAccountImport,
    RestoreAccount,
    ListLog,
}

/// One path and its endpoints by method.
struct Route<E: 'static> {
    /// The whole path. A segment in braces matches any segment.
    template: &'static str,
    endpoints: &'static [(Method, E)],
}

static PUBLIC: [Route<Endpoint>; 6] = [
    Route { template: "/api/v1/me", endpoints: &[(Method::GET, Endpoint::Me)] },
    Route {
        template: "/api/v1/clients",
        endpoints: &[(Method::GET, Endpoint::ListClients), (Method::POST, Endpoint::PostClients)],
    },
    Route { template: "/api/v1/clients/{client}", endpoints: &[(Method::GET, Endpoint::ShowClient)] },
    Route { template: "/api/v1/clients/{client}/history", endpoints: &[(Method::GET, Endpoint::ClientHistory)] },
    Route { template: "/api/v1/cases/settled", endpoints: &[(Method::POST, Endpoint::CasesSettled)] },
    Route { template: "/api/v1/prospects", endpoints: &[(Method::GET, Endpoint::Prospects)] },
];

static OPERATOR: [Route<OperatorEndpoint>; 28] = [
    Route { template: "/operator/v1/settings", endpoints: &[(Method::GET, OperatorEndpoint::ShowSettings)] },
    Route {
        template: "/operator/v1/accounts",
        endpoints: &[(Method::GET, OperatorEndpoint::ListAccounts), (Method::POST, OperatorEndpoint::CreateAccount)],
    },
    Route {
        template: "/operator/v1/accounts/{account}",
        endpoints: &[(Method::GET, OperatorEndpoint::ShowAccount), (Method::PATCH, OperatorEndpoint::SetAccount)],
    },
    Route {
        template: "/operator/v1/accounts/{account}/logins",
        endpoints: &[(Method::GET, OperatorEndpoint::ListLogins), (Method::POST, OperatorEndpoint::AddLogin)],
    },
    Route {
        template: "/operator/v1/logins/{login}",
        endpoints: &[(Method::PATCH, OperatorEndpoint::SetRole), (Method::DELETE, OperatorEndpoint::RemoveLogin)],
    },
    Route { template: "/operator/v1/logins/{login}/link", endpoints: &[(Method::POST, OperatorEndpoint::MakeLink)] },
    Route {
        template: "/operator/v1/accounts/{account}/keys",
        endpoints: &[(Method::GET, OperatorEndpoint::ListKeys), (Method::POST, OperatorEndpoint::CreateKey)],
    },
    Route { template: "/operator/v1/keys/{key}", endpoints: &[(Method::DELETE, OperatorEndpoint::RevokeKey)] },
    Route {
        template: "/operator/v1/accounts/{account}/counties",
        endpoints: &[(Method::GET, OperatorEndpoint::ListCounties)],
    },
    Route {
        template: "/operator/v1/accounts/{account}/counties/{fips}",
        endpoints: &[(Method::PUT, OperatorEndpoint::GrantCounty), (Method::DELETE, OperatorEndpoint::RevokeCounty)],
    },
    Route { template: "/operator/v1/prospects", endpoints: &[(Method::POST, OperatorEndpoint::ImportProspects)] },
    Route {
        template: "/operator/v1/prospects/{prospect}",
        endpoints: &[(Method::DELETE, OperatorEndpoint::EraseProspect)],
    },
    Route {
        template: "/operator/v1/accounts/{account}/clients",
        endpoints: &[(Method::GET, OperatorEndpoint::FindClients)],
    },
    Route {
        template: "/operator/v1/accounts/{account}/clients/{client}",
        endpoints: &[(Method::GET, OperatorEndpoint::ShowClient), (Method::DELETE, OperatorEndpoint::EraseClient)],
    },
    Route {
        template: "/operator/v1/accounts/{account}/clients/{client}/mail-on",
        endpoints: &[(Method::POST, OperatorEndpoint::MailOn)],
    },
    Route {
        template: "/operator/v1/accounts/{account}/clients/{client}/history",
        endpoints: &[(Method::GET, OperatorEndpoint::ClientHistory)],
    },
    Route {
        template: "/operator/v1/accounts/{account}/changes/{request}",
        endpoints: &[(Method::GET, OperatorEndpoint::ShowChange)],
    },
    Route {
        template: "/operator/v1/accounts/{account}/changes/{request}/undo",
        endpoints: &[(Method::POST, OperatorEndpoint::UndoChange)],
    },
    Route {
        template: "/operator/v1/accounts/{account}/review",
        endpoints: &[(Method::GET, OperatorEndpoint::ListReview)],
    },
    Route {
        template: "/operator/v1/accounts/{account}/review/{item}",
        endpoints: &[(Method::POST, OperatorEndpoint::ResolveReview)],
    },
    Route {
        template: "/operator/v1/accounts/{account}/similar",
        endpoints: &[(Method::GET, OperatorEndpoint::ListSimilar)],
    },
    Route {
        template: "/operator/v1/accounts/{account}/similar/find",
        endpoints: &[(Method::POST, OperatorEndpoint::FindSimilar)],
    },
    Route {
        template: "/operator/v1/accounts/{account}/similar/{client}/{other}",
        endpoints: &[(Method::POST, OperatorEndpoint::DecideSimilar)],
    },
    Route {
        template: "/operator/v1/accounts/{account}/settlements",
        endpoints: &[(Method::GET, OperatorEndpoint::ListSettlements)],
    },
    Route {
        template: "/operator/v1/accounts/{account}/export",
        endpoints: &[(Method::GET, OperatorEndpoint::ExportAccount)],
    },
    Route {
        template: "/operator/v1/accounts/{account}/import",
        endpoints: &[
            (Method::PUT, OperatorEndpoint::BeginAccountImport),
            (Method::POST, OperatorEndpoint::ImportAccountRows),
            (Method::DELETE, OperatorEndpoint::DiscardAccountImport),
        ],
    },
    Route {
        template: "/operator/v1/accounts/{account}/restore",
        endpoints: &[(Method::POST, OperatorEndpoint::RestoreAccount)],
    },
    Route { template: "/operator/v1/log", endpoints: &[(Method::GET, OperatorEndpoint::ListLog)] },
];

static OPEN: [Route<OpenEndpoint>; 5] = [
    Route { template: "/", endpoints: &[(Method::GET, OpenEndpoint::FrontPage)] },
    Route { template: "/healthz", endpoints: &[(Method::GET, OpenEndpoint::Health)] },
    Route { template: "/openapi.json", endpoints: &[(Method::GET, OpenEndpoint::OpenApi)] },
    Route { template: "/docs", endpoints: &[(Method::GET, OpenEndpoint::ViewerPage)] },
    Route { template: "/docs/{file}", endpoints: &[(Method::GET, OpenEndpoint::ViewerFile)] },
];

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

/// The template of a public path, for the log: never the path itself.
pub(crate) fn public_template(path: &str) -> &'static str {
    public_route(path).map_or("/api/v1/…", |(route, _)| route.template)
}

/// The endpoint of a public path and a method, and the segment that matches the template's braces.
pub(crate) fn public_endpoint<'p>(path: &'p str, method: &Method) -> Result<(Endpoint, &'p str), ApiError> {
    let (route, [argument, ..]) = public_route(path)
        .ok_or_else(|| ApiError::not_found("There is nothing at this path; see the API's documentation."))?;
    Ok((route.endpoint(method)?, argument))
}

fn public_route(path: &str) -> Option<(&'static Route<Endpoint>, [&str; 3])> {
    let is_whole = !path.ends_with('/');
    PUBLIC.iter().filter(|_| is_whole).find_map(|route| Some((route, arguments(route.template, path)?)))
}

/// The template of an operator's path, for the log: never the path itself, which contains ids.
pub(crate) fn operator_template(path: &str) -> &'static str {
    operator_route(path).map_or("/operator/v1/…", |(route, _)| route.template)
}

/// The endpoint of an operator's path and a method, and the segments that match the template's braces.
pub(crate) fn operator_endpoint<'p>(
    path: &'p str,
    method: &Method,
) -> Result<(OperatorEndpoint, [&'p str; 3]), ApiError> {
    let (route, arguments) = operator_route(path)
        .ok_or_else(|| ApiError::not_found("There is nothing at this path; see the operator API's documentation."))?;
    Ok((route.endpoint(method)?, arguments))
}

fn operator_route(path: &str) -> Option<(&'static Route<OperatorEndpoint>, [&str; 3])> {
    OPERATOR.iter().find_map(|route| Some((route, arguments(route.template, path)?)))
}

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

/// The segments that match the braces of a template; `None` if the path does not match.
fn arguments<'p>(template: &str, path: &'p str) -> Option<[&'p str; 3]> {
    let mut arguments = [""; 3];
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
