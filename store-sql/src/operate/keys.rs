//! API keys.

use matterbook_core::{
    account::{KeyRecord, Role},
    key::KeyDigest,
    store::{LogEntry, OperatorAnswer, Refusal, StoreError},
};
use uuid::Uuid;

use super::{Outcome, accounts, log, write};
use crate::{
    bind,
    driver::{Driver, Statement},
    queries,
    read::{Results, Row},
};

pub(super) async fn create<D: Driver>(
    driver: &D,
    id: Uuid,
    account: Uuid,
    login: Option<Uuid>,
    label: Option<String>,
    digest: &KeyDigest,
    entry: &LogEntry,
) -> Outcome {
    let mut results = Results::of(driver, &accounts::account_and_all(account)).await?;
    let logins = accounts::one(&mut results)?.logins;
    let login = match login {
        Some(id) => logins.iter().find(|login| login.id == id).ok_or(Refusal::NoLogin)?,
        None => logins.iter().find(|login| login.role == Role::Owner).ok_or(Refusal::NoOwner)?,
    };
    if login.role != Role::Owner {
        return Err(Refusal::NotOwner.into());
    }
    // A login that stops being an owner's at this very moment created the key just before: its key
    // goes on as the login's other keys do.
    let create = queries::CREATE_KEY.bind([
        ("id", bind::id(id)),
        ("login", bind::id(login.id)),
        ("digest", digest.to_text().into()),
        ("label", label.into()),
        ("at", bind::time(entry.at)),
    ]);
    let mut results = Results::of_write(driver, &[create, log(entry), show(id)]).await?;
    results.rows_of(2).for_each(drop);
    read(&mut results)
}

pub(super) async fn list<D: Driver>(driver: &D, account: Uuid) -> Outcome {
    let account = || ("account", bind::id(account));
    let batch = [queries::ACCOUNT.bind([account()]), queries::KEYS_OF_ACCOUNT.bind([account()])];
    let mut results = Results::of(driver, &batch).await?;
    results.row().ok_or(Refusal::NoAccount)?;
    Ok(OperatorAnswer::Keys(results.rows().map(key).collect::<Result<_, _>>()?))
}

pub(super) async fn revoke<D: Driver>(driver: &D, key: Uuid, entry: &LogEntry) -> Outcome {
    let require = queries::REQUIRE_KEY.bind([("id", bind::id(key))]);
    let revoke = queries::REVOKE_KEY.bind([("id", bind::id(key)), ("at", bind::time(entry.at))]);
    let mut results = write(driver, &[require, revoke, log(entry), show(key)], Refusal::NoKey).await?;
    results.rows_of(3).for_each(drop);
    read(&mut results)
}

fn show(key: Uuid) -> Statement {
    queries::KEY.bind([("id", bind::id(key))])
}

fn read(results: &mut Results) -> Outcome {
    Ok(OperatorAnswer::Key(results.row().map(key).ok_or(Refusal::NoKey)??))
}

fn key(mut row: Row) -> Result<KeyRecord, StoreError> {
    Ok(KeyRecord {
        id: row.id()?,
        account_id: row.id()?,
        login_id: row.id()?,
        label: row.optional_text()?,
        created_at: row.time()?,
        last_used_at: row.optional_time()?,
        revoked_at: row.optional_time()?,
    })
}
