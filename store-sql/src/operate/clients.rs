//! The operator's commands on one client: show it, allow letters again, erase it (S12).

use matterbook_core::{
    client::{Client, ClientFields},
    matching::{MatchKey, identities},
    store::{
        ClientUpdate, HistoryQuery, IdempotencyRecord, IdentityDigest, LogEntry, OperatorAnswer, Refusal, StoreError,
        View, review_ids,
    },
    time::Timestamp,
};
use smol_str::SmolStr;
use uuid::Uuid;

use super::{
    command::{Command, CommandError, CommandResult},
    write::{Concerns, Write, log, logged},
};
use crate::{
    account_version::AccountVersion,
    bind,
    commit::{ATTEMPTS_MAX, Commit},
    driver::{Driver, DriverError, Statement, Value},
    guard::Guard,
    history::{self, Reader},
    queries,
    read::ResultSets,
    review,
};

pub(super) async fn show<D: Driver>(command: &Command<'_, D>, account: Uuid, client: Uuid) -> CommandResult {
    let account_exists = queries::ACCOUNT.bind([("account", bind::id(account))]);
    let mut results = command.read(&[account_exists, read_client(account, client)]).await?;
    results.row().ok_or(Refusal::NoAccount)?;
    let client = client_of(&mut results)?.ok_or(Refusal::NoClient)?;
    Ok(OperatorAnswer::Client(Box::new(client)))
}

/// The changes of a client, as of now.
pub(super) async fn history<D: Driver>(
    command: &Command<'_, D>,
    account: Uuid,
    client: Uuid,
    before: Option<Timestamp>,
    limit: u32,
) -> CommandResult {
    let view = View { now: command.entry.at, delay_seconds: 0 };
    let query = HistoryQuery { client, view, before, limit };
    let account_exists = queries::ACCOUNT.bind([("account", bind::id(account))]);
    let mut results = command.read(&[account_exists, history::statement(Reader::Account(account), &query)]).await?;
    results.row().ok_or(Refusal::NoAccount)?;
    let history = history::read(&mut results, &query)?.ok_or(Refusal::NoClient)?;
    Ok(OperatorAnswer::History(history))
}

/// Turns `do_not_mail` off. The commit is an ordinary one, so delayed pages go on showing the earlier
/// state.
pub(super) async fn mail_on<D: Driver>(
    command: &Command<'_, D>,
    account: Uuid,
    client: Uuid,
    client_delay_seconds: u32,
    reason: Option<String>,
) -> CommandResult {
    let change = ClientChange { account, client, client_delay_seconds, reason, statements: mail_on_statements };
    let client = change.apply(command).await?.ok_or(Refusal::NoClient)?;
    Ok(OperatorAnswer::Client(Box::new(client)))
}

/// Deletes a client with its states and settlements, and keeps digests of its identities.
pub(super) async fn erase<D: Driver>(command: &Command<'_, D>, account: Uuid, client: Uuid) -> CommandResult {
    let change = ClientChange { account, client, client_delay_seconds: 0, reason: None, statements: erase_statements };
    match change.apply(command).await {
        Err(CommandError::Refused(Refusal::NoClient)) => erase_removed(command, account, client).await?,
        erased => drop(erased?),
    }
    Ok(OperatorAnswer::Erased)
}

/// Erases what is kept of a client that an undo removed.
async fn erase_removed<D: Driver>(command: &Command<'_, D>, account: Uuid, client: Uuid) -> Result<(), CommandError> {
    let names = || [("account", bind::id(account)), ("client", bind::id(client))];
    let version = queries::ACCOUNT_VERSION.bind([("account", bind::id(account))]);
    let mut found = command.read(&[version, queries::REMOVED_CLIENT.bind(names())]).await?;
    let version = AccountVersion::read(&mut found.row().ok_or(Refusal::NoAccount)?)?;
    let fields = found.row().ok_or(Refusal::NoClient)?.client_fields()?;
    let answers = erase_answers(version.account_id.into(), client, fields.external_id.as_deref());
    let items = erase_items(account, version.account_id.into(), client, &fields, &[]);
    let write = Write::new(Concerns::Account(account), vec![queries::FORGET_REMOVED.bind(names()), items, answers]);
    write.require(require_removed(account, [client]), Refusal::NoClient).run(command).await?;
    Ok(())
}

/// Fails a batch if one of these clients is not among the removed ones.
pub(super) fn require_removed(account: Uuid, clients: impl IntoIterator<Item = Uuid>) -> Statement {
    let ids: Vec<_> = clients.into_iter().map(|id| id.simple().to_string()).collect();
    let ids = bind::texts(ids.iter().map(String::as_str));
    queries::REQUIRE_REMOVED.bind([("account", bind::id(account)), ("client_ids", ids.into())])
}

