//! The store: every verb of the contract, over one driver.

use std::sync::Arc;

use matterbook_core::{
    account::KeyOwner,
    api::AccountReference,
    client::ClientRef,
    key::{AccountNumber, KeyDigest},
    store::{
        ChangeRequest, ClientPageEnd, ClientPageQuery, HistoryPage, HistoryQuery, LogEntry, OperatorAnswer,
        OperatorCommand, OperatorStore, ProspectPage, ProspectPageQuery, ShowClient, Store, StoreError, StoredResponse,
    },
    time::Timestamp,
};

use crate::{
    LookupHints, bind, change, client_page,
    commit::READ_ATTEMPTS_MAX,
    driver::{Driver, Isolation},
    history, key_owner,
    lookup_hints::Hint,
    operate, prospect_page, queries,
    read::ResultSets,
};

/// A store over a driver. It keeps nothing of its own but hints, so making one is free.
#[derive(Clone, Debug)]
pub struct SqlStore<D> {
    pub(crate) driver: D,
    pub(crate) hints: Arc<LookupHints>,
}

impl<D: Driver> SqlStore<D> {
    /// A store over a database whose migrations are applied.
    pub fn new(driver: D) -> Self {
        Self { driver, hints: Arc::default() }
    }

    /// The store with what others of its kind have seen.
    #[must_use]
    pub fn sharing(self, hints: Arc<LookupHints>) -> Self {
        Self { hints, ..self }
    }

    /// Whether to read again after a failure, after a wait. D1 loses a connection now and then, above all when it
    /// is updated; a file on this machine does not (rule W17).
    async fn reads_again(&self, error: &StoreError, attempt: u32) -> bool {
        self.driver.isolation() == Isolation::Batch
            && matches!(error, StoreError::Failed { .. })
            && attempt < READ_ATTEMPTS_MAX
            && self.driver.back_off(attempt).await
    }

    /// The number of the account that something names; `None` if there is none.
    ///
    /// # Errors
    /// When storage does not answer.
    pub async fn account_number(&self, reference: &AccountReference) -> Result<Option<AccountNumber>, StoreError> {
        let value = match reference {
            AccountReference::Number(number) => return Ok(Some(*number)),
            AccountReference::Account(id) => ("account", bind::id(*id)),
            AccountReference::Login(id) => ("login", bind::id(*id)),
            AccountReference::Key(id) => ("key", bind::id(*id)),
            AccountReference::Link(digest) => ("link", digest.to_text().into()),
            AccountReference::Session(digest) => ("session", digest.to_text().into()),
            AccountReference::Passkey(credential_id) => ("credential_id", credential_id.as_slice().into()),
        };
        let statement = [queries::ACCOUNT_NUMBER.bind([value])];
        let mut attempt = 1;
        let mut results = loop {
            match ResultSets::of(&self.driver, &statement).await {
                Err(error) if self.reads_again(&error, attempt).await => attempt += 1,
                results => break results?,
            }
        };
        let number = results.row().map(|mut row| row.integer()).transpose()?;
        Ok(number.and_then(AccountNumber::from_value))
    }

    /// The driver.
    pub const fn driver(&self) -> &D {
        &self.driver
    }
}

impl<D: Driver> Store for SqlStore<D> {
    type Operator = Self;

    async fn key_owner(&self, key: &KeyDigest, now: Timestamp) -> Result<Option<KeyOwner>, StoreError> {
        let mut attempt = 1;
        let mut results = loop {
            match ResultSets::of(&self.driver, &[key_owner::statement(key, now)]).await {
                Err(error) if self.reads_again(&error, attempt).await => attempt += 1,
                results => break results?,
            }
        };
        let Some(found) = results.row().map(key_owner::live).transpose()? else { return Ok(None) };
        // The first sight of a key: so the first read of its account asks for what it has to.
        if found.has_erased {
            self.hints.set(key, self.hints.of(key).and(Hint { tombstones: true, ..Hint::default() }));
        }
        Ok(Some(found.owner))
    }

    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        let statement = queries::RECORD_USE.bind([("key", key.to_text().into()), ("now", bind::time(now))]);
        ResultSets::of_write(&self.driver, &[statement]).await.map(|_| ())
    }

    async fn change(&self, mut request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        change::change(&self.driver, &self.hints, &mut request).await
    }

    async fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        let mut attempt = 1;
        loop {
            let mut has_shown = false;
            let mut show = |client: ClientRef<'_>| {
                has_shown = true;
                show(client);
            };
            match client_page::page(&self.driver, key, query, &mut show).await {
                Err(error) if !has_shown && self.reads_again(&error, attempt).await => attempt += 1,
                page => return page,
            }
        }
    }

    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        let mut attempt = 1;
        loop {
            match prospect_page::page(&self.driver, key, query).await {
                Err(error) if self.reads_again(&error, attempt).await => attempt += 1,
                page => return page,
            }
        }
    }

    async fn history(&self, key: &KeyDigest, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        let mut attempt = 1;
        loop {
            match history::page(&self.driver, key, query).await {
                Err(error) if self.reads_again(&error, attempt).await => attempt += 1,
                page => return page,
            }
        }
    }

    fn operator(&self) -> Option<&Self> {
        Some(self)
    }
}

impl<D: Driver> OperatorStore for SqlStore<D> {
    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        operate::operate(&self.driver, command, entry).await
    }

    fn database_bytes(&self) -> Option<u64> {
        self.driver.database_bytes()
    }
}
