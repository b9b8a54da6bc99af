//! The undo of a change: read what it touched, decide, write a commit like any other.

mod rows;

use matterbook_core::{
    client::Client,
    matching::{MatchKey, PersonHash, identities},
    order,
    store::{Alias, AliasChange, LogEntry, OperatorAnswer, Refusal, StoreError},
    time::Timestamp,
    undo::{Change, Removed, Touched, TouchedAlias, TurnedItem, Undo, UndoReport},
};
use uuid::Uuid;

use super::{
    clients::{Attempts, require_removed},
    command::{Command, CommandError, CommandResult},
    write::{Concerns, log, logged},
};
use crate::{
    account_version::AccountVersion,
    bind,
    columns::CLIENT_FIELDS,
    commit::{Commit, READ_ATTEMPTS_MAX},
    driver::{Driver, DriverError, Statement, Value},
    guard::{self, Guard},
    history::author,
    queries,
    read::{ResultSets, Row},
};
use rows::{alias, changed_return, ids_of, removed, touched};

/// The request of a change, and its account.
#[derive(Clone, Copy)]
struct Target {
    account: Uuid,
    request: Uuid,
    batch: Option<Batch>,
}

/// What is undone, where the request is a batch of it.
#[derive(Clone, Copy)]
struct Batch {
    import: Uuid,
    /// No batch of the import is earlier.
    first_at: Timestamp,
    has_more: bool,
}

/// Takes a change of an account back, or tells what that would do: of a request, or of the first batch of an import
/// after another.
pub(super) async fn run<D: Driver>(
    command: &Command<'_, D>,
    (account, change, after): (Uuid, Uuid, Option<Uuid>),
    client_delay_seconds: u32,
    dry_run: bool,
) -> CommandResult {
    let target = Target { account, request: change, batch: None };
    let undone = run_one(command, target, client_delay_seconds, dry_run).await;
    let Err(CommandError::Refused(Refusal::NoChange)) = undone else { return undone };
    let names = [
        ("account", bind::id(account)),
        ("import", bind::id(change)),
        ("before", bind::id(after.unwrap_or(Uuid::max()))),
    ];
    let mut results = command.read(&[queries::IMPORT_BATCHES.bind(names)]).await?;
    let mut batches = results.rows();
    let mut row = batches.next().ok_or(Refusal::NoChange)?;
    let (request, first_at) = (row.id()?, row.time()?);
    let batch = Some(Batch { import: change, first_at, has_more: batches.next().is_some() });
    run_one(command, Target { account, request, batch }, client_delay_seconds, dry_run).await
}

async fn run_one<D: Driver>(
    command: &Command<'_, D>,
    target: Target,
    client_delay_seconds: u32,
    dry_run: bool,
) -> CommandResult {
    if dry_run { show(command, target).await } else { undo(command, target, client_delay_seconds).await }
}

/// What an undo would do.
async fn show<D: Driver>(command: &Command<'_, D>, target: Target) -> CommandResult {
    let Read { version, found, .. } = target.read(command).await?;
    version.ok_or(Refusal::NoAccount)?;
    Ok(OperatorAnswer::Undone(Box::new(target.report(found?))))
}

