//! County grants.

use matterbook_core::{
    account::Grant,
    store::{LogEntry, OperatorAnswer, Refusal},
};
use uuid::Uuid;

use super::{Outcome, accounts, log, write};
use crate::{bind, driver::Driver, queries, read::Results};

pub(super) async fn grant<D: Driver>(driver: &D, account: Uuid, grant: Grant, entry: &LogEntry) -> Outcome {
    let give = queries::GRANT_COUNTY.bind([
        ("account", bind::id(account)),
        ("fips", grant.fips.as_str().into()),
        ("from_date", bind::date(grant.from_date)),
    ]);
    write(driver, &[accounts::require(account), give, log(entry)], Refusal::NoAccount).await?;
    Ok(OperatorAnswer::County(grant))
}

pub(super) async fn revoke<D: Driver>(driver: &D, account: Uuid, fips: &str, entry: &LogEntry) -> Outcome {
    let names = || [("account", bind::id(account)), ("fips", fips.into())];
    let known = queries::ACCOUNT.bind([("account", bind::id(account))]);
    let mut results = Results::of(driver, &[known]).await?;
    results.row().ok_or(Refusal::NoAccount)?;
    let require = queries::REQUIRE_COUNTY.bind(names());
    let batch = [require, queries::COUNTY.bind(names()), queries::REVOKE_COUNTY.bind(names()), log(entry)];
    let mut results = write(driver, &batch, Refusal::NoCounty).await?;
    results.rows_of(1).for_each(drop);
    let grant = results.row().ok_or(Refusal::NoCounty)?.grant()?;
    Ok(OperatorAnswer::County(grant))
}
