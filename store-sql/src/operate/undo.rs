//! The undo of a change: read what it touched, decide, write a commit like any other.

use std::collections::BTreeMap;

use matterbook_core::{
    client::Client,
    matching::{MatchKey, PersonHash, identities},
    store::{LogEntry, OperatorAnswer, Refusal, StoreError},
    time::Timestamp,
    undo::{Change, Removed, Touched, TouchedState, Undo, UndoReport},
};
use uuid::Uuid;

use super::{
    clients::Attempts,
    command::{Command, CommandError, CommandResult},
    write::{Concerns, log, logged},
};
use crate::{
    account_version::AccountVersion,
    bind,
    columns::CLIENT_FIELDS,
    commit::Commit,
    driver::{Driver, Statement, Value},
    guard::Guard,
    history::author,
    queries,
    read::{ResultSets, Row},
};

/// The request of a change, and its account.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub(super) account: Uuid,
    pub(super) request: Uuid,
}

/// What an undo would do.
pub(super) async fn show<D: Driver>(command: &Command<'_, D>, target: Target) -> CommandResult {
    let batch = [&[queries::ACCOUNT.bind([("account", bind::id(target.account))])], &target.reads()[..]].concat();
    let mut results = command.read(&batch).await?;
    results.row().ok_or(Refusal::NoAccount)?;
    Ok(OperatorAnswer::Undone(Box::new(target.report(&mut results)?)))
}

/// Takes a change back.
pub(super) async fn undo<D: Driver>(
    command: &Command<'_, D>,
    target: Target,
    client_delay_seconds: u32,
) -> CommandResult {
    let mut attempts = Attempts::default();
    // What an attempt whose outcome is not known did.
    let mut sent: Option<UndoReport> = None;
    loop {
        attempts.begin();
        let version = queries::ACCOUNT_VERSION.bind([("account", bind::id(target.account))]);
        let reads = [vec![version, logged(command.entry)], target.reads()].concat();
        let failure = match command.driver.run(&reads).await.map(ResultSets::new) {
            Ok(mut found) => {
                let version = AccountVersion::read(&mut found.row().ok_or(Refusal::NoAccount)?)?;
                let is_applied = found.row().is_some();
                if let (true, Some(report)) = (is_applied, sent.take()) {
                    return Ok(OperatorAnswer::Undone(Box::new(report)));
                }
                let report = target.report(&mut found)?;
                let batch = target.batch(command, &version, attempts.number(), client_delay_seconds, &report.undo);
                match command.driver.run(&batch).await {
                    Ok(_) => return Ok(OperatorAnswer::Undone(Box::new(report))),
                    Err(error) => {
                        sent = Some(report);
                        attempts.failed(command, error)
                    }
                }
            }
            Err(error) if attempts.number() == 1 => return Err(error.into()),
            Err(error) => error.into(),
        };
        attempts.wait(command, failure).await?;
    }
}

impl Target {
    fn reads(self) -> Vec<Statement> {
        let names = || [("account", bind::id(self.account)), ("request", bind::id(self.request))];
        let [first, last] = ids_of(self.request);
        let touched = [names().to_vec(), vec![("first_id", first), ("last_id", last)]].concat();
        vec![
            queries::COMMIT_RECORD.bind(names()),
            queries::TOUCHED_CLIENTS.bind(touched),
            queries::REMOVED_CLIENTS.bind(names()),
        ]
    }

    /// The report of what [`Self::reads`] read.
    fn report(self, results: &mut ResultSets) -> Result<UndoReport, CommandError> {
        let mut row = results.row().ok_or(Refusal::NoChange)?;
        let (at, period) = (row.time()?, row.optional_integer()?);
        let count = |row: &mut Row| Ok::<_, StoreError>(u32::try_from(row.integer()?).unwrap_or(u32::MAX));
        let (created, changed) = (count(&mut row)?, count(&mut row)?);
        if period.is_none() && changed > 0 {
            return Err(Refusal::NoHistory.into());
        }
        let change = Change { request_id: self.request, at, by: author(&mut row)?, created, changed };
        let touched = touched(results.rows())?;
        let removed = results.rows().map(removed).collect::<Result<_, _>>()?;
        Ok(UndoReport { undo: Undo::of(at, touched, removed), change })
    }

