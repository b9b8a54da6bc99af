//! What the operator does to one client: shows it, turns its letters on again, erases it (S12).

use matterbook_core::{
    client::{Client, ClientFields},
    matching::{Facts, identities},
    store::{ClientUpdate, IdentityDigest, LogEntry, OperatorAnswer, Refusal, SavedAnswer, StoreError},
};
use uuid::Uuid;

use super::{
    Stop,
    step::{Outcome, Step, Task},
    write::{log, logged},
};
use crate::{
    bind,
    commit::{ATTEMPTS_MAX, Commit},
    driver::{DriverError, Isolation, Statement, Value},
    ground::Ground,
    guard::Guard,
    queries,
    read::Results,
};

pub(super) fn show(account: Uuid, client: Uuid) -> Step {
    let known = queries::ACCOUNT.bind([("account", bind::id(account))]);
    Step::read(vec![known, read_client(account, client)], |_, results| {
        results.row().ok_or(Refusal::NoAccount)?;
        let client = results.row().ok_or(Refusal::NoClient)?.client()?;
        Ok(Step::Done(OperatorAnswer::Client(Box::new(client))))
    })
}

/// Turns `do_not_mail` off: a commit like any other, so the earlier state stays in the delayed view.
pub(super) fn mail_on(account: Uuid, client: Uuid, client_delay_seconds: u32, entry: &LogEntry) -> Step {
    let change = Change { account, client, client_delay_seconds, statements: turn_mail_on, answer: show_changed };
    change.attempt(Attempts::default(), entry)
}

/// Takes a client away with its states and settlements, and keeps digests of its identities.
pub(super) fn erase(account: Uuid, client: Uuid, entry: &LogEntry) -> Step {
    let answer = |_| Ok(Step::Done(OperatorAnswer::Erased));
    let change = Change { account, client, client_delay_seconds: 0, statements: erasure, answer };
    change.attempt(Attempts::default(), entry)
}

fn turn_mail_on(
    change: &Change,
    commit: &Commit<'_>,
    guard: Guard,
    before: Client,
    entry: &LogEntry,
) -> Vec<Statement> {
    if !before.fields.do_not_mail {
        return [guard.alone(), vec![log(entry)]].concat();
    }
    let after = ClientFields { do_not_mail: false, ..before.fields.clone() };
    let update = ClientUpdate { id: change.client, before, after, found_anew: None };
    [commit.open(1, guard), commit.update_clients(vec![update]), vec![commit.close(), log(entry)]].concat()
}

fn show_changed(client: Option<Client>) -> Outcome {
    Ok(Step::Done(OperatorAnswer::Client(Box::new(client.ok_or(Refusal::NoClient)?))))
}

fn erasure(change: &Change, commit: &Commit<'_>, guard: Guard, before: Client, entry: &LogEntry) -> Vec<Statement> {
    let fields = before.fields;
    let identities = identities(change.account, fields.external_id.as_deref(), &Facts::of(&fields));
    let rows = identities
        .iter()
        .map(|IdentityDigest(digest)| [commit.account_id(), Value::from(digest.as_slice()), fields.do_not_mail.into()]);
    let tombstones = queries::ENTOMB_IDENTITIES.bind_rows(&["account_id", "identity", "do_not_mail"], rows);
    let which = || [("account_id", commit.account_id()), ("client", bind::id(change.client))];
    let (id, external_id) = SavedAnswer::texts_naming(change.client, fields.external_id.as_deref());
    let answers = queries::ERASE_ANSWERS.bind([
        ("account_id", commit.account_id()),
        ("id", id.into()),
        ("external_id", external_id.into()),
        ("values", SavedAnswer::TELLS_VALUES.into()),
    ]);
    let erase = vec![
        queries::MARK_ERASURE.bind([("account_id", commit.account_id())]),
        queries::ERASE_STATES.bind(which()),
        queries::ERASE_SETTLEMENTS.bind(which()),
        queries::ERASE_CLIENT.bind(which()),
        answers,
        log(entry),
    ];
    [commit.open(0, guard), tombstones, erase].concat()
}

