//! County grants.

use matterbook_core::{
    account::Grant,
    store::{LogEntry, OperatorAnswer, Refusal, StoreError},
};
use uuid::Uuid;

use super::{
    accounts,
    step::{Step, Task},
    write::Write,
};
use crate::{bind, queries, read::Results};

pub(super) fn grant(account: Uuid, grant: Grant, entry: &LogEntry) -> Step {
    let give = queries::GRANT_COUNTY.bind([
        ("account", bind::id(account)),
        ("fips", grant.fips.as_str().into()),
        ("from_date", bind::date(grant.from_date)),
    ]);
    let answer = |_: &Task, _: &mut Results| Ok(Step::Done(OperatorAnswer::County(grant)));
    Write::new(vec![give]).require(accounts::require(account), Refusal::NoAccount).then(entry, answer)
}

pub(super) fn revoke(account: Uuid, fips: &str) -> Step {
    let look = [
        queries::ACCOUNT.bind([("account", bind::id(account))]),
        queries::COUNTY.bind([("account", bind::id(account)), ("fips", fips.into())]),
    ];
    Step::read(look.to_vec(), move |task, results| {
        results.row().ok_or(Refusal::NoAccount)?;
        Ok(revoke_as_seen(account, results.row().ok_or(Refusal::NoCounty)?.grant()?, &task.entry))
    })
}

/// Takes a grant away. The answer tells it, so it is taken away only as it was seen.
fn revoke_as_seen(account: Uuid, grant: Grant, entry: &LogEntry) -> Step {
    let names = || [("account", bind::id(account)), ("fips", grant.fips.as_str().into())];
    let require = queries::REQUIRE_COUNTY.bind([&names()[..], &[("from_date", bind::date(grant.from_date))]].concat());
    let moved = StoreError::Contended { cause: "the grant changed meanwhile".to_owned() };
    let revoke = Write::new(vec![queries::REVOKE_COUNTY.bind(names())]).require(require, moved);
    revoke.then(entry, |_, _| Ok(Step::Done(OperatorAnswer::County(grant))))
}