/// Deletes saved answers that name an erased client.
fn erase_answers(account_id: Value, client: Uuid, external_id: Option<&str>) -> Statement {
    let (id, external_id) = IdempotencyRecord::texts_naming(client, external_id);
    queries::ERASE_ANSWERS.bind([
        ("account_id", account_id),
        ("id", id.into()),
        ("external_id", external_id.into()),
        ("values", IdempotencyRecord::TELLS_VALUES.into()),
    ])
}

/// Deletes what waits for an erased client: by its identities and its name, and where it is in the way.
fn erase_items(
    account: Uuid,
    account_id: Value,
    client: Uuid,
    fields: &ClientFields,
    aliases: &[SmolStr],
) -> Statement {
    let person = MatchKey::of(fields).hash();
    let by_alias = aliases.iter().flat_map(|alias| review_ids(account, Some(alias), person));
    let own = review_ids(account, fields.external_id.as_deref(), person);
    let waiting: Vec<_> = own.into_iter().chain(by_alias).collect();
    queries::ERASE_REVIEW_ITEMS.bind([
        ("account_id", account_id),
        ("ids", review::ids(&waiting).into()),
        ("name_hash", person.name.into()),
        ("client", client.simple().to_string().into()),
    ])
}

fn mail_on_statements(
    change: &ClientChange,
    commit: &Commit<'_>,
    guard: Guard,
    (before, _): Before,
    entry: &LogEntry,
) -> Vec<Statement> {
    if !before.fields.do_not_mail {
        return [guard.alone(), change.log(entry)].concat();
    }
    let after = ClientFields { do_not_mail: false, ..before.fields.clone() };
    let update = ClientUpdate { id: change.client, before, after, new_hash: None, matched_by: None };
    let note = queries::NOTE_LETTERS_ON.bind([
        ("account_id", commit.account_id()),
        ("client", bind::id(change.client)),
        ("actor", entry.actor.as_str().into()),
        ("reason", change.reason.clone().into()),
    ]);
    let update = commit.update_clients(vec![update]);
    [commit.open(0, 1, guard), update, vec![note], commit.close(1), change.log(entry)].concat()
}

fn erase_statements(
    change: &ClientChange,
    commit: &Commit<'_>,
    guard: Guard,
    (before, aliases): Before,
    entry: &LogEntry,
) -> Vec<Statement> {
    let fields = before.fields;
    let by_alias = aliases.iter().flat_map(|alias| identities(change.account, Some(alias), &MatchKey::default()));
    let own = identities(change.account, fields.external_id.as_deref(), &MatchKey::of(&fields));
    let identities: Vec<_> = own.into_iter().chain(by_alias).collect();
    let rows = identities
        .iter()
        .map(|IdentityDigest(digest)| [commit.account_id(), Value::from(digest.as_slice()), fields.do_not_mail.into()]);
    let tombstones = queries::INSERT_TOMBSTONES.bind_rows(&["account_id", "identity", "do_not_mail"], rows);
    let names = || [("account_id", commit.account_id()), ("client", bind::id(change.client))];
    let answers = erase_answers(commit.account_id(), change.client, fields.external_id.as_deref());
    let public_names = [("account", bind::id(change.account)), ("client", bind::id(change.client))];
    let items = erase_items(change.account, commit.account_id(), change.client, &fields, &aliases);
    let erase = vec![
        queries::MARK_ERASURE.bind([("account_id", commit.account_id())]),
        queries::ERASE_SETTLEMENTS.bind(names()),
        queries::ERASE_LETTERS_ON.bind(names()),
        queries::ERASE_ALIASES.bind(names()),
        items,
        queries::ERASE_CLIENT.bind(names()),
        queries::FORGET_REMOVED.bind(public_names),
        answers,
    ];
    let states =
        queries::ERASE_STATES.bind_rows(&["account_id", "id"], [[commit.account_id(), bind::id(change.client)]]);
    [commit.open(0, 0, guard), tombstones, states, erase, change.log(entry)].concat()
}

