//! API keys.

use matterbook_core::{
    account::{KeyRecord, Login, Role},
    key::{KeyLimits, KeyScope, KeySecretCheck, StoredKey},
    store::{OperatorAnswer, Refusal, StoreError},
};
use uuid::Uuid;

use super::{
    accounts,
    command::{Command, CommandResult},
    write::{Concerns, Write},
};
use crate::{
    bind,
    driver::{Driver, Statement},
    queries,
    read::{ResultSets, Row},
};

pub(super) async fn create<D: Driver>(
    command: &Command<'_, D>,
    id: Uuid,
    account: Uuid,
    login: Option<Uuid>,
    (label, limits): (Option<String>, KeyLimits),
    key: StoredKey,
) -> CommandResult {
    let account = accounts::read(&mut command.read(&accounts::account_with_relations(account)).await?)?;
    // The role is not guarded. A login that loses its role concurrently counts as having created the key
    // just before; the key stays valid like the login's other keys.
    let login = key_creator(&account.logins, login)?;
    let create = queries::CREATE_KEY.bind([
        ("id", bind::id(id)),
        ("login", bind::id(login)),
        ("digest", key.digest.to_text().into()),
        ("last_four", key.last_four.as_str().into()),
        ("label", label.into()),
        ("scope", limits.scope.map(KeyScope::name).into()),
        ("ends_at", limits.ends_at.map(bind::time).into()),
        ("at", bind::time(command.entry.at)),
    ]);
    let record = queries::RECORD_KEY_SECRET.bind([("secret", key.secret.as_str().into())]);
    answer(
        &mut Write::new(Concerns::Account(account.id), vec![create, record])
            .then_read(vec![read(id)])
            .run(command)
            .await?,
    )
}

/// The login that creates a key: the one named, or else the oldest owner's.
fn key_creator(logins: &[Login], login: Option<Uuid>) -> Result<Uuid, Refusal> {
    let login = match login {
        Some(id) => logins.iter().find(|login| login.id == id).ok_or(Refusal::NoLogin)?,
        None => logins.iter().find(|login| login.role == Role::Owner).ok_or(Refusal::NoOwner)?,
    };
    if login.role == Role::Owner { Ok(login.id) } else { Err(Refusal::NotOwner) }
}

pub(super) async fn list<D: Driver>(command: &Command<'_, D>, account: Uuid) -> CommandResult {
    let account = || [("account", bind::id(account))];
    let batch = [queries::ACCOUNT.bind(account()), queries::KEYS_OF_ACCOUNT.bind(account())];
    let mut results = command.read(&batch).await?;
    results.row().ok_or(Refusal::NoAccount)?;
    Ok(OperatorAnswer::Keys(results.rows().map(key).collect::<Result<_, _>>()?))
}

pub(super) async fn list_secrets<D: Driver>(command: &Command<'_, D>) -> CommandResult {
    let mut results = command.read(&[queries::KEY_SECRETS.bind([])]).await?;
    let secrets = results.rows().map(|mut row| Ok::<_, StoreError>(KeySecretCheck::from_text(row.text()?)));
    Ok(OperatorAnswer::KeySecrets(secrets.collect::<Result<_, _>>()?))
}

pub(super) async fn revoke<D: Driver>(command: &Command<'_, D>, key: Uuid) -> CommandResult {
    let require = queries::REQUIRE_KEY.bind([("id", bind::id(key))]);
    let revoke = queries::REVOKE_KEY.bind([("id", bind::id(key)), ("at", bind::time(command.entry.at))]);
    let revoke =
        Write::new(Concerns::Key(key), vec![revoke]).require(require, Refusal::NoKey).then_read(vec![read(key)]);
    answer(&mut revoke.run(command).await?)
}

pub(super) fn read(key: Uuid) -> Statement {
    queries::KEY.bind([("id", bind::id(key))])
}

fn answer(results: &mut ResultSets) -> CommandResult {
    Ok(OperatorAnswer::Key(results.row().map(key).ok_or(Refusal::NoKey)??))
}

pub(super) fn key(mut row: Row) -> Result<KeyRecord, StoreError> {
    Ok(KeyRecord {
        id: row.id()?,
        account_id: row.id()?,
        login_id: row.id()?,
        label: row.optional_text()?,
        last_four: row.text()?,
        scope: row.key_scope()?,
        ends_at: row.optional_time()?,
        created_at: row.time()?,
        last_used_at: row.optional_time()?,
        revoked_at: row.optional_time()?,
    })
}
