//! API keys.

use matterbook_core::{
    account::{KeyRecord, Role},
    key::KeyDigest,
    store::{LogEntry, OperatorAnswer, Refusal, StoreError},
};
use uuid::Uuid;

use super::{
    Outcome, accounts,
    write::{write, write_to},
};
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
    read(&mut write(driver, vec![create], vec![show(id)], entry).await?)
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
    let shows = vec![show(key)];
    read(&mut write_to(driver, require, Refusal::NoKey.into(), vec![revoke], shows, entry).await?)
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