    fn batch<D: Driver>(
        self,
        command: &Command<'_, D>,
        version: &AccountVersion,
        attempt: u32,
        client_delay_seconds: u32,
        undo: &Undo,
    ) -> Vec<Statement> {
        let entry: &LogEntry = command.entry;
        let changed = undo.updated.iter().map(|update| update.id);
        let ids = changed.chain(undo.removed.iter().map(|client| client.id));
        let guard = match command.has_concurrent_writers() {
            true => Guard::new(version, ids, Vec::new()),
            false => Guard::none(),
        };
        let log = log(entry, Concerns::Account(self.account));
        if undo.is_empty() {
            return [guard.alone(), log].concat();
        }
        let commit = Commit {
            version,
            request_id: entry.request_id,
            attempt,
            now: entry.at,
            author: command.author,
            client_delay_seconds,
            retention: entry.retention,
            isolation: command.driver.isolation(),
        };
        let updated = undo.updated.len();
        let mut batch = commit.open(undo.restored.len(), updated, guard);
        batch.extend(commit.update_clients(undo.updated.clone()));
        batch.extend(self.remove(&commit, &undo.removed));
        batch.extend(self.restore(&commit, &undo.restored));
        [batch, commit.close(updated), log].concat()
    }

    /// Removes clients. Decisions that saw them are made again, as after an erasure, and a person who is sent again gets
    /// no letters where letters had been stopped.
    fn remove(self, commit: &Commit<'_>, clients: &[Client]) -> Vec<Statement> {
        if clients.is_empty() {
            return Vec::new();
        }
        let stopped = clients.iter().filter(|client| client.fields.do_not_mail).flat_map(|client| {
            identities(self.account, client.fields.external_id.as_deref(), &MatchKey::of(&client.fields))
        });
        let rows = stopped.map(|identity| [commit.account_id(), Value::from(identity.0.as_slice()), true.into()]);
        let mut batch = queries::INSERT_TOMBSTONES.bind_rows(&["account_id", "identity", "do_not_mail"], rows);
        batch.push(queries::MARK_ERASURE.bind([("account_id", commit.account_id())]));
        let rows = clients.iter().map(|client| [commit.account_id(), commit.at(), bind::id(client.id)]);
        batch.extend(queries::REMOVE_CLIENTS.bind_rows(&["account_id", "commit_at", "id"], rows));
        batch
    }

    /// Brings removed clients back.
    fn restore(self, commit: &Commit<'_>, clients: &[Client]) -> Vec<Statement> {
        let rows = clients.iter().map(|client| {
            let PersonHash { name, street, unit, zip5 } = MatchKey::of(&client.fields).hash();
            let head = [
                commit.account_id(),
                commit.at(),
                bind::id(commit.request_id),
                bind::id(client.id),
                bind::time(client.created_at),
            ];
            let fingerprint = bind::fingerprint(client.fields.fingerprint());
            let tail = [name.into(), street.into(), unit.into(), zip5.into(), fingerprint];
            head.into_iter().chain(bind::client_fields(&client.fields)).chain(tail)
        });
        let head = ["account_id", "commit_at", "request_id", "id", "created_at"];
        let tail = ["name_hash", "street_hash", "unit_hash", "zip5", "fingerprint"];
        let mut batch = queries::RESTORE_CLIENTS.bind_rows(&[&head, CLIENT_FIELDS, &tail].concat(), rows);
        batch.extend(clients.iter().map(|client| {
            queries::FORGET_REMOVED.bind([("account", bind::id(self.account)), ("client", bind::id(client.id))])
        }));
        batch
    }
}

/// The first and the last id that a request may have minted: all begin with its time.
fn ids_of(request: Uuid) -> [Value; 2] {
    let millis = request.as_u128() >> 80;
    [bind::id(Uuid::from_u128(millis << 80)), bind::id(Uuid::from_u128(((millis + 1) << 80) - 1))]
}

fn touched(rows: impl Iterator<Item = Row>) -> Result<Vec<Touched>, StoreError> {
    let mut found: BTreeMap<Uuid, Vec<(Timestamp, TouchedState)>> = BTreeMap::new();
    for mut row in rows {
        let (id, matched_by, holder) = (row.id()?, row.optional_integer()?, row.optional_id()?);
        let fields = row.client_fields()?;
        let (created_at, at) = (row.time()?, row.time()?);
        let is_first = created_at == at || matched_by == Some(0);
        let state = TouchedState { at, is_first, holder, fields };
        found.entry(id).or_default().push((created_at, state));
    }
    Ok(found
        .into_iter()
        .filter_map(|(id, mut states)| {
            states.sort_by_key(|(_, state)| std::cmp::Reverse(state.at));
            let (created_at, latest) = states.first()?;
            let fields = latest.fields.clone();
            let now = Client { id, fields, created_at: *created_at, updated_at: latest.at };
            Some(Touched { now, states: states.into_iter().map(|(_, state)| state).collect() })
        })
        .collect())
}

fn removed(mut row: Row) -> Result<Removed, StoreError> {
    let (id, holder) = (row.id()?, row.optional_id()?);
    let fields = row.client_fields()?;
    let created_at = row.time()?;
    Ok(Removed { client: Client { id, fields, created_at, updated_at: created_at }, holder })
}
