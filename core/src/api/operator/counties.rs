//! County grants: which crashes an account sees.

use std::borrow::Cow;

use chrono::NaiveDate;
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
    county,
    platform::Platform,
    prospect::county_fips,
    store::{OperatorAnswer, OperatorCommand, OperatorStore},
};

#[derive(Serialize)]
struct CountyBody<'a> {
    county: CountyAnswer<'a>,
}

/// A grant with the county's name and state (rule P22).
#[derive(Serialize)]
pub(super) struct CountyAnswer<'a> {
    fips: &'a str,
    county_name: Cow<'static, str>,
    state: &'static str,
    from_date: NaiveDate,
}

impl<'a> CountyAnswer<'a> {
    pub(super) fn new(grant: &'a Grant, platform: &impl Platform) -> Self {
        let Grant { fips, from_date } = grant;
        // Only codes of the list are granted, and each has a name and a state.
        let (county_name, state) =
            (platform.county_name(fips).unwrap_or_default(), county::state(fips).unwrap_or_default());
        Self { fips, county_name, state, from_date: *from_date }
    }
}

#[derive(Serialize)]
struct CountiesBody<'a> {
    counties: Vec<CountyAnswer<'a>>,
}

pub(super) async fn list<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let account = request.account().await?;
    let counties = account.counties.iter().map(|grant| CountyAnswer::new(grant, request.platform)).collect();
    Response::ok(&CountiesBody { counties })
}

pub(super) async fn grant<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let PathParameters { account, fips, .. } = &request.path;
    let from_date =
        fields(&request.text, &["from_date"], |reader| reader.read("from_date", required_date).unwrap_or_default())?;
    let grant = Grant { fips: fips.clone(), from_date };
    let command = OperatorCommand::GrantCounty { account: *account, grant };
    county_response(request, request.run(command, "county.grant", format!("{account} {fips}")).await?)
}

pub(super) async fn revoke<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let PathParameters { account, fips, .. } = &request.path;
    let command = OperatorCommand::RevokeCounty { account: *account, fips: fips.clone() };
    county_response(request, request.run(command, "county.revoke", format!("{account} {fips}")).await?)
}

/// Reads the county of a path.
pub(super) fn path_fips(text: &str) -> Result<SmolStr, ApiError> {
    let fips = county_fips(&text.into()).map_err(|problem| ApiError::invalid(format!("The county {problem}.")))?;
    fips.ok_or_else(|| ApiError::not_found("There is nothing at this path."))
}

fn county_response<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
    answer: OperatorAnswer,
) -> Result<Response, ApiError> {
    match answer {
        OperatorAnswer::County(grant) => {
            Response::ok(&CountyBody { county: CountyAnswer::new(&grant, request.platform) })
        }
        _ => unexpected(),
    }
}
