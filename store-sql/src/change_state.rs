//! By whose right a change is made (S1, S32), and the version of the account, in the unit that decides and in the one
//! that writes.

use matterbook_core::{
    api::answers_since,
    store::{Authority, ChangeOwner, ChangeRequest, IdempotencyRecord, StoreError, StoredResponse},
};

#[cfg(feature = "console")]
use crate::operate::console::session;
use crate::{
    account_version::AccountVersion,
    bind,
    commit::Author,
    driver::{Statement, Value},
    key_owner,
    lookup_hints::Hint,
    queries,
    read::{Row, unexpected},
};

/// What `sql/key_owner.sql` reads, or `sql/change_session.sql`.
#[derive(PartialEq, Eq)]
pub(crate) struct ChangeState {
    /// `false` for a key that was revoked or has ended.
    pub(crate) is_live: bool,
    /// The key's id, as it was read.
    api_key_id: Value,
    pub(crate) owner: ChangeOwner,
    pub(crate) version: AccountVersion,
    /// Whether something waits for review in the account.
    pub(crate) keeps_review: bool,
    /// Whether the request names possible duplicates and the account has any.
    pub(crate) keeps_similar: bool,
    /// The attempt of this request that was applied already.
    pub(crate) earlier_attempt: Option<i64>,
    pub(crate) idempotency_record: Option<IdempotencyRecord>,
}

/// Reads it; no row for an unknown key, or a session that is not open.
pub(crate) fn statement(request: &ChangeRequest) -> Statement {
    let request_id = ("request_id", bind::id(request.request_id));
    let idempotency_key = ("idempotency_key", request.idempotency_key.as_deref().map_or(Value::Null, Value::from));
    let answers_since = ("answers_since", bind::time(answers_since(request.now)));
    let names_similar = ("names_similar", request.names_similar.into());
    match &request.authority {
        Authority::Key(key) => queries::KEY_OWNER.bind([
            ("key", key.to_text().into()),
            ("now", bind::time(request.now)),
            request_id,
            idempotency_key,
            answers_since,
            names_similar,
        ]),
        #[cfg(feature = "console")]
        Authority::Session(authority) => {
            let [session, started_before, used_before] = session::open(&authority.session, request.now);
            let import = ("import", authority.import.map(bind::id).into());
            let used = [session, started_before, used_before, import];
            queries::CHANGE_SESSION.bind([used, [request_id, idempotency_key, answers_since, names_similar]].concat())
        }
    }
}

/// The digest of the key, as queries name it; nothing for a session.
pub(crate) fn key(request: &ChangeRequest) -> Value {
    match request.authority.key() {
        Some(key) => key.to_text().into(),
        None => Value::Null,
    }
}

/// Reads the one row.
pub(crate) fn read(request: &ChangeRequest, row: Row) -> Result<ChangeState, StoreError> {
    match &request.authority {
        Authority::Key(_) => of_key(row),
        #[cfg(feature = "console")]
        Authority::Session(_) => of_session(row),
    }
}

fn of_key(mut row: Row) -> Result<ChangeState, StoreError> {
    Ok(ChangeState {
        is_live: row.flag()?,
        api_key_id: row.value(),
        owner: ChangeOwner::Key(key_owner::owner(&mut row)?),
        version: AccountVersion::read(&mut row)?,
        keeps_review: row.flag()?,
        keeps_similar: row.flag()?,
        earlier_attempt: row.optional_integer()?,
        idempotency_record: idempotency_record(&mut row)?,
    })
}

#[cfg(feature = "console")]
fn of_session(mut row: Row) -> Result<ChangeState, StoreError> {
    let owner = session::read_owner(&mut row)?;
    let (rows, sent_rows, has_ended) = (row.optional_integer()?, row.optional_integer()?, row.flag()?);
    let count = |number: i64| u32::try_from(number).map_err(|_| unexpected("a number of rows"));
    let import = match rows.zip(sent_rows) {
        Some((rows, sent_rows)) => {
            Some(matterbook_core::store::ImportState { rows: count(rows)?, sent_rows: count(sent_rows)?, has_ended })
        }
        None => None,
    };
    Ok(ChangeState {
        is_live: true,
        api_key_id: Value::Null,
        owner: ChangeOwner::Session(Box::new(owner), import),
        version: AccountVersion::read(&mut row)?,
        keeps_review: row.flag()?,
        keeps_similar: row.flag()?,
        earlier_attempt: row.optional_integer()?,
        idempotency_record: idempotency_record(&mut row)?,
    })
}

fn idempotency_record(row: &mut Row) -> Result<Option<IdempotencyRecord>, StoreError> {
    let Some(request_digest) = row.optional_text()? else { return Ok(None) };
    let status = u16::try_from(row.integer()?).map_err(|_| unexpected("a status"))?;
    let response = StoredResponse { status, body: row.text()?, replayed: false };
    Ok(Some(IdempotencyRecord { request_digest, response }))
}

impl ChangeState {
    /// What a lookup for this account asks for.
    pub(crate) const fn hint(&self) -> Hint {
        Hint {
            tombstones: self.version.last_erasure_at.is_some(),
            review: self.keeps_review,
            aliases: self.version.last_alias_at.is_some(),
        }
    }

    /// Who makes the commit of this request.
    #[cfg_attr(not(feature = "console"), expect(unused_variables, reason = "the import is that of a session"))]
    pub(crate) fn author(&self, request: &ChangeRequest) -> Author<'_> {
        match &self.owner {
            ChangeOwner::Key(_) => Author::Key(&self.api_key_id),
            #[cfg(feature = "console")]
            ChangeOwner::Session(owner, _) => {
                let import = match &request.authority {
                    Authority::Session(authority) => authority.import,
                    Authority::Key(_) => None,
                };
                Author::Login(owner.login, import)
            }
        }
    }
}
