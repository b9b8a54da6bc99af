//! The store of the native host: reads at once on their own connections, writes through the one
//! writing thread.

use std::panic::{AssertUnwindSafe, catch_unwind};

use matterbook_core::{
    account::Holder,
    key::KeyDigest,
    store::{
        Answer, ChangeRequest, ClientPageEnd, ClientPageQuery, LogEntry, OperatorAnswer, OperatorCommand, ProspectPage,
        ProspectPageQuery, ShowClient, Store, StoreError,
    },
    time::Timestamp,
};
use matterbook_store_sql::{Looked, Proposal, SqlStore};

use super::{
    Database,
    at_once::at_once,
    driver::{Failure, ReaderDriver, TransactionDriver, in_read_transaction},
    writer::{Outcome, Task},
};

impl Store for Database {
    async fn holder(&self, key: &KeyDigest) -> Result<Option<Holder>, StoreError> {
        self.holders.holder(key, || {
            self.readers.with(|connection| at_once(SqlStore::new(ReaderDriver(connection)).holder(key)))
        })
    }

    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        self.writer.perform(Task::RecordUse(*key, now)).await.map(|_| ())
    }

    async fn change(&self, request: ChangeRequest) -> Result<Option<Answer>, StoreError> {
        let account = request.account_hint;
        // While the writer is at work, a look and a decision are made beside it: one at a time, so that of the
        // threads that answer one is busy with them, and whoever asks for little does not wait for several.
        let is_unchanging = self.unchanging.expects(account);
        let proposal = {
            let turn = if is_unchanging || self.writer.is_idle()? { None } else { self.deciding.try_lock().ok() };
            if is_unchanging || turn.is_some() {
                match self.propose(request)? {
                    Looked::Answered(answer) => return Ok(answer),
                    Looked::ToWrite(proposal) => proposal,
                }
            } else {
                Box::new(Proposal::from(request))
            }
        };
        match self.writer.perform(Task::Change(proposal)).await? {
            Outcome::Changed(answer, has_written, _proposal) => {
                self.unchanging.learn(account, has_written);
                Ok(answer)
            }
            _ => Err(mixed_up()),
        }
    }

    async fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        self.readers.with(|connection| at_once(SqlStore::new(ReaderDriver(connection)).clients(key, query, show)))
    }

    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        self.readers.with(|connection| at_once(SqlStore::new(ReaderDriver(connection)).prospects(key, query)))
    }

    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        if command.is_read() {
            return self
                .readers
                .with(|connection| at_once(SqlStore::new(ReaderDriver(connection)).operate(command, entry)));
        }
        match self.writer.perform(Task::Operate(command, entry)).await? {
            Outcome::Operated(answer) => Ok(*answer),
            _ => Err(mixed_up()),
        }
    }
}

impl Database {
    /// Decides a change on the last commit, beside the writer.
    fn propose(&self, request: ChangeRequest) -> Result<Looked, StoreError> {
        let work = AssertUnwindSafe(|| {
            self.deciders.with(|connection| {
                let look = || at_once(SqlStore::new(TransactionDriver(connection)).propose(request)).map_err(Failure);
                in_read_transaction(connection, look).map_err(|Failure(error)| error)
            })
        });
        let panicked = |_| Err(StoreError::Failed { cause: "a decision panicked".to_owned() });
        catch_unwind(work).unwrap_or_else(panicked)
    }
}

fn mixed_up() -> StoreError {
    StoreError::Unknown { cause: "the writer answered another task".to_owned() }
}
