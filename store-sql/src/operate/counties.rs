//! County grants.

use matterbook_core::{
    account::Grant,
    store::{LogEntry, OperatorAnswer, Refusal, StoreError},
};
use uuid::Uuid;

use super::{Outcome, accounts, write::write_to};
use crate::{bind, driver::Driver, queries, read::Results};

pub(super) async fn grant<D: Driver>(driver: &D, account: Uuid, grant: Grant, entry: &LogEntry) -> Outcome {
    let give = queries::GRANT_COUNTY.bind([
        ("account", bind::id(account)),
        ("fips", grant.fips.as_str().into()),
        ("from_date", bind::date(grant.from_date)),
    ]);
    let require = accounts::require(account);
    write_to(driver, require, Refusal::NoAccount.into(), vec![give], Vec::new(), entry).await?;
    Ok(OperatorAnswer::County(grant))
}

pub(super) async fn revoke<D: Driver>(driver: &D, account: Uuid, fips: &str, entry: &LogEntry) -> Outcome {
    let names = || [("account", bind::id(account)), ("fips", fips.into())];
    let look = [queries::ACCOUNT.bind([("account", bind::id(account))]), queries::COUNTY.bind(names())];
    let mut results = Results::of(driver, &look).await?;
    results.row().ok_or(Refusal::NoAccount)?;
    let grant = results.row().ok_or(Refusal::NoCounty)?.grant()?;
    // The answer tells the grant that was taken away, so it is taken away only as it was seen.
    let require = queries::REQUIRE_COUNTY.bind([&names()[..], &[("from_date", bind::date(grant.from_date))]].concat());
    let moved = StoreError::Contended { cause: "the grant changed meanwhile".to_owned() };
    let revoke = vec![queries::REVOKE_COUNTY.bind(names())];
    write_to(driver, require, moved.into(), revoke, Vec::new(), entry).await?;
    Ok(OperatorAnswer::County(grant))
}
