//! What the operator does to one client: shows it, turns its letters on again, erases it (S12).

use matterbook_core::{
    client::{Client, ClientFields},
    matching::{Facts, PersonHash, identities},
    store::{ClientUpdate, IdentityDigest, LogEntry, OperatorAnswer, Refusal, SavedAnswer, StoreError},
};
use uuid::Uuid;

use super::{Outcome, Stop, log};
use crate::{
    bind,
    commit::{ATTEMPTS_MAX, Commit, Ground},
    driver::{Driver, DriverError, Isolation, Statement},
    queries,
    read::{Results, store_error},
};

pub(super) async fn show<D: Driver>(driver: &D, account: Uuid, client: Uuid) -> Outcome {
    let known = queries::ACCOUNT.bind([("account", bind::id(account))]);
    let mut results = Results::of(driver, &[known, read_client(account, client)]).await?;
    results.row().ok_or(Refusal::NoAccount)?;
    Ok(OperatorAnswer::Client(results.row().ok_or(Refusal::NoClient)?.client()?))
}

/// Turns `do_not_mail` off: a commit like any other, so the earlier state stays in the delayed view.
pub(super) async fn mail_on<D: Driver>(
    driver: &D,
    account: Uuid,
    client: Uuid,
    client_delay_seconds: u32,
    entry: &LogEntry,
) -> Outcome {
    let turn_on = |commit: &Commit<'_>, before: Client| {
        if !before.fields.do_not_mail {
            return vec![log(entry)];
        }
        let after = ClientFields { do_not_mail: false, ..before.fields.clone() };
        // The person stays what it was, so its hashes need not be known.
        let person = PersonHash::default();
        let update = ClientUpdate { id: client, before, person_before: person, after, person_after: person };
        [commit.open(1).to_vec(), commit.update_clients(vec![update]), vec![commit.close(), log(entry)]].concat()
    };
    let found = change_one(driver, account, client, client_delay_seconds, entry, turn_on).await?;
    Ok(OperatorAnswer::Client(found.ok_or(Refusal::NoClient)?))
}

/// Takes a client away with its states and settlements, and keeps digests of its identities.
pub(super) async fn erase<D: Driver>(driver: &D, account: Uuid, client: Uuid, entry: &LogEntry) -> Outcome {
    let erase = |commit: &Commit<'_>, before: Client| {
        let fields = before.fields;
        let identities = identities(account, fields.external_id.as_deref(), &Facts::of(&fields));
        let rows = identities
            .iter()
            .map(|IdentityDigest(digest)| vec![commit.account_id(), bind::bytes(digest), fields.do_not_mail.into()]);
        let names = ["account_id", "identity", "do_not_mail"];
        let tombstones = queries::ENTOMB_IDENTITIES.bind_rows(&names, rows.collect());
        let which = || [("account_id", commit.account_id()), ("client", bind::id(client))];
        let (id, external_id) = SavedAnswer::texts_naming(client, fields.external_id.as_deref());
        let answers = queries::ERASE_ANSWERS.bind([
            ("account_id", commit.account_id()),
            ("id", id.into()),
            ("external_id", external_id.into()),
        ]);
        let erase = vec![
            queries::MARK_ERASURE.bind([("account_id", commit.account_id())]),
            queries::ERASE_STATES.bind(which()),
            queries::ERASE_SETTLEMENTS.bind(which()),
            queries::ERASE_CLIENT.bind(which()),
            answers,
            log(entry),
        ];
        [commit.open(0).to_vec(), tombstones, erase].concat()
    };
    change_one(driver, account, client, 0, entry, erase).await?;
    Ok(OperatorAnswer::Erased)
}

/// Looks at one client, applies what `change` makes of it, and hands back the client as it is then.
/// Looks again when the ground has moved or the outcome is unknown, as
/// [`change`](crate::change::change) does.
async fn change_one<D: Driver>(
    driver: &D,
    account: Uuid,
    client: Uuid,
    client_delay_seconds: u32,
    entry: &LogEntry,
    change: impl Fn(&Commit<'_>, Client) -> Vec<Statement>,
) -> Result<Option<Client>, Stop> {
    let look = [
        queries::ACCOUNT_GROUND.bind([("account", bind::id(account)), ("request_id", bind::id(entry.request_id))]),
        read_client(account, client),
    ];
    let mut attempt = 0;
    // Whether an attempt may have been applied, or may be yet.
    let mut is_unknown = false;
    loop {
        attempt += 1;
        let mut results = Results::of(driver, &look).await.map_err(|error| given_up(is_unknown, error))?;
        let ground = Ground::read(&mut results.row().ok_or(Refusal::NoAccount)?)?;
        let found = results.row().map(|mut row| row.client()).transpose()?;
        if ground.earlier_attempt.is_some() {
            return Ok(found);
        }
        let commit = Commit {
            ground: &ground,
            request_id: entry.request_id,
            attempt,
            now: entry.at,
            api_key_id: None,
            client_delay_seconds,
        };
        let mut batch = Vec::new();
        if driver.isolation() == Isolation::Batch {
            batch.push(guard(&commit, client));
        }
        batch.extend(change(&commit, found.ok_or(Refusal::NoClient)?));
        batch.push(read_client(account, client));
        let failure = match driver.run(&batch).await {
            Ok(mut rows) => {
                let after = rows.pop().map(|rows| Results::new(vec![rows])).and_then(|mut results| results.row());
                return Ok(after.map(|mut row| row.client()).transpose()?);
            }
            Err(DriverError::Constraint(cause)) => StoreError::Contended { cause },
            Err(error @ DriverError::Overloaded(_)) => return Err(given_up(is_unknown, store_error(error)).into()),
            Err(error @ DriverError::Failed(_)) => {
                is_unknown |= driver.isolation() == Isolation::Batch;
                store_error(error)
            }
        };
        let is_final = driver.isolation() == Isolation::Transaction || attempt >= ATTEMPTS_MAX;
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

/// Refuses the batch when the client has changed since the look.
fn guard(commit: &Commit<'_>, client: Uuid) -> Statement {
    queries::GUARD_COMMIT.bind([
        ("account_id", commit.account_id()),
        ("read_at", bind::time(commit.ground.last_commit_at)),
        ("client_ids", bind::texts([client.simple().to_string().as_str()]).into()),
        ("external_ids", "[]".into()),
        ("persons", "[]".into()),
        ("names", "[]".into()),
    ])
}
