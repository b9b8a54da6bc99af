//! Signing in with a link or a passkey (S30, S31).

use matterbook_core::{
    account::Role,
    store::{
        LinkOwner, LogEntry, NewSession, Passkey, SessionOwner, SignIn, SignInAnswer, SignInCommand, SignInRefusal,
        StoreError,
    },
    time::Timestamp,
};
use uuid::Uuid;

use super::session;
use crate::{
    bind,
    driver::{Driver, Statement, Value},
    operate::{
        command::{Command, CommandError},
        write::{Concerns, Write},
    },
    queries,
    read::ResultSets,
};

/// Why there is no session, or what failed.
enum Ended {
    Refused(SignInRefusal),
    Failed(StoreError),
}

impl From<StoreError> for Ended {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

pub(super) async fn sign_in<D: Driver>(driver: &D, sign_in: &SignIn) -> Result<SignInAnswer, StoreError> {
    match answer(driver, sign_in).await {
        Ok(answer) => Ok(answer),
        Err(Ended::Refused(refusal)) => Ok(SignInAnswer::Refused(refusal)),
        Err(Ended::Failed(error)) => Err(error),
    }
}

async fn answer<D: Driver>(driver: &D, sign_in: &SignIn) -> Result<SignInAnswer, Ended> {
    let now = ("now", bind::time(sign_in.now));
    match &sign_in.command {
        SignInCommand::ShowLink { link } => {
            let names = [("link", Value::from(link.to_text())), now];
            Ok(SignInAnswer::Link(link_owner(driver, queries::LINK.bind(names)).await?))
        }
        SignInCommand::UseLink { link, session } => {
            let names = || [("link", Value::from(link.to_text())), now.clone()];
            let LinkOwner { login, email, .. } = link_owner(driver, queries::LINK.bind(names())).await?;
            let require = queries::REQUIRE_LINK.bind(names());
            let use_up = queries::USE_UP_LINK.bind(names());
            begin(driver, sign_in, *session, (login, email), require, use_up).await
        }
        SignInCommand::FindPasskey { credential_id } => {
            Ok(SignInAnswer::Passkey(passkey(driver, credential_id).await?))
        }
        SignInCommand::UsePasskey { credential_id, verified_state, new_state, session } => {
            let Passkey { login, .. } = passkey(driver, credential_id).await?;
            let login_row = queries::LOGIN.bind([("login", bind::id(login))]);
            let found = ResultSets::of(driver, &[login_row]).await?.row();
            let email = match found {
                Some(row) => crate::operate::accounts::login(row)?.email,
                None => return Err(Ended::Refused(SignInRefusal::Unknown)),
            };
            let credential_id = ("credential_id", Value::from(credential_id.as_slice()));
            let require = queries::REQUIRE_PASSKEY
                .bind([credential_id.clone(), ("verified_state", Value::from(verified_state.as_slice()))]);
            let use_it = queries::USE_PASSKEY.bind([credential_id, ("state", new_state.as_slice().into()), now]);
            begin(driver, sign_in, *session, (login, email), require, use_it).await
        }
    }
}

/// Whom a link signs in.
async fn link_owner<D: Driver>(driver: &D, link: Statement) -> Result<LinkOwner, Ended> {
    let mut results = ResultSets::of(driver, &[link]).await?;
    let mut row = results.row().ok_or(Ended::Refused(SignInRefusal::Unknown))?;
    let (login, email, role, expires_at): (Uuid, String, Role, Timestamp) =
        (row.id()?, row.text()?, row.role()?, row.time()?);
    if row.flag()? {
        return Err(Ended::Refused(SignInRefusal::Suspended));
    }
    Ok(LinkOwner { login, email, role, expires_at })
}

async fn passkey<D: Driver>(driver: &D, credential_id: &[u8]) -> Result<Passkey, Ended> {
    let passkey = queries::PASSKEY.bind([("credential_id", credential_id.into())]);
    let mut results = ResultSets::of(driver, &[passkey]).await?;
    let mut row = results.row().ok_or(Ended::Refused(SignInRefusal::Unknown))?;
    let passkey = Passkey { login: row.id()?, state: row.byte_list()? };
    if row.flag()? {
        return Err(Ended::Refused(SignInRefusal::Suspended));
    }
    Ok(passkey)
}

/// Begins a session, in one batch with what the link or passkey comes to.
async fn begin<D: Driver>(
    driver: &D,
    sign_in: &SignIn,
    session: NewSession,
    (login, email): (Uuid, String),
    require: Statement,
    use_it: Statement,
) -> Result<SignInAnswer, Ended> {
    let entry = LogEntry {
        id: sign_in.entry_id,
        at: sign_in.now,
        actor: email,
        action: "session.begin",
        subject: login.to_string(),
        request_id: sign_in.request_id,
        retention: sign_in.retention,
    };
    let begin = queries::BEGIN_SESSION.bind([
        ("session", session.digest.to_text().into()),
        ("id", bind::id(session.id)),
        ("login", bind::id(login)),
        ("now", bind::time(sign_in.now)),
    ]);
    let used_before = SessionOwner::used_before(sign_in.now);
    let forget = queries::FORGET_SESSIONS.bind([("used_before", bind::time(used_before))]);
    let command = Command::by_operator(driver, &entry);
    let write = Write::new(Concerns::Login(login), vec![use_it, begin, forget])
        // Whatever it is, it is gone since it was read.
        .require(require, CommandError::SessionChanged)
        .then_read(vec![session::read(&session.digest, sign_in.now)]);
    let mut results = match write.run(&command).await {
        Ok(results) => results,
        Err(CommandError::Failed(error)) => return Err(Ended::Failed(error)),
        Err(CommandError::SessionChanged | CommandError::Refused(_)) => {
            return Err(Ended::Refused(SignInRefusal::Unknown));
        }
    };
    let owner = results.row().map(session::owner).transpose()?;
    Ok(SignInAnswer::SignedIn(Box::new(owner.ok_or(Ended::Refused(SignInRefusal::Unknown))?)))
}
