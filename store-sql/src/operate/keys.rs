//! API keys.

use matterbook_core::{
    account::{KeyRecord, Login, Role},
    key::KeyDigest,
    store::{LogEntry, OperatorAnswer, Refusal, StoreError},
};
use uuid::Uuid;

use super::{
    accounts,
    step::{Outcome, Step, Task},
    write::Write,
};
use crate::{
    bind,
    driver::Statement,
    queries,
    read::{Results, Row},
};

pub(super) fn create(id: Uuid, account: Uuid, login: Option<Uuid>, label: Option<String>, digest: KeyDigest) -> Step {
    Step::read(accounts::account_and_all(account), move |task, results| {
        let logins = accounts::one(results)?.logins;
        // A login that stops being an owner's at this very moment created the key just before: its key
        // goes on as the login's other keys do.
        let create = queries::CREATE_KEY.bind([
            ("id", bind::id(id)),
            ("login", bind::id(owner(&logins, login)?)),
            ("digest", digest.to_text().into()),
            ("label", label.into()),
            ("at", bind::time(task.entry.at)),
        ]);
        Ok(Write::new(vec![create]).show(vec![show(id)]).then(&task.entry, read))
    })
}

/// The login that creates a key.
fn owner(logins: &[Login], login: Option<Uuid>) -> Result<Uuid, Refusal> {
    let login = match login {
        Some(id) => logins.iter().find(|login| login.id == id).ok_or(Refusal::NoLogin)?,
        None => logins.iter().find(|login| login.role == Role::Owner).ok_or(Refusal::NoOwner)?,
    };
    if login.role == Role::Owner { Ok(login.id) } else { Err(Refusal::NotOwner) }
}

pub(super) fn list(account: Uuid) -> Step {
    let account = || ("account", bind::id(account));
    let batch = vec![queries::ACCOUNT.bind([account()]), queries::KEYS_OF_ACCOUNT.bind([account()])];
    Step::read(batch, |_, results| {
        results.row().ok_or(Refusal::NoAccount)?;
        Ok(Step::Done(OperatorAnswer::Keys(results.rows().map(key).collect::<Result<_, _>>()?)))
    })
}

pub(super) fn revoke(key: Uuid, entry: &LogEntry) -> Step {
    let require = queries::REQUIRE_KEY.bind([("id", bind::id(key))]);
    let revoke = queries::REVOKE_KEY.bind([("id", bind::id(key)), ("at", bind::time(entry.at))]);
    Write::new(vec![revoke]).require(require, Refusal::NoKey).show(vec![show(key)]).then(entry, read)
}

fn show(key: Uuid) -> Statement {
    queries::KEY.bind([("id", bind::id(key))])
}

fn read(_: &Task, results: &mut Results) -> Outcome {
    Ok(Step::Done(OperatorAnswer::Key(results.row().map(key).ok_or(Refusal::NoKey)??)))
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
