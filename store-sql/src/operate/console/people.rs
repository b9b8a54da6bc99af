//! Sessions and passkeys (S31, S33, S34).

use matterbook_core::{
    account::Role,
    store::{ConsoleAnswer, ConsoleRefusal, NewPasskey, PasskeyRecord, SessionRecord},
};
use uuid::Uuid;

use super::{Answered, Asked, Denied, session};
use crate::{
    bind,
    driver::{Driver, DriverError, Statement},
    operate::{
        accounts,
        command::Command,
        write::{Concerns, Write},
    },
    queries,
};

/// The most sessions of a login that are listed.
const SESSIONS_SHOWN: u32 = 100;

pub(super) async fn sessions<D: Driver>(asked: &Asked<'_, D>) -> Answered {
    let [_, started_before, used_before] = session::open(&asked.request.session, asked.request.now);
    let names = [("login", bind::id(asked.owner.login)), started_before, used_before, ("rows", SESSIONS_SHOWN.into())];
    let mut results = asked.read(vec![queries::SESSIONS_OF_LOGIN.bind(names)]).await?;
    let session = |mut row: crate::read::Row| {
        Ok::<_, Denied>(SessionRecord { id: row.id()?, started_at: row.time()?, used_at: row.time()? })
    };
    Ok(ConsoleAnswer::Sessions(results.rows().map(session).collect::<Result<_, _>>()?))
}

pub(super) async fn passkeys<D: Driver>(asked: &Asked<'_, D>, login: Uuid) -> Answered {
    let names = || [("login", bind::id(login))];
    let batch = vec![queries::LOGIN.bind(names()), queries::PASSKEYS_OF_LOGIN.bind(names())];
    let mut results = asked.read(batch).await?;
    let found = results.row().map(accounts::login).transpose()?;
    found.filter(|login| login.account_id == asked.owner.account).ok_or(ConsoleRefusal::NoLogin)?;
    let passkey = |mut row: crate::read::Row| {
        Ok::<_, Denied>(PasskeyRecord {
            id: row.id()?,
            credential_id: row.byte_list()?,
            name: row.text()?,
            created_at: row.time()?,
            last_used_at: row.optional_time()?,
        })
    };
    Ok(ConsoleAnswer::Passkeys(results.rows().map(passkey).collect::<Result<_, _>>()?))
}

pub(super) async fn add_passkey<D: Driver>(
    command: &Command<'_, D>,
    asked: &Asked<'_, D>,
    passkey: &NewPasskey,
) -> Answered {
    let credential_id = || ("credential_id", passkey.credential_id.as_slice().into());
    let add = queries::ADD_PASSKEY.bind([
        credential_id(),
        ("id", bind::id(passkey.id)),
        ("login", bind::id(asked.owner.login)),
        ("state", passkey.state.as_slice().into()),
        ("name", passkey.name.as_str().into()),
        ("now", bind::time(asked.request.now)),
    ]);
    let require = queries::REQUIRE_NEW_PASSKEY.bind([credential_id()]);
    change(command, asked, require, ConsoleRefusal::KnownPasskey, add).await
}

pub(super) async fn rename_passkey<D: Driver>(
    command: &Command<'_, D>,
    asked: &Asked<'_, D>,
    id: Uuid,
    name: &str,
) -> Answered {
    let names = || [("passkey", bind::id(id)), ("login", bind::id(asked.owner.login)), ("name", name.into())];
    let require = queries::REQUIRE_OWN_PASSKEY.bind(names());
    change(command, asked, require, ConsoleRefusal::NoPasskey, queries::RENAME_PASSKEY.bind(names())).await
}

pub(super) async fn remove_passkey<D: Driver>(command: &Command<'_, D>, asked: &Asked<'_, D>, id: Uuid) -> Answered {
    let owner = asked.owner;
    let found = queries::LOGIN_OF_PASSKEY.bind([("passkey", bind::id(id))]);
    let login = asked.read(vec![found]).await?.row().map(accounts::login).transpose()?;
    let may_remove =
        |login: Uuid, account: Uuid| login == owner.login || owner.role == Role::Owner && account == owner.account;
    let login = login.filter(|login| may_remove(login.id, login.account_id)).ok_or(ConsoleRefusal::NoPasskey)?;
    let names = || [("passkey", bind::id(id)), ("login", bind::id(login.id))];
    let (require, refusal) = if login.id == owner.login {
        (queries::REQUIRE_OTHER_PASSKEY.bind(names()), ConsoleRefusal::LastWayIn)
    } else {
        (queries::REQUIRE_OWN_PASSKEY.bind(names()), ConsoleRefusal::NoPasskey)
    };
    change(command, asked, require, refusal, queries::REMOVE_PASSKEY.bind(names())).await
}

/// Writes a change of passkeys. The requirement is run alone first, so that its refusal is told from others; the
/// batch requires it again.
async fn change<D: Driver>(
    command: &Command<'_, D>,
    asked: &Asked<'_, D>,
    require: Statement,
    refusal: ConsoleRefusal,
    change: Statement,
) -> Answered {
    match asked.driver.run(std::slice::from_ref(&require)).await {
        Err(DriverError::Constraint(_)) => return Err(refusal.into()),
        Err(error) => return Err(matterbook_core::store::StoreError::from(error).into()),
        Ok(_) => {}
    }
    Write::new(Concerns::Account(asked.owner.account), vec![require, change]).run(command).await?;
    Ok(ConsoleAnswer::Done)
}
