//! County grants: which crashes an account sees.

use serde::Serialize;
use smol_str::SmolStr;

use super::{
    input::{fields, required_date},
    path_id, unexpected,
};
use crate::{
    account::Grant,
    api::{Api, RequestBody, error::ApiError, exchange::Exchange, reply::Reply},
    gate::Gate,
    platform::Platform,
    prospect::county_fips,
    store::{OperatorAnswer, OperatorCommand, Refusal, Store},
};

#[derive(Serialize)]
struct CountyBody {
    county: Grant,
}

impl<S: Store, G: Gate, P: Platform> Api<S, G, P> {
    pub(super) async fn grant_county<B: RequestBody>(
        &self,
        exchange: &Exchange<'_>,
        account: &str,
        fips: &str,
        body: B,
    ) -> Result<Reply, ApiError> {
        let account = path_id(account, Refusal::NoAccount)?;
        let fips = path_fips(fips)?;
        let text = self.operator_body(exchange, body).await?;
        let from_date =
            fields(&text, &["from_date"], |reader| reader.read("from_date", required_date).unwrap_or_default())?;
        let subject = format!("{account} {fips}");
        let command = OperatorCommand::GrantCounty { account, grant: Grant { fips: fips.into(), from_date } };
        county_reply(self.command(exchange, command, "county.grant", subject).await?)
    }

    pub(super) async fn revoke_county(
        &self,
        exchange: &Exchange<'_>,
        account: &str,
        fips: &str,
    ) -> Result<Reply, ApiError> {
        let account = path_id(account, Refusal::NoAccount)?;
        let fips = path_fips(fips)?;
        let subject = format!("{account} {fips}");
        let command = OperatorCommand::RevokeCounty { account, fips: fips.into() };
        county_reply(self.command(exchange, command, "county.revoke", subject).await?)
    }
}

fn path_fips(text: &str) -> Result<SmolStr, ApiError> {
    let fips = county_fips(&text.into()).map_err(|problem| ApiError::invalid(format!("The county {problem}.")))?;
    fips.ok_or_else(|| ApiError::not_found("There is nothing at this path."))
}

fn county_reply(answer: OperatorAnswer) -> Result<Reply, ApiError> {
    match answer {
        OperatorAnswer::County(county) => Reply::ok(&CountyBody { county }),
        _ => unexpected(),
    }
}
