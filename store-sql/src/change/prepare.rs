//! A change that is decided on a reader, so that the one writer only has to write it (S5): `prepare` is the reader's half,
//! `write` the writer's.
//!
//! The writer reads the key or session and the account's version again in its transaction. Where both are the same, so is
//! everything that the decision read, but for possible duplicates (S40): every commit of an account changes its version.

use matterbook_core::store::{ChangeRequest, Decided, StoreError, StoredResponse};
use uuid::Uuid;

use super::{Written, apply_in_transaction, change_in_transaction, decide};
use crate::{
    FingerprintCache, SqlStore,
    change_state::{self, ChangeState},
    driver::Driver,
    read::ResultSets,
};

/// What preparing a change came to.
pub enum Preparation {
    /// Nothing has to be written; no answer for a key that is not live, or a session that is not open.
    Answered(Option<StoredResponse>),
    /// The writer has to write it.
    ToWrite(Box<Prepared>),
}

/// A change on its way to the writer, decided already or not.
pub struct Prepared {
    request: ChangeRequest,
    /// What was decided, and the state of the key or session and its account that it was decided on.
    decision: Option<(ChangeState, Decided)>,
}

impl From<ChangeRequest> for Prepared {
    /// A change that the writer is to decide.
    fn from(request: ChangeRequest) -> Self {
        Self { request, decision: None }
    }
}

impl Prepared {
    /// The account that the change waits for, for fair queueing.
    #[must_use]
    pub const fn account(&self) -> Uuid {
        self.request.account_hint
    }

    /// The number of clients in it.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.request.lookup_keys.len()
    }
}

impl<D: Driver> SqlStore<D> {
    /// Decides a change without writing anything. The driver's batches have to see one state of the database, as
    /// within one read transaction.
    ///
    /// # Errors
    /// As [`Store::change`](matterbook_core::store::Store::change).
    pub async fn prepare(
        &self,
        cache: &FingerprintCache,
        mut request: ChangeRequest,
    ) -> Result<Preparation, StoreError> {
        let decision = decide(&self.driver, &self.hints, Some(cache), &mut request).await?;
        let Some((state, decided)) = decision else { return Ok(Preparation::Answered(None)) };
        if decided.change_set.is_empty() || state.earlier_attempt.is_some() {
            return Ok(Preparation::Answered(Some(decided.response)));
        }
        Ok(Preparation::ToWrite(Box::new(Prepared { request, decision: Some((state, decided)) })))
    }

    /// Writes a prepared change within a transaction that excludes other writers. It is decided again where the
    /// key or the account has changed since.
    ///
    /// # Errors
    /// As [`Store::change`](matterbook_core::store::Store::change).
    pub async fn write(&self, prepared: Prepared) -> Result<Written, StoreError> {
        let Prepared { mut request, decision } = prepared;
        if let Some((decided_on, decided)) = decision {
            let mut results = ResultSets::of(&self.driver, &[change_state::statement(&request)]).await?;
            let Some(row) = results.row() else { return Ok(Written::default()) };
            let now = change_state::read(&request, row)?;
            if now == decided_on {
                return apply_in_transaction(&self.driver, &request, &now, decided).await;
            }
        }
        change_in_transaction(&self.driver, &self.hints, &mut request).await
    }
}