/// A change of one client, whatever the client turns out to be.
#[derive(Clone, Copy)]
struct Change {
    account: Uuid,
    client: Uuid,
    client_delay_seconds: u32,
    /// What changes the client as it was found.
    statements: fn(&Change, &Commit<'_>, Guard, Client, &LogEntry) -> Vec<Statement>,
    /// What the command comes to, by the client as it is then.
    answer: fn(Option<Client>) -> Outcome,
}

/// The attempts at a change so far.
#[derive(Clone, Copy, Default)]
struct Attempts {
    count: u32,
    /// Whether one may have been applied, or may be yet.
    is_unknown: bool,
}

impl Change {
    /// Looks at the client, applies what is made of it, and goes on by the client as it is then.
    /// Looks again when the ground has moved or the outcome is unknown, as
    /// [`change`](crate::change::change) does; what was done is in the log.
    fn attempt(self, mut attempts: Attempts, entry: &LogEntry) -> Step {
        attempts.count += 1;
        let known = queries::ACCOUNT_GROUND.bind([("account", bind::id(self.account))]);
        let look = vec![known, logged(entry), read_client(self.account, self.client)];
        Step::run(look, move |task, found| match found {
            Ok(found) => self.apply(attempts, task, found),
            // On the first look nothing was begun that would have to be found out about.
            Err(error) if attempts.count == 1 => Err(StoreError::from(error).into()),
            Err(error) => self.try_again(attempts, task, error.into()),
        })
    }

    fn apply(self, mut attempts: Attempts, task: &Task, mut found: Results) -> Outcome {
        let ground = Ground::read(&mut found.row().ok_or(Refusal::NoAccount)?)?;
        let is_done = found.row().is_some();
        let client = client_of(&mut found)?;
        if is_done {
            return (self.answer)(client);
        }
        let guard = if task.isolation == Isolation::Batch {
            Guard::new(&ground, [self.client], Vec::new())
        } else {
            Guard::none()
        };
        let commit = Commit {
            ground: &ground,
            request_id: task.entry.request_id,
            attempt: attempts.count,
            now: task.entry.at,
            api_key_id: None,
            client_delay_seconds: self.client_delay_seconds,
            isolation: task.isolation,
        };
        let mut batch = (self.statements)(&self, &commit, guard, client.ok_or(Refusal::NoClient)?, &task.entry);
        let done = batch.len();
        batch.push(read_client(self.account, self.client));
        Ok(Step::run(batch, move |task, outcome| match (outcome, task.isolation) {
            (Ok(mut results), _) => (self.answer)(client_of(results.skip(done))?),
            (Err(DriverError::Constraint(cause)), Isolation::Batch) => {
                self.try_again(attempts, task, StoreError::Contended { cause })
            }
            (Err(error), isolation) => {
                // What fails within one transaction is rolled back with it, by the host.
                attempts.is_unknown |= isolation == Isolation::Batch && matches!(error, DriverError::Failed(_));
                self.try_again(attempts, task, error.into())
            }
        }))
    }

    fn try_again(self, attempts: Attempts, task: &Task, failure: StoreError) -> Outcome {
        let is_begun = attempts.is_unknown || !matches!(failure, StoreError::Overloaded { .. });
        let failure = Stop::from(given_up(attempts.is_unknown, failure));
        if task.isolation != Isolation::Batch || attempts.count >= ATTEMPTS_MAX || !is_begun {
            return Err(failure);
        }
        let again = move |task: &Task, ()| Ok(self.attempt(attempts, &task.entry));
        Ok(Step::TryAgain(attempts.count, failure, Box::new(again)))
    }
}

/// Reads what [`read_client`] asked for.
fn client_of(results: &mut Results) -> Result<Option<Client>, StoreError> {
    results.row().map(|mut row| row.client()).transpose()
}

/// What a command ends with, after attempts of which one may have been applied.
fn given_up(is_unknown: bool, error: StoreError) -> StoreError {
    if is_unknown { StoreError::Unknown { cause: error.to_string() } } else { error }
}

fn read_client(account: Uuid, client: Uuid) -> Statement {
    queries::CLIENT.bind([("account", bind::id(account)), ("client", bind::id(client))])
}
