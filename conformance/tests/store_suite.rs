//! The store's own suite over each store that needs no host: in memory; SQL in transactions; SQL as
//! D1 runs it, in batches between which others write; and the same where the answer to each commit
//! is lost after it took effect.

#[path = "../../store-sql/tests/support/mod.rs"]
mod support;

use std::{cell::RefCell, collections::BTreeSet};

use matterbook_conformance::store_suite::{StoreUnderTest, cases};
use matterbook_core::{memory::MemoryStore, store::Store};
use matterbook_store_sql::{
    SqlStore,
    driver::{Driver, DriverError, Isolation, Rows, Statement, Value},
};
use support::{Form, Shared, block_on, database};

/// Runs every case; all that fail are told at once.
fn check(under: &impl StoreUnderTest) {
    let mut failures = Vec::new();
    for case in cases() {
        if let Err(failure) = block_on(case.run(under)) {
            failures.push(format!("{} ({}): {failure}", case.name, case.rule));
        }
    }
    assert!(failures.is_empty(), "{} cases failed:\n\n{}", failures.len(), failures.join("\n\n"));
}

struct InMemory;

impl StoreUnderTest for InMemory {
    async fn fresh(&self) -> impl Store {
        MemoryStore::default()
    }
}

#[test]
fn memory_store_holds_every_rule() {
    check(&InMemory);
}

struct InSql(Form);

impl StoreUnderTest for InSql {
    async fn fresh(&self) -> impl Store {
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

struct InSqlLosingAnswers;

impl StoreUnderTest for InSqlLosingAnswers {
    async fn fresh(&self) -> impl Store {
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
