//! The store suite's cases of a transfer between the forms of the SQL store, and stores that break their rule.

use std::cell::Cell;

use crate::support::{Form, Shared, block_on, database};
use matterbook_core::{
    account::KeyOwner,
    key::KeyDigest,
    memory::MemoryStore,
    store::{
        ChangeRequest, ClientPageEnd, ClientPageQuery, HistoryPage, HistoryQuery, LogEntry, OperatorAnswer,
        OperatorCommand, OperatorStore, ProspectPage, ProspectPageQuery, Refusal, ShowClient, Store, StoreError,
        StoredResponse,
    },
    time::Timestamp,
};
use matterbook_store_sql::SqlStore;
use matterbook_store_suite::{StoreUnderTest, transfer_cases};

/// A store that edits the operator's commands and their answers. It knows how many rows of an import were received.
struct Edited {
    sound: SqlStore<Shared>,
    received_rows: Cell<i64>,
    command: fn(&mut OperatorCommand, i64),
    answer: fn(&mut OperatorAnswer),
}

impl Store for Edited {
    type Operator = Self;

    async fn key_owner(&self, key: &KeyDigest, now: Timestamp) -> Result<Option<KeyOwner>, StoreError> {
        self.sound.key_owner(key, now).await
    }

    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        self.sound.record_use(key, now).await
    }

    async fn change(&self, request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        self.sound.change(request).await
    }

    async fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        self.sound.clients(key, query, show).await
    }

    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        self.sound.prospects(key, query).await
    }

    async fn history(&self, key: &KeyDigest, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        self.sound.history(key, query).await
    }
}

impl OperatorStore for Edited {
    async fn operate(&self, mut command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        (self.command)(&mut command, self.received_rows.get());
        let mut answer = self.sound.operate(command, entry).await?;
        if let OperatorAnswer::AccountImport(state) = &answer {
            self.received_rows.set(state.received_rows);
        }
        (self.answer)(&mut answer);
        Ok(answer)
    }
}

/// A kind of [`Edited`] store.
struct Kind {
    form: Form,
    command: fn(&mut OperatorCommand, i64),
    answer: fn(&mut OperatorAnswer),
}

impl Kind {
    const fn sound(form: Form) -> Self {
        Self { form, command: |_, _| (), answer: |_| () }
    }
}

impl StoreUnderTest for Kind {
    async fn fresh(&self) -> impl Store + OperatorStore {
        let sound = SqlStore::new(Shared::new(&database(), self.form));
        Edited { sound, received_rows: Cell::new(0), command: self.command, answer: self.answer }
    }
}

#[test]
fn every_pair_of_forms_holds_the_rule_of_transfers() {
    let mut failures = Vec::new();
    for (from, to) in [(Form::Rows, Form::Set), (Form::Set, Form::Rows), (Form::Set, Form::Set)] {
        for case in transfer_cases() {
            if let Err(failure) = block_on(case.run(&Kind::sound(from), &Kind::sound(to))) {
                failures.push(format!("{} from {from:?} to {to:?}: {failure}", case.name));
            }
        }
    }
    assert!(failures.is_empty(), "{} cases failed:\n\n{}", failures.len(), failures.join("\n\n"));
}

/// The case that has to notice each fault.
#[test]
fn every_store_that_breaks_the_rule_of_transfers_is_noticed() {
    let command = |command| Kind { command, ..Kind::sound(Form::Set) };
    let answer = |answer| Kind { answer, ..Kind::sound(Form::Set) };
    let broken = [
        (
            "s25_imported_account_is_the_same",
            answer(|answer| {
                if let OperatorAnswer::Exported(page) = answer {
                    page.rows.iter_mut().for_each(|row| *row = row.replace("Springfield", "Chicago"));
                }
            }),
        ),
        (
            "s25_suspended_account_stays_suspended",
            answer(|answer| {
                if let OperatorAnswer::Exported(page) = answer {
                    page.head.iter_mut().for_each(|head| head.is_suspended = false);
                }
            }),
        ),
        (
            "s25_account_is_suspended_until_its_import_ends",
            answer(|answer| {
                if let OperatorAnswer::Account(account) = answer {
                    account.flags.suspended = false;
                }
            }),
        ),
        (
            "s25_rows_that_do_not_begin_at_the_count_save_nothing",
            command(|command, received_rows| {
                if let OperatorCommand::ImportAccountRows { from, .. } = command {
                    *from = received_rows;
                }
            }),
        ),
        (
            "s25_import_goes_on_where_it_was_interrupted",
            answer(|answer| {
                if let OperatorAnswer::AccountImport(state) = answer {
                    state.is_done = true;
                }
            }),
        ),
        (
            "s25_rows_of_another_digest_do_not_end_the_import",
            command(|command, _| {
                if let OperatorCommand::ImportAccountRows { rows, .. } = command {
                    rows.truncate(2);
                    rows.retain(|row| !row.contains("Springfield"));
                }
            }),
        ),
        (
            "s25_discarded_import_makes_room_for_another",
            answer(|answer| {
                if let OperatorAnswer::AccountImport(state) = answer {
                    state.received_rows = 0;
                }
            }),
        ),
        (
            "s25_begin_and_end_of_an_import_are_logged_its_rows_not",
            answer(|answer| {
                if let OperatorAnswer::Log(records, _) = answer {
                    records.retain(|record| record.action != "account.import");
                }
            }),
        ),
        (
            "s25_change_during_an_export_shows_in_its_version",
            answer(|answer| {
                if let OperatorAnswer::Exported(page) = answer {
                    page.version = "1".to_owned();
                }
            }),
        ),
        (
            "s25_account_that_exists_is_not_imported",
            answer(|answer| {
                if *answer == OperatorAnswer::Refused(Refusal::AccountExists) {
                    *answer = OperatorAnswer::Refused(Refusal::NoAccount);
                }
            }),
        ),
    ];
    assert_eq!(broken.len(), transfer_cases().len(), "each case has a store that breaks its rule");
    let mut unnoticed = Vec::new();
    for case in transfer_cases() {
        let (_, kind) = broken.iter().find(|(name, _)| *name == case.name).expect("a store that it notices");
        match block_on(case.run(kind, kind)) {
            Err(failure) => println!("{}: {failure}\n", case.name),
            Ok(()) => unnoticed.push(case.name),
        }
    }
    assert!(unnoticed.is_empty(), "not noticed: {unnoticed:?}");
}

/// A store without transfers says so, and changes nothing.
#[test]
fn memory_store_refuses_transfers() {
    struct InMemory;
    impl StoreUnderTest for InMemory {
        async fn fresh(&self) -> impl Store + OperatorStore {
            MemoryStore::default()
        }
    }
    for case in transfer_cases() {
        let failure = block_on(case.run(&InMemory, &InMemory)).expect_err("it has no transfers");
        assert!(failure.0.contains("NoTransfer"), "{}: {failure}", case.name);
    }
}
