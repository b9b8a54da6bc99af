//! What a commit goes by (S5). Where others may write between two batches, it fails as a whole if
//! anything that its decision saw, or would see now, has changed since the read.
//!
//! The commit's record is what fails, so the guard is no statement of its own, but for clients whose
//! ids one parameter has no room for.

use matterbook_core::{matching::PersonHash, order, time::Timestamp};
use uuid::Uuid;

use crate::{
    account_version::AccountVersion,
    bind, queries,
    statement::{SET_BYTES_MAX, Statement},
    value::Value,
};

/// The bytes of an id in a JSON array: 32 digits, two quotes, a comma.
const ID_BYTES: usize = 35;

/// Named values of the shared text `stale`.
pub(crate) type Values = Vec<(&'static str, Value)>;

/// What must not have changed.
pub(crate) struct Guard {
    /// What the record is bound with.
    values: Values,
    /// For what its parameters have no room.
    rest: Vec<Statement>,
}

/// The values for people that are looked up, each with whether an external id is given. None who would be met may have
/// changed.
pub(crate) fn people(people: impl IntoIterator<Item = (PersonHash, bool)>) -> Values {
    let (mut persons, mut names, mut names_without_external_id) = (Vec::new(), Vec::new(), Vec::new());
    for (person, has_external_id) in people {
        match person {
            PersonHash { name: Some(name), street: Some(street), zip5: Some(zip5), .. } => {
                persons.push([name, street, zip5]);
            }
            PersonHash { name: Some(name), .. } => {
                let names = if has_external_id { &mut names_without_external_id } else { &mut names };
                names.push(name);
            }
            PersonHash { name: None, .. } => {}
        }
    }
    vec![
        ("persons", bind::numbers(&order::distinct(persons)).into()),
        ("names", bind::numbers(&order::distinct(names)).into()),
        ("names_without_external_id", bind::numbers(&order::distinct(names_without_external_id)).into()),
    ]
}

impl Guard {
    /// For a transaction that excludes other writers: nothing is newer than the end of time.
    pub(crate) fn none() -> Self {
        Self { values: vec![("read_at", bind::time(Timestamp::MAX))], rest: Vec::new() }
    }

    /// For these clients, their settlements, the account's erasures, and whatever else is named.
    pub(crate) fn new(version: &AccountVersion, client_ids: impl IntoIterator<Item = Uuid>, others: Values) -> Self {
        let client_ids: Vec<_> = client_ids.into_iter().map(|id| id.simple().to_string()).collect();
        let account_id = || ("account_id", Value::Integer(version.account_id));
        let read_at = || ("read_at", bind::time(version.last_commit_at));
        let mut chunks = client_ids
            .chunks(SET_BYTES_MAX / ID_BYTES)
            .map(|chunk| ("client_ids", bind::texts(chunk.iter().map(String::as_str)).into()));
        let mut values = others;
        values.extend([account_id(), read_at()]);
        values.extend(chunks.next());
        let rest = chunks.map(|chunk| queries::GUARD_COMMIT.bind([account_id(), read_at(), chunk])).collect();
        Self { values, rest }
    }

    /// This guard, and more statements that fail the batch.
    pub(crate) fn and(mut self, statements: Vec<Statement>) -> Self {
        self.rest.extend(statements);
        self
    }

    /// The commit's record, guarded; `values` are its own.
    pub(crate) fn record(self, values: impl IntoIterator<Item = (&'static str, Value)>) -> Vec<Statement> {
        let values: Values = self.values.into_iter().chain(values).collect();
        [vec![queries::RECORD_COMMIT.bind(values)], self.rest].concat()
    }

    /// The guard of a batch that is no commit.
    pub(crate) fn alone(self) -> Vec<Statement> {
        [vec![queries::GUARD_COMMIT.bind(self.values)], self.rest].concat()
    }
}
