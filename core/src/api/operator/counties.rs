//! County grants: which crashes an account sees.

use serde::Serialize;
use smol_str::SmolStr;

use super::{
    input::{fields, required_date},
    request::{OperatorRequest, PathParameters},
    unexpected,
};
use crate::{
    account::Grant,
    api::{error::ApiError, response::Response},
    prospect::county_fips,
    store::{OperatorAnswer, OperatorCommand, Store},
};

#[derive(Serialize)]
struct CountyBody {
    county: Grant,
}

#[derive(Serialize)]
struct CountiesBody {
    counties: Vec<Grant>,
}

pub(super) async fn list<S: Store>(request: &OperatorRequest<'_, S>) -> Result<Response, ApiError> {
    Response::ok(&CountiesBody { counties: request.account().await?.counties })
}

pub(super) async fn grant<S: Store>(request: &OperatorRequest<'_, S>) -> Result<Response, ApiError> {
    let PathParameters { account, fips, .. } = &request.path;
    let from_date =
        fields(&request.text, &["from_date"], |reader| reader.read("from_date", required_date).unwrap_or_default())?;
    let grant = Grant { fips: fips.clone(), from_date };
    let command = OperatorCommand::GrantCounty { account: *account, grant };
    county_response(request.run(command, "county.grant", format!("{account} {fips}")).await?)
}

pub(super) async fn revoke<S: Store>(request: &OperatorRequest<'_, S>) -> Result<Response, ApiError> {
    let PathParameters { account, fips, .. } = &request.path;
    let command = OperatorCommand::RevokeCounty { account: *account, fips: fips.clone() };
    county_response(request.run(command, "county.revoke", format!("{account} {fips}")).await?)
}

/// Reads the county of a path.
pub(super) fn path_fips(text: &str) -> Result<SmolStr, ApiError> {
    let fips = county_fips(&text.into()).map_err(|problem| ApiError::invalid(format!("The county {problem}.")))?;
    fips.ok_or_else(|| ApiError::not_found("There is nothing at this path."))
}

fn county_response(answer: OperatorAnswer) -> Result<Response, ApiError> {
    match answer {
        OperatorAnswer::County(county) => Response::ok(&CountyBody { county }),
        _ => unexpected(),
    }
}
