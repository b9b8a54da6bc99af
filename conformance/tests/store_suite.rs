//! The store's own suite over each store that needs no host: in memory; SQL in transactions; SQL as
//! D1 runs it, in batches between which others write; and the same where the answer to each commit
//! is lost after it took effect.

use std::{cell::RefCell, collections::BTreeSet};

use crate::support::{Form, Shared, block_on, database};
use matterbook_core::{
    account::KeyOwner,
    key::KeyDigest,
    memory::MemoryStore,
    store::{
        BoxedStore, ChangeRequest, ClientPageEnd, ClientPageQuery, HistoryPage, HistoryQuery, LogEntry, OperatorAnswer,
        OperatorCommand, OperatorStore, ProspectPage, ProspectPageQuery, ShowClient, Store, StoreError, StoredResponse,
    },
    time::Timestamp,
};
use matterbook_store_sql::{
    SqlStore,
    driver::{Driver, DriverError, Isolation, Rows, Statement, Value},
};
use matterbook_store_suite::{Part, StoreUnderTest, cases};

/// Runs every case; all that fail are told at once.
fn check(under: &impl StoreUnderTest) {
    check_parts(under, &[Part::Clients, Part::Prospects, Part::Operator]);
}

/// Runs the cases of some parts.
fn check_parts(under: &impl StoreUnderTest, parts: &[Part]) {
    let mut failures = Vec::new();
    for case in cases().into_iter().filter(|case| parts.contains(&case.part)) {
        if let Err(failure) = block_on(case.run(under)) {
            failures.push(format!("{} ({}): {failure}", case.name, case.rule));
        }
    }
    assert!(failures.is_empty(), "{} cases failed:\n\n{}", failures.len(), failures.join("\n\n"));
}

struct InMemory;

impl StoreUnderTest for InMemory {
    async fn fresh(&self) -> impl Store + OperatorStore {
        MemoryStore::default()
    }
}

#[test]
fn memory_store_holds_every_rule() {
    check(&InMemory);
}

struct Boxed;

impl StoreUnderTest for Boxed {
    async fn fresh(&self) -> impl Store + OperatorStore {
        BoxedStore::new(MemoryStore::default())
    }
}

#[test]
fn boxed_store_holds_every_rule() {
    check(&Boxed);
}

struct InSql(Form);

impl StoreUnderTest for InSql {
    async fn fresh(&self) -> impl Store + OperatorStore {
        SqlStore::new(Shared::new(&database(), self.0))
    }
}

#[test]
fn sql_store_in_transactions_holds_every_rule() {
    check(&InSql(Form::Rows));
}

#[test]
fn sql_store_in_batches_holds_every_rule() {
    check(&InSql(Form::Set));
}

/// A store without an operator's half: its tests make accounts and keys, and no more.
struct DataOnly {
    memory: MemoryStore,
    stages: fn(&OperatorCommand) -> bool,
}

impl Store for DataOnly {
    type Operator = Self;

    async fn key_owner(&self, key: &KeyDigest, now: Timestamp) -> Result<Option<KeyOwner>, StoreError> {
        self.memory.key_owner(key, now).await
    }

    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        self.memory.record_use(key, now).await
    }

    async fn change(&self, request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        self.memory.change(request).await
    }

    async fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        self.memory.clients(key, query, show).await
    }

    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        self.memory.prospects(key, query).await
    }

    async fn history(&self, key: &KeyDigest, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        self.memory.history(key, query).await
    }
}

impl OperatorStore for DataOnly {
    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        if (self.stages)(&command) {
            return self.memory.operate(command, entry).await;
        }
        Err(StoreError::Failed { cause: format!("this store has no {command:?}") })
    }
}

struct Staged(fn(&OperatorCommand) -> bool);

impl StoreUnderTest for Staged {
    async fn fresh(&self) -> impl Store + OperatorStore {
        DataOnly { memory: MemoryStore::default(), stages: self.0 }
    }
}

const fn makes_accounts(command: &OperatorCommand) -> bool {
    matches!(
        command,
        OperatorCommand::CreateAccount { .. }
            | OperatorCommand::SetAccount { .. }
            | OperatorCommand::SetRole { .. }
            | OperatorCommand::CreateKey { .. }
            | OperatorCommand::RevokeKey { .. }
    )
}

const fn makes_prospects(command: &OperatorCommand) -> bool {
    makes_accounts(command)
        || matches!(
            command,
            OperatorCommand::GrantCounty { .. }
                | OperatorCommand::RevokeCounty { .. }
                | OperatorCommand::ImportProspects { .. }
                | OperatorCommand::EraseProspect { .. }
        )
}

#[test]
fn cases_of_a_part_give_only_the_commands_of_its_list() {
    check_parts(&Staged(makes_accounts), &[Part::Clients]);
    check_parts(&Staged(makes_prospects), &[Part::Clients, Part::Prospects]);
}

#[test]
fn store_that_does_not_hand_out_its_operators_half_is_noticed() {
    let case = cases().into_iter().find(|case| case.name == "operator_is_handed_out").expect("a case");
    assert!(block_on(case.run(&Staged(|_| true))).is_err());
}

struct InSqlLosingAnswers;

impl StoreUnderTest for InSqlLosingAnswers {
    async fn fresh(&self) -> impl Store + OperatorStore {
        let sound = Shared::new(&database(), Form::Set);
        SqlStore::new(LosesAnswers { sound, lost: RefCell::default() })
    }
}

#[test]
fn sql_store_that_loses_answers_holds_every_rule() {
    check(&InSqlLosingAnswers);
}

/// Applies each commit of clients and each command of the operator, and loses its answer, once for
/// each request.
struct LosesAnswers {
    sound: Shared,
    /// The ids of requests whose answer was lost.
    lost: RefCell<BTreeSet<String>>,
}

impl Driver for LosesAnswers {
    fn isolation(&self) -> Isolation {
        self.sound.isolation()
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        let rows = self.sound.run(batch).await?;
        let request = batch.iter().find_map(request_of_write);
        if request.is_some_and(|request| self.lost.borrow_mut().insert(request)) {
            return Err(DriverError::Failed("the answer was lost".to_owned()));
        }
        Ok(rows)
    }

    async fn back_off(&self, attempt: u32) -> bool {
        // Requests at once lose their answers one after another, and each wants to look again.
        attempt < 30
    }
}

/// The id of the request whose commit or command a statement records.
fn request_of_write(statement: &Statement) -> Option<String> {
    let place = statement.query.parameters.iter().position(|name| name == "request_id");
    let record = Some(statement).filter(|statement| ["record_commit", "log_entry"].contains(&statement.query.name))?;
    match record.rows().next()?.get(place?)? {
        request @ Value::Id(_) => Some(request.digits().into()),
        _ => None,
    }
}