/// A change of one client.
struct ClientChange {
    account: Uuid,
    client: Uuid,
    client_delay_seconds: u32,
    /// Why a person turns letters on again.
    reason: Option<String>,
    /// Makes the statements that change the client from the state that was read.
    statements: fn(&Self, &Commit<'_>, Guard, Before, &LogEntry) -> Vec<Statement>,
}

/// A client as it was read, with its aliases.
type Before = (Client, Vec<SmolStr>);

impl ClientChange {
    /// Reads the client, writes the change, and returns the client after it. Retries when the account
    /// changed concurrently or the outcome is unknown, as [`change`](crate::change::change) does. The log
    /// entry tells whether an earlier attempt was applied.
    async fn apply<D: Driver>(&self, command: &Command<'_, D>) -> Result<Option<Client>, CommandError> {
        let mut attempts = Attempts::default();
        loop {
            attempts.begin();
            let failure = match command.driver.run(&self.reads(command.entry)).await.map(ResultSets::new) {
                Ok(mut found) => {
                    let version = AccountVersion::read(&mut found.row().ok_or(Refusal::NoAccount)?)?;
                    let is_applied = found.row().is_some();
                    let client = client_of(&mut found)?;
                    if is_applied {
                        return Ok(client);
                    }
                    let client = client.ok_or(Refusal::NoClient)?;
                    let aliases = found.rows().map(|mut row| row.text()).collect::<Result<Vec<SmolStr>, _>>()?;
                    let mut batch = self.batch(command, &version, attempts.number(), (client, aliases));
                    let written = batch.len();
                    batch.push(read_client(self.account, self.client));
                    match command.driver.run(&batch).await {
                        Ok(results) => return Ok(client_of(ResultSets::new(results).skip(written))?),
                        Err(error) => attempts.failed(command, error),
                    }
                }
                // No batch that writes was sent yet.
                Err(error) if attempts.number() == 1 => return Err(error.into()),
                Err(error) => error.into(),
            };
            attempts.wait(command, failure).await?;
        }
    }

    fn log(&self, entry: &LogEntry) -> Vec<Statement> {
        log(entry, Concerns::Account(self.account))
    }

    fn reads(&self, entry: &LogEntry) -> [Statement; 4] {
        let names = [("account", bind::id(self.account)), ("client", bind::id(self.client))];
        let aliases = queries::ALIASES_OF_CLIENT.bind(names);
        let version = queries::ACCOUNT_VERSION.bind([("account", bind::id(self.account))]);
        [version, logged(entry), read_client(self.account, self.client), aliases]
    }

    fn batch<D: Driver>(
        &self,
        command: &Command<'_, D>,
        version: &AccountVersion,
        attempt: u32,
        before: Before,
    ) -> Vec<Statement> {
        let guard = if command.has_concurrent_writers() {
            Guard::new(version, [self.client], Vec::new())
        } else {
            Guard::none()
        };
        let commit = Commit {
            version,
            request_id: command.entry.request_id,
            attempt,
            now: command.entry.at,
            author: command.author,
            client_delay_seconds: self.client_delay_seconds,
            retention: command.entry.retention,
            isolation: command.driver.isolation(),
        };
        (self.statements)(self, &commit, guard, before, command.entry)
    }
}

/// The attempts at a command that is repeated where the account changed concurrently or the outcome is unknown.
#[derive(Default)]
pub(super) struct Attempts {
    number: u32,
    may_be_applied: bool,
}

impl Attempts {
    pub(super) const fn begin(&mut self) {
        self.number += 1;
    }

    pub(super) const fn number(&self) -> u32 {
        self.number
    }

    /// Why the batch of this attempt failed.
    pub(super) fn failed<D: Driver>(&mut self, command: &Command<'_, D>, error: DriverError) -> StoreError {
        match error {
            DriverError::Constraint(cause) if command.has_concurrent_writers() => StoreError::Contended { cause },
            error => {
                // The host rolls back a failed transaction, so its outcome is known.
                self.may_be_applied |= command.has_concurrent_writers() && matches!(error, DriverError::Failed(_));
                error.into()
            }
        }
    }

    /// Waits before another attempt, or ends with the failure.
    pub(super) async fn wait<D: Driver>(
        &self,
        command: &Command<'_, D>,
        failure: StoreError,
    ) -> Result<(), CommandError> {
        let is_retried = command.has_concurrent_writers()
            && self.number < ATTEMPTS_MAX
            && (self.may_be_applied || !matches!(failure, StoreError::Overloaded { .. }));
        if is_retried && command.driver.back_off(self.number).await {
            return Ok(());
        }
        let unknown = || StoreError::Unknown { cause: failure.to_string() };
        Err(if self.may_be_applied { unknown() } else { failure }.into())
    }
}

/// The client that [`read_client`] read.
pub(super) fn client_of(results: &mut ResultSets) -> Result<Option<Client>, StoreError> {
    results.row().map(|mut row| row.client()).transpose()
}

pub(super) fn read_client(account: Uuid, client: Uuid) -> Statement {
    queries::CLIENT.bind([("account", bind::id(account)), ("client", bind::id(client))])
}
