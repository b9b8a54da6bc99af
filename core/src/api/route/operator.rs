//! The paths of the operator API.

use http::Method;

use super::{ApiError, Route, arguments};

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

pub(super) static OPERATOR: [Route<OperatorEndpoint>; 28] = [
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
