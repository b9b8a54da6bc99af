//! Who owns a live key (S1), in the unit that reads.

use matterbook_core::{
    account::{AccountFlags, KeyOwner},
    key::KeyDigest,
    store::StoreError,
    time::Timestamp,
};

use crate::{bind, driver::Statement, queries, read::Row};

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

/// Reads the one row of `sql/live_key_owner.sql`.
pub(crate) fn live(mut row: Row) -> Result<LiveKey, StoreError> {
    Ok(LiveKey { owner: owner(&mut row)?, last_commit_at: row.time()?, has_erased: row.flag()? })
}

/// The owner's columns of both queries.
pub(crate) fn owner(row: &mut Row) -> Result<KeyOwner, StoreError> {
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
