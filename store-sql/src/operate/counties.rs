//! County grants.

use matterbook_core::{
    account::Grant,
    store::{OperatorAnswer, Refusal, StoreError},
};
use uuid::Uuid;

use super::{
    accounts,
    command::{Command, CommandResult},
    write::{Concerns, Write},
};
use crate::{bind, driver::Driver, queries};

pub(super) async fn grant<D: Driver>(command: &Command<'_, D>, account: Uuid, grant: Grant) -> CommandResult {
    let statement = queries::GRANT_COUNTY.bind([
        ("account", bind::id(account)),
        ("fips", grant.fips.as_str().into()),
        ("from_date", bind::date(grant.from_date)),
    ]);
    Write::new(Concerns::Account(account), vec![statement])
        .require(accounts::require(account), Refusal::NoAccount)
        .run(command)
        .await?;
    Ok(OperatorAnswer::County(grant))
}

/// The response contains the grant, so the write requires it to be still the one that was read.
pub(super) async fn revoke<D: Driver>(command: &Command<'_, D>, account: Uuid, fips: &str) -> CommandResult {
    let names = || [("account", bind::id(account)), ("fips", fips.into())];
    let reads = [queries::ACCOUNT.bind([("account", bind::id(account))]), queries::COUNTY.bind(names())];
    let mut results = command.read(&reads).await?;
    results.row().ok_or(Refusal::NoAccount)?;
    let grant = results.row().ok_or(Refusal::NoCounty)?.grant()?;

    let require = queries::REQUIRE_COUNTY.bind([&names()[..], &[("from_date", bind::date(grant.from_date))]].concat());
    let changed = StoreError::Contended { cause: "the grant changed concurrently".to_owned() };
    Write::new(Concerns::Account(account), vec![queries::REVOKE_COUNTY.bind(names())])
        .require(require, changed)
        .run(command)
        .await?;
    Ok(OperatorAnswer::County(grant))
}