/// Takes a change back.
async fn undo<D: Driver>(command: &Command<'_, D>, target: Target, client_delay_seconds: u32) -> CommandResult {
    let mut attempts = Attempts::default();
    // What an attempt whose outcome is not known did.
    let mut sent: Option<UndoReport> = None;
    loop {
        attempts.begin();
        let failure = match target.read(command).await {
            Ok(Read { version, is_applied, found }) => {
                let version = AccountVersion::read(&mut version.ok_or(Refusal::NoAccount)?)?;
                if let (true, Some(report)) = (is_applied, sent.take()) {
                    return Ok(OperatorAnswer::Undone(Box::new(report)));
                }
                let report = target.report(found?);
                let batch = target.batch(command, &version, attempts.number(), client_delay_seconds, &report.undo);
                match command.driver.run(&batch).await {
                    Ok(_) => return Ok(OperatorAnswer::Undone(Box::new(report))),
                    Err(error) => {
                        if command.session_has_changed(&error).await {
                            return Err(CommandError::SessionChanged);
                        }
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

/// What was read of a change, in one batch.
struct Read {
    /// The version of the account, if there is one.
    version: Option<Row>,
    /// The command has its log entry.
    is_applied: bool,
    found: Result<Found, CommandError>,
}

/// A change, with what it touched.
struct Found {
    change: Change,
    touched: Vec<Touched>,
    removed: Vec<Removed>,
    aliases: Vec<TouchedAlias>,
    item: Option<TurnedItem>,
}

impl Target {
    fn reads(self) -> Vec<Statement> {
        let names = || [("account", bind::id(self.account)), ("request", bind::id(self.request))];
        let [first, last] = ids_of(self.request);
        let import = [
            ("import", self.batch.map(|batch| bind::id(batch.import)).into()),
            ("first_at", self.batch.map(|batch| bind::time(batch.first_at)).into()),
        ];
        let touched = [&names()[..], &[("first_id", first), ("last_id", last)], &import].concat();
        vec![
            queries::COMMIT_RECORD.bind(names()),
            queries::TOUCHED_CLIENTS.bind(touched),
            queries::CHANGED_RETURNS.bind(names()),
            queries::REMOVED_CLIENTS.bind(names()),
            queries::ALIASES_OF_COMMIT.bind(names()),
            queries::DECIDED_ITEM.bind(names()),
        ]
    }

    /// Reads the change. Whether a removed client was sent again can only be asked once it is known who was removed, so
    /// then all is read once more.
    async fn read<D: Driver>(self, command: &Command<'_, D>) -> Result<Read, DriverError> {
        let version = queries::ACCOUNT_VERSION.bind([("account", bind::id(self.account))]);
        let head = [vec![version, logged(command.entry)], self.reads()].concat();
        let mut asked: Option<Found> = None;
        for _ in 0..READ_ATTEMPTS_MAX {
            let again = asked.as_ref().map(|found| self.sent_again(found)).unwrap_or_default();
            let count = again.len();
            let mut results = ResultSets::new(command.driver.run(&[head.clone(), again].concat()).await?);
            let (version, is_applied) = (results.row(), results.row().is_some());
            let mut found = match self.found(&mut results) {
                Ok(found) => found,
                Err(error) => return Ok(Read { version, is_applied, found: Err(error) }),
            };
            let ids = |found: &Found| -> Vec<Uuid> { found.removed.iter().map(|one| one.client.id).collect() };
            if ids(&found) == asked.as_ref().map(ids).unwrap_or_default() {
                for _ in 0..count {
                    for mut row in results.rows() {
                        let number = row.integer().ok().and_then(|number| usize::try_from(number).ok());
                        let met = number.and_then(|number| found.removed.get_mut(number));
                        met.into_iter().for_each(|met| met.is_sent_again = true);
                    }
                }
                return Ok(Read { version, is_applied, found: Ok(found) });
            }
            asked = Some(found);
        }
        Err(DriverError::Failed("the removed clients kept changing".to_owned()))
    }

    /// What [`Self::reads`] read.
    fn found(self, results: &mut ResultSets) -> Result<Found, CommandError> {
        let mut row = results.row().ok_or(Refusal::NoChange)?;
        let (at, period) = (row.time()?, row.optional_integer()?);
        let count = |row: &mut Row| Ok::<_, StoreError>(u32::try_from(row.integer()?).unwrap_or(u32::MAX));
        let (created, changed) = (count(&mut row)?, count(&mut row)?);
        if period.is_none() && changed > 0 {
            return Err(Refusal::NoHistory.into());
        }
        let import_id = self.batch.map(|batch| batch.import);
        let change = Change { request_id: self.request, import_id, at, by: author(&mut row)?, created, changed };
        let mut touched = touched(results.rows())?;
        for row in results.rows() {
            touched.push(changed_return(at, row)?);
        }
        order::sort_by_key(&mut touched, |one| one.now.id);
        let removed = results.rows().map(removed).collect::<Result<_, _>>()?;
        let aliases = results.rows().map(|row| alias(row, &touched)).collect::<Result<Vec<_>, _>>()?;
        let item = results.row().map(|mut row| Ok::<_, StoreError>(TurnedItem { id: row.id()?, waits: !row.flag()? }));
        Ok(Found {
            change,
            touched,
            removed,
            aliases: aliases.into_iter().flatten().collect(),
            item: item.transpose()?,
        })
    }

    fn report(self, Found { change, touched, removed, aliases, item }: Found) -> UndoReport {
        let next = self.batch.filter(|batch| batch.has_more).map(|_| self.request);
        let undo = Undo::of(change.at, touched, removed).with_aliases(aliases).with_item(item);
        UndoReport { undo, change, next }
    }

    /// Asks which of the removed clients were sent again.
    fn sent_again(self, found: &Found) -> Vec<Statement> {
        let rows = found.removed.iter().enumerate().filter_map(|(number, Removed { client, .. })| {
            let person = MatchKey::of(&client.fields).hash();
            let PersonHash { name, street, unit, zip5 } = person;
            Some([
                i64::try_from(number).unwrap_or(i64::MAX).into(),
                bind::id(self.account),
                bind::time(found.change.at),
                name?.into(),
                street.into(),
                unit.into(),
                zip5.into(),
                person.is_complete().into(),
                (person.is_complete() || client.fields.external_id.is_none()).into(),
            ])
        });
        let names = [
            "number",
            "account",
            "since",
            "name_hash",
            "street_hash",
            "unit_hash",
            "zip5",
            "is_complete",
            "with_external_id",
        ];
        queries::SENT_AGAIN.bind_rows(&names, rows)
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
        // The answer says why a client is left, so that must not have changed either.
        let left = undo.left.iter().map(|left| left.client);
        let ids = changed.chain(undo.removed.iter().map(|client| client.id)).chain(left);
        let guard = match command.has_concurrent_writers() {
            true => {
                let back = undo.restored.iter();
                let people = back.map(|one| (MatchKey::of(&one.fields).hash(), one.fields.external_id.is_some()));
                let given = undo.aliases.iter().filter(|(_, change)| change.is_given);
                let given = bind::texts(given.map(|(_, change)| change.external_id.as_str()));
                let mut others = guard::people(people);
                others.push(("external_ids", given.into()));
                Guard::new(version, ids, others)
            }
            false => Guard::none(),
        };
        let decided = || [("account_id", version.account_id.into()), ("request", bind::id(self.request))];
        let required = undo.item.map(|_| queries::REQUIRE_DECIDED_ITEM.bind(decided()));
        let guard = guard.and(command.session.iter().cloned().chain(required).collect());
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
        let aliases = |is_given: bool| {
            let aliases = undo.aliases.iter().filter(|(_, change)| change.is_given == is_given);
            let alias = |(client, change): &(Uuid, AliasChange)| Alias {
                client: *client,
                external_id: change.external_id.clone(),
            };
            aliases.map(alias).collect::<Vec<_>>()
        };
        batch.extend(commit.take_aliases(&aliases(false)));
        batch.extend(commit.give_aliases(&aliases(true)));
        let turn =
            |_| queries::TURN_REVIEW_ITEMS.bind([&decided()[..], &[("undo", bind::id(entry.request_id))]].concat());
        batch.extend(undo.item.map(turn));
        batch.extend(self.remove(&commit, &undo.removed));
        batch.extend(self.restore(&commit, &undo.restored));
        [batch, commit.close(updated), log].concat()
    }

    /// Removes clients with their earlier states. Decisions that saw them are made again, as after an erasure, and a person
    /// who is sent again gets no letters where letters had been stopped.
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
        let rows = clients.iter().map(|client| [commit.account_id(), bind::id(client.id)]);
        batch.extend(queries::ERASE_STATES.bind_rows(&["account_id", "id"], rows));
        let rows = clients.iter().map(|client| [commit.account_id(), commit.at(), bind::id(client.id)]);
        batch.extend(queries::REMOVE_CLIENTS.bind_rows(&["account_id", "commit_at", "id"], rows));
        batch
    }

    /// Brings removed clients back.
    fn restore(self, commit: &Commit<'_>, clients: &[Client]) -> Vec<Statement> {
        if clients.is_empty() {
            return Vec::new();
        }
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
        // One may have been erased since it was read.
        let mut batch = vec![require_removed(self.account, clients.iter().map(|client| client.id))];
        batch.extend(queries::RESTORE_CLIENTS.bind_rows(&[&head, CLIENT_FIELDS, &tail].concat(), rows));
        let rows = clients.iter().map(|client| [commit.account_id(), commit.at(), bind::id(client.id)]);
        batch.extend(queries::NOTE_RETURNS.bind_rows(&["account_id", "commit_at", "id"], rows));
        batch
    }
}
