//! County grants: which crashes an account sees.

use serde::Serialize;
use smol_str::SmolStr;

use super::{
    call::{Call, Named, Step},
    input::{fields, required_date},
    unexpected,
};
use crate::{
    account::Grant,
    api::{error::ApiError, reply::Reply},
    prospect::county_fips,
    store::{OperatorAnswer, OperatorCommand},
};

#[derive(Serialize)]
struct CountyBody {
    county: Grant,
}

pub(super) fn grant(call: &Call<'_>) -> Result<Step, ApiError> {
    let Named { account, fips, .. } = &call.named;
    let from_date =
        fields(&call.text, &["from_date"], |reader| reader.read("from_date", required_date).unwrap_or_default())?;
    let grant = Grant { fips: fips.clone(), from_date };
    let command = OperatorCommand::GrantCounty { account: *account, grant };
    Ok(call.ask(command, "county.grant", format!("{account} {fips}"), county_reply))
}

pub(super) fn revoke(call: &Call<'_>) -> Step {
    let Named { account, fips, .. } = &call.named;
    let command = OperatorCommand::RevokeCounty { account: *account, fips: fips.clone() };
    call.ask(command, "county.revoke", format!("{account} {fips}"), county_reply)
}

/// A county in a path.
pub(super) fn path_fips(text: &str) -> Result<SmolStr, ApiError> {
    let fips = county_fips(&text.into()).map_err(|problem| ApiError::invalid(format!("The county {problem}.")))?;
    fips.ok_or_else(|| ApiError::not_found("There is nothing at this path."))
}

fn county_reply(answer: OperatorAnswer) -> Result<Reply, ApiError> {
    match answer {
        OperatorAnswer::County(county) => Reply::ok(&CountyBody { county }),
        _ => unexpected(),
    }
}
