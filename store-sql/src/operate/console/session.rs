//! The session of a request (S32), and how it guards a batch that writes.

use matterbook_core::{
    key::AccountNumber,
    sign_in::SessionDigest,
    store::{SessionOwner, StoreError},
    time::Timestamp,
};

use crate::{
    bind,
    driver::{Statement, Value},
    key_owner::flags,
    queries,
    read::{Row, unexpected},
};

/// The parameters of the shared text `session_is_open`.
pub(crate) fn open(session: &SessionDigest, now: Timestamp) -> [(&'static str, Value); 3] {
    [
        ("session", session.to_text().into()),
        ("started_before", bind::time(SessionOwner::started_before(now))),
        ("used_before", bind::time(SessionOwner::used_before(now))),
    ]
}

/// Reads who asks; no row for a session that is not open.
pub(super) fn read(session: &SessionDigest, now: Timestamp) -> Statement {
    queries::SESSION.bind(open(session, now))
}

/// Fails the batch where the session opens something else than when its owner was read.
pub(crate) fn require(session: &SessionDigest, now: Timestamp, owner: &SessionOwner) -> Statement {
    let [session, started_before, used_before] = open(session, now);
    queries::REQUIRE_SESSION.bind([
        session,
        started_before,
        used_before,
        ("role", owner.role.name().into()),
        ("api_enabled", owner.flags.api_enabled.into()),
    ])
}

/// The row of [`read`].
pub(super) fn owner(mut row: Row) -> Result<SessionOwner, StoreError> {
    read_owner(&mut row)
}

/// The first values of the row of [`read`].
pub(crate) fn read_owner(row: &mut Row) -> Result<SessionOwner, StoreError> {
    Ok(SessionOwner {
        session: row.id()?,
        started_at: row.time()?,
        used_at: row.time()?,
        is_suspended: row.flag()?,
        login: row.id()?,
        email: row.text()?,
        role: row.role()?,
        account: row.id()?,
        account_number: AccountNumber::from_value(row.integer()?).ok_or_else(|| unexpected("an account's number"))?,
        account_email: row.text()?,
        flags: flags(row)?,
    })
}
