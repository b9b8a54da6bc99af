//! What the operator does to one client: shows it, turns its letters on again, erases it (S12).

use matterbook_core::{
    client::{Client, ClientFields},
    matching::{Facts, identities},
    store::{ClientUpdate, IdentityDigest, LogEntry, OperatorAnswer, Refusal, SavedAnswer, StoreError},
};
use uuid::Uuid;

use super::{
    Outcome, Stop,
    write::{log, logged},
};
use crate::{
    bind,
    commit::{ATTEMPTS_MAX, Commit},
    driver::{Driver, DriverError, Isolation, Statement, Value},
    ground::Ground,
    guard::Guard,
    queries,
    read::Results,
};

pub(super) async fn show<D: Driver>(driver: &D, account: Uuid, client: Uuid) -> Outcome {
    let known = queries::ACCOUNT.bind([("account", bind::id(account))]);
    let mut results = Results::of(driver, &[known, read_client(account, client)]).await?;
    results.row().ok_or(Refusal::NoAccount)?;
    Ok(OperatorAnswer::Client(Box::new(results.row().ok_or(Refusal::NoClient)?.client()?)))
}

/// Turns `do_not_mail` off: a commit like any other, so the earlier state stays in the delayed view.
pub(super) async fn mail_on<D: Driver>(
    driver: &D,
    account: Uuid,
    client: Uuid,
    client_delay_seconds: u32,
    entry: &LogEntry,
) -> Outcome {
    let turn_on = |commit: &Commit<'_>, guard: Guard, before: Client| {
        if !before.fields.do_not_mail {
            return [guard.alone(), vec![log(entry)]].concat();
        }
        let after = ClientFields { do_not_mail: false, ..before.fields.clone() };
        let update = ClientUpdate { id: client, before, after, found_anew: None };
        [commit.open(1, guard), commit.update_clients(vec![update]), vec![commit.close(), log(entry)]].concat()
    };
    let found = change_one(driver, account, client, client_delay_seconds, entry, turn_on).await?;
    Ok(OperatorAnswer::Client(Box::new(found.ok_or(Refusal::NoClient)?)))
}

/// Takes a client away with its states and settlements, and keeps digests of its identities.
pub(super) async fn erase<D: Driver>(driver: &D, account: Uuid, client: Uuid, entry: &LogEntry) -> Outcome {
    let erase = |commit: &Commit<'_>, guard: Guard, before: Client| {
        let fields = before.fields;
        let identities = identities(account, fields.external_id.as_deref(), &Facts::of(&fields));
        let rows = identities.iter().map(|IdentityDigest(digest)| {
            [commit.account_id(), Value::from(digest.as_slice()), fields.do_not_mail.into()]
        });
        let names = ["account_id", "identity", "do_not_mail"];
        let tombstones = queries::ENTOMB_IDENTITIES.bind_rows(&names, rows);
        let which = || [("account_id", commit.account_id()), ("client", bind::id(client))];
        let (id, external_id) = SavedAnswer::texts_naming(client, fields.external_id.as_deref());
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
    };
    change_one(driver, account, client, 0, entry, erase).await?;
    Ok(OperatorAnswer::Erased)
}

/// Looks at one client, applies what `change` makes of it, and hands back the client as it is then.
/// Looks again when the ground has moved or the outcome is unknown, as
/// [`change`](crate::change::change) does; what was done is in the log.
async fn change_one<D: Driver>(
    driver: &D,
    account: Uuid,
    client: Uuid,
    client_delay_seconds: u32,
    entry: &LogEntry,
    change: impl Fn(&Commit<'_>, Guard, Client) -> Vec<Statement>,
) -> Result<Option<Client>, Stop> {
    let look =
        [queries::ACCOUNT_GROUND.bind([("account", bind::id(account))]), logged(entry), read_client(account, client)];
    let mut attempt = 0;
    // Whether an attempt may have been applied, or may be yet.
    let mut is_unknown = false;
    loop {
        attempt += 1;
        let failure = match driver.run(&look).await.map(Results::new) {
            // On the first look nothing was begun that would have to be found out about.
            Err(error) if attempt == 1 => return Err(StoreError::from(error).into()),
            Err(error) => StoreError::from(error),
            Ok(mut results) => {
                let ground = Ground::read(&mut results.row().ok_or(Refusal::NoAccount)?)?;
                let is_done = results.row().is_some();
                let found = results.row().map(|mut row| row.client()).transpose()?;
                if is_done {
                    return Ok(found);
                }
                let guard = match driver.isolation() {
                    Isolation::Batch => Guard::new(&ground, [client], Vec::new()),
                    Isolation::Transaction => Guard::none(),
                };
                let commit = Commit {
                    ground: &ground,
                    request_id: entry.request_id,
                    attempt,
                    now: entry.at,
                    api_key_id: None,
                    client_delay_seconds,
                    isolation: driver.isolation(),
                };
                let mut batch = change(&commit, guard, found.ok_or(Refusal::NoClient)?);
                batch.push(read_client(account, client));
                match driver.run(&batch).await {
                    Ok(mut rows) => {
                        let mut after = Results::new(rows.pop().into_iter().collect());
                        return Ok(after.row().map(|mut row| row.client()).transpose()?);
                    }
                    Err(DriverError::Constraint(cause)) if driver.isolation() == Isolation::Batch => {
                        StoreError::Contended { cause }
                    }
                    Err(error) => {
                        // What fails within one transaction is rolled back with it, by the host.
                        is_unknown |= driver.isolation() == Isolation::Batch && matches!(error, DriverError::Failed(_));
                        StoreError::from(error)
                    }
                }
            }
        };
        let is_begun = is_unknown || !matches!(failure, StoreError::Overloaded { .. });
        let is_final = driver.isolation() == Isolation::Transaction || attempt >= ATTEMPTS_MAX || !is_begun;
        if is_final || !driver.back_off(attempt).await {
            return Err(given_up(is_unknown, failure).into());
        }
    }
}

/// What a command ends with, after attempts of which one may have been applied.
fn given_up(is_unknown: bool, error: StoreError) -> StoreError {
    if is_unknown { StoreError::Unknown { cause: error.to_string() } } else { error }
}

fn read_client(account: Uuid, client: Uuid) -> Statement {
    queries::CLIENT.bind([("account", bind::id(account)), ("client", bind::id(client))])
}
