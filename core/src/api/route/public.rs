//! The paths of the public API.

use http::Method;

use super::{ApiError, Route, arguments};
use crate::key::KeyScope;

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

pub(super) static PUBLIC: [Route<Endpoint>; 6] = [
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
