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
use matterbook_store_sql::{Looked, SqlStore};

use super::{
    Database,
    at_once::at_once,
    decider,
    driver::ReaderDriver,
    writer::{Outcome, Task},
};
use crate::metrics::Verb;

impl Store for Database {
    async fn holder(&self, key: &KeyDigest) -> Result<Option<Holder>, StoreError> {
        self.holders.holder(key, || {
            let _timed = self.metrics.time(Verb::Holder);
            self.readers.with(|connection| at_once(SqlStore::new(ReaderDriver(connection)).holder(key)))
        })
    }

    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        let _timed = self.metrics.time(Verb::RecordUse);
        self.writer.perform(Task::RecordUse(*key, now)).await.map(|_| ())
    }

    async fn change(&self, request: ChangeRequest) -> Result<Option<Answer>, StoreError> {
        let _timed = self.metrics.time(Verb::Change);
        let account = request.account_hint;
        let looked = if self.unchanging.expects(account) {
            self.decide_at_once(request)?
        } else {
            // Others wait for the writer and for the deciding thread: what either may ask for is made here.
            for want in &request.wants {
                let _ = want.person.hash();
            }
            if self.writer.is_idle()? || request.wants.len() < decider::ROWS_MIN {
                Looked::ToWrite(Box::new(request.into()))
            } else {
                match self.decider.decide(request).await {
                    Ok(looked) => looked?,
                    Err(request) => Looked::ToWrite(Box::new(request.into())),
                }
            }
        };
        let proposal = match looked {
            Looked::Answered(answer) => return Ok(answer),
            Looked::ToWrite(proposal) => proposal,
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
        let _timed = self.metrics.time(Verb::Clients);
        self.readers.with(|connection| at_once(SqlStore::new(ReaderDriver(connection)).clients(key, query, show)))
    }

    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        let _timed = self.metrics.time(Verb::Prospects);
        self.readers.with(|connection| at_once(SqlStore::new(ReaderDriver(connection)).prospects(key, query)))
    }

    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        let _timed = self.metrics.time(Verb::Operate);
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
    /// Decides a change on the last commit, on the thread that answers it.
    fn decide_at_once(&self, request: ChangeRequest) -> Result<Looked, StoreError> {
        let decide = || self.lookers.with(|connection| decider::decide(connection, &self.roster, request));
        catch_unwind(AssertUnwindSafe(decide)).unwrap_or_else(|_| Err(decider::failed("a decision panicked")))
    }
}

fn mixed_up() -> StoreError {
    StoreError::Unknown { cause: "the writer answered another task".to_owned() }
}
