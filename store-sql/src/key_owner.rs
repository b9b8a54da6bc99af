//! Who owns a key (S1), and the version of its account, in the unit that reads or writes.

use matterbook_core::{
    account::{AccountFlags, KeyOwner},
    api::answers_since,
    key::KeyDigest,
    store::{ChangeRequest, IdempotencyRecord, StoreError, StoredResponse},
    time::Timestamp,
};

use crate::{
    account_version::AccountVersion,
    bind,
    driver::{Statement, Value},
    queries,
    read::Row,
};

/// What `sql/key_owner.sql` reads.
#[derive(PartialEq, Eq)]
pub(crate) struct KeyState {
    /// `false` for a key that was revoked or has ended.
    pub(crate) is_live: bool,
    /// The key's id, as it was read.
    pub(crate) api_key_id: Value,
    pub(crate) owner: KeyOwner,
    pub(crate) version: AccountVersion,
    /// The attempt of this request that was applied already.
    pub(crate) earlier_attempt: Option<i64>,
    pub(crate) idempotency_record: Option<IdempotencyRecord>,
}

/// What `sql/live_key_owner.sql` reads: no row for a key that is not live.
pub(crate) struct LiveKey {
    pub(crate) owner: KeyOwner,
    pub(crate) last_commit_at: Timestamp,
    /// The account has erased a client.
    pub(crate) has_erased: bool,
}

/// Who owns the key, if it is live at this time: what a reader needs to know.
pub(crate) fn statement(key: &KeyDigest, now: Timestamp) -> Statement {
    queries::LIVE_KEY_OWNER.bind([("key", key.to_text().into()), ("now", bind::time(now))])
}

/// What a change needs to know as well: whether the request was applied before, and the answer
/// saved under its idempotency key.
pub(crate) fn statement_of(request: &ChangeRequest) -> Statement {
    queries::KEY_OWNER.bind([
        ("key", request.key.to_text().into()),
        ("now", bind::time(request.now)),
        ("request_id", bind::id(request.request_id)),
        ("idempotency_key", request.idempotency_key.as_deref().map_or(Value::Null, Value::from)),
        ("answers_since", bind::time(answers_since(request.now))),
    ])
}

/// Reads the one row of `sql/live_key_owner.sql`.
pub(crate) fn live(mut row: Row) -> Result<LiveKey, StoreError> {
    Ok(LiveKey { owner: owner(&mut row)?, last_commit_at: row.time()?, has_erased: row.flag()? })
}

/// Reads the one row of `sql/key_owner.sql`.
pub(crate) fn read(mut row: Row) -> Result<KeyState, StoreError> {
    Ok(KeyState {
        is_live: row.flag()?,
        api_key_id: row.value(),
        owner: owner(&mut row)?,
        version: AccountVersion::read(&mut row)?,
        earlier_attempt: row.optional_integer()?,
        idempotency_record: idempotency_record(&mut row)?,
    })
}

fn owner(row: &mut Row) -> Result<KeyOwner, StoreError> {
    Ok(KeyOwner {
        account: row.id()?,
        email: row.text()?,
        flags: flags(row)?,
        role: row.role()?,
        last_used_at: row.optional_time()?,
        scope: row.key_scope()?,
        ends_at: row.optional_time()?,
    })
}

/// The four flags of an account, in the order of the queries.
pub(crate) fn flags(row: &mut Row) -> Result<AccountFlags, StoreError> {
    Ok(AccountFlags {
        api_enabled: row.flag()?,
        suspended: row.flag()?,
        digital_bundle: row.flag()?,
        contact_enrichment: row.flag()?,
    })
}

fn idempotency_record(row: &mut Row) -> Result<Option<IdempotencyRecord>, StoreError> {
    let Some(request_digest) = row.optional_text()? else { return Ok(None) };
    let status = u16::try_from(row.integer()?).map_err(|_| crate::read::unexpected("a status"))?;
    let response = StoredResponse { status, body: row.text()?, replayed: false };
    Ok(Some(IdempotencyRecord { request_digest, response }))
}
