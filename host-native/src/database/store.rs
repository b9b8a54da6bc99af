//! The store of the native host: reads on pooled connections, writes through the one writing thread.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use futures_util::FutureExt as _;
use matterbook_core::{
    account::KeyOwner,
    key::KeyDigest,
    store::{
        ChangeRequest, ClientPageEnd, ClientPageQuery, HistoryPage, HistoryQuery, LogEntry, OperatorAnswer,
        OperatorCommand, OperatorStore, ProspectPage, ProspectPageQuery, ShowClient, Store, StoreError, StoredResponse,
    },
    time::Timestamp,
};
use matterbook_store_sql::{Preparation, SqlStore, Written};
use rusqlite::Connection;
use uuid::Uuid;

use super::{
    Database,
    driver::{ReaderDriver, TransactionDriver, in_read_transaction},
    writer::{Task, Writer},
};

/// From so many clients on a change is decided on a reader, while the writer works. The writer decides a smaller one
/// sooner than it is handed over.
const PREPARED_ROWS_MIN: usize = 50;

impl Store for Database {
    type Operator = Self;

    async fn key_owner(&self, key: &KeyDigest, now: Timestamp) -> Result<Option<KeyOwner>, StoreError> {
        self.readers.with(|reader| {
            reader.key_owners.get(&reader.connection, key, now, || {
                let _timed = self.metrics.key_owner.time();
                complete(SqlStore::new(ReaderDriver(&reader.connection)).key_owner(key, now))
            })
        })
    }

    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        if self.is_copy() {
            return Ok(());
        }
        let _timed = self.metrics.record_use.time();
        let key = *key;
        let task = Task { account: Uuid::nil(), rows: 1, is_erasure: false };
        self.writer()?.perform(task, move |connection| complete(writing(connection).record_use(&key, now))).await
    }

    async fn change(&self, request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        let writer = self.writer()?;
        let _timed = self.metrics.change.time();
        let prepared = if request.lookup_keys.len() < PREPARED_ROWS_MIN {
            Box::new(request.into())
        } else {
            match self.prepare(request).await? {
                Preparation::Answered(response) => return Ok(response),
                Preparation::ToWrite(prepared) => prepared,
            }
        };
        let task = Task { account: prepared.account(), rows: prepared.rows(), is_erasure: false };
        let write = |connection: &Connection| complete(writing(connection).write(*prepared));
        let Written { response, cache_update } = writer.perform(task, write).await?;
        if let Some(update) = cache_update {
            self.cache.apply(update);
        }
        Ok(response)
    }

    async fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        let _timed = self.metrics.clients.time();
        self.readers.with(|reader| complete(SqlStore::new(ReaderDriver(&reader.connection)).clients(key, query, show)))
    }

    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        let _timed = self.metrics.prospects.time();
        self.readers.with(|reader| complete(SqlStore::new(ReaderDriver(&reader.connection)).prospects(key, query)))
    }

    async fn history(&self, key: &KeyDigest, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        let _timed = self.metrics.clients.time();
        self.readers.with(|reader| complete(SqlStore::new(ReaderDriver(&reader.connection)).history(key, query)))
    }

    fn operator(&self) -> Option<&Self> {
        Some(self)
    }

    fn problem(&self) -> Option<&'static str> {
        self.health.problem()
    }

    fn copied_until(&self) -> Option<Timestamp> {
        self.is_copy().then(|| self.newest_change_at().ok().flatten().unwrap_or(Timestamp::from_micros(0)))
    }
}

impl OperatorStore for Database {
    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        let _timed = self.metrics.operate.time();
        if command.is_read() {
            return self
                .readers
                .with(|reader| complete(SqlStore::new(ReaderDriver(&reader.connection)).operate(command, entry)));
        }
        let (rows, is_erasure) = match &command {
            OperatorCommand::ImportProspects { prospects } => (prospects.len(), false),
            OperatorCommand::ImportAccountRows { rows, .. } => (rows.len(), false),
            OperatorCommand::EraseClient { .. } | OperatorCommand::EraseProspect { .. } => (1, true),
            _ => (1, false),
        };
        // The operator's commands have one turn together.
        let task = Task { account: Uuid::nil(), rows, is_erasure };
        self.writer()?.perform(task, |connection| complete(writing(connection).operate(command, entry))).await
    }
}

impl Database {
    /// Reads on a pooled connection.
    pub(super) fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.readers.with(|reader| read(&reader.connection))
    }

    /// Has the work of a task done by the writer, and committed.
    pub(super) async fn write<T: 'static + Send>(
        &self,
        task: Task,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer()?.perform(task, work).await
    }

    fn writer(&self) -> Result<&Writer, StoreError> {
        self.writer.as_ref().ok_or(StoreError::ReadOnly)
    }

    /// Decides a change on the last commit, on a blocking thread.
    async fn prepare(&self, request: ChangeRequest) -> Result<Preparation, StoreError> {
        self.writer()?.require_room()?;
        let permit = Arc::clone(&self.preparing).acquire_owned().await.map_err(|error| failed(&error))?;
        let (readers, cache) = (Arc::clone(&self.readers), Arc::clone(&self.cache));
        let prepare = move || {
            let prepared = catch_unwind(AssertUnwindSafe(|| {
                readers.with(|reader| {
                    let store = SqlStore::new(TransactionDriver(&reader.connection));
                    in_read_transaction(&reader.connection, || complete(store.prepare(&cache, request)))
                })
            }));
            drop(permit);
            prepared.unwrap_or_else(|_| Err(failed(&"a decision panicked")))
        };
        tokio::task::spawn_blocking(prepare).await.unwrap_or_else(|error| Err(failed(&error)))
    }
}

/// The output of a future over a driver that calls SQLite directly, which never waits.
pub(super) fn complete<T>(future: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    future.now_or_never().unwrap_or_else(|| Err(failed(&"a call of SQLite waited")))
}

pub(super) fn failed(cause: &impl ToString) -> StoreError {
    StoreError::Failed { cause: cause.to_string() }
}

/// The store within the writer's transaction.
pub(super) fn writing(connection: &Connection) -> SqlStore<TransactionDriver<'_>> {
    SqlStore::new(TransactionDriver(connection))
}
