//! The operator's commands (design section 9), each with its entry in the log in the same batch
//! (S13).
//!
//! A command that cannot be done is refused by a look beforehand, or by a `require_…` statement that
//! fails the batch that would have done it ([`write`]); either way nothing is written, the log entry
//! included.
//!
//! A command says what it asks of the database, step by step ([`step`]); waiting for it is done in one place.

mod accounts;
mod clients;
mod counties;
mod feeds;
mod keys;
mod prospects;
mod step;
mod write;

use matterbook_core::store::{LogEntry, OperatorAnswer, OperatorCommand, Position, Refusal, StoreError};

use crate::driver::{Driver, DriverError};
use step::{Step, Task};

/// Why a command ends early.
enum Stop {
    Refused(Refusal),
    Failed(StoreError),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<DriverError> for Stop {
    fn from(error: DriverError) -> Self {
        Self::Failed(error.into())
    }
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

/// Does one command.
pub(crate) async fn operate<D: Driver>(
    driver: &D,
    command: OperatorCommand,
    entry: LogEntry,
) -> Result<OperatorAnswer, StoreError> {
    let step = first_step(command, &entry);
    match step.finish(driver, &Task { entry, isolation: driver.isolation() }).await {
        Ok(answer) => Ok(answer),
        Err(Stop::Refused(refusal)) => Ok(OperatorAnswer::Refused(refusal)),
        Err(Stop::Failed(error)) => Err(error),
    }
}

fn first_step(command: OperatorCommand, entry: &LogEntry) -> Step {
    match command {
        OperatorCommand::CreateAccount { id, login_id, email, flags } => {
            accounts::create(id, login_id, &email, flags, entry)
        }
        OperatorCommand::ShowAccount { account } => accounts::show(account),
        OperatorCommand::ListAccounts { after, limit } => accounts::list(after, limit),
        OperatorCommand::SetAccount { account, change } => accounts::set(account, change, entry),
        OperatorCommand::AddLogin { id, account, email, role } => accounts::add_login(id, account, &email, role, entry),
        OperatorCommand::SetRole { login, role } => accounts::set_role(login, role, entry),
        OperatorCommand::CreateKey { id, account, login, label, digest } => {
            keys::create(id, account, login, label, digest)
        }
        OperatorCommand::ListKeys { account } => keys::list(account),
        OperatorCommand::RevokeKey { key } => keys::revoke(key, entry),
        OperatorCommand::GrantCounty { account, grant } => counties::grant(account, grant, entry),
        OperatorCommand::RevokeCounty { account, fips } => counties::revoke(account, &fips),
        OperatorCommand::ImportProspects { prospects } => prospects::import(prospects),
        OperatorCommand::EraseProspect { prospect } => prospects::erase(prospect, entry),
        OperatorCommand::ShowClient { account, client } => clients::show(account, client),
        OperatorCommand::MailOn { account, client, client_delay_seconds } => {
            clients::mail_on(account, client, client_delay_seconds, entry)
        }
        OperatorCommand::EraseClient { account, client } => clients::erase(account, client, entry),
        OperatorCommand::ListSettlements { account, after, limit } => feeds::settlements(account, after, limit),
        OperatorCommand::ListLog { after, limit } => feeds::log(after, limit),
    }
}

/// Cuts rows, one more of which was read than the page holds, and says where to go on.
fn cut<R>(mut rows: Vec<R>, limit: u32, place: impl Fn(&R) -> Position) -> (Vec<R>, Option<Position>) {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| has_more).map(place);
    (rows, next)
}
