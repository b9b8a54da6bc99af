//! The operator's commands (design section 9), each with its entry in the log in the same batch
//! (S13).
//!
//! A command that cannot be done is refused by a look beforehand, or by a `require_…` statement that
//! fails the batch that would have done it ([`write`]); either way nothing is written, the log entry
//! included.

mod accounts;
mod clients;
mod counties;
mod feeds;
mod keys;
mod prospects;
mod write;

use matterbook_core::store::{LogEntry, OperatorAnswer, OperatorCommand, Position, Refusal, StoreError};

use crate::driver::Driver;

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

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

/// What a command comes to.
type Outcome = Result<OperatorAnswer, Stop>;

/// Does one command.
pub(crate) async fn operate<D: Driver>(
    driver: &D,
    command: OperatorCommand,
    entry: LogEntry,
) -> Result<OperatorAnswer, StoreError> {
    let outcome = match command {
        OperatorCommand::CreateAccount { id, login_id, email, flags } => {
            accounts::create(driver, id, login_id, email, flags, &entry).await
        }
        OperatorCommand::ShowAccount { account } => accounts::show(driver, account).await,
        OperatorCommand::ListAccounts { after, limit } => accounts::list(driver, after, limit).await,
        OperatorCommand::SetAccount { account, change } => accounts::set(driver, account, change, &entry).await,
        OperatorCommand::AddLogin { id, account, email, role } => {
            accounts::add_login(driver, id, account, email, role, &entry).await
        }
        OperatorCommand::SetRole { login, role } => accounts::set_role(driver, login, role, &entry).await,
        OperatorCommand::CreateKey { id, account, login, label, digest } => {
            keys::create(driver, id, account, login, label, &digest, &entry).await
        }
        OperatorCommand::ListKeys { account } => keys::list(driver, account).await,
        OperatorCommand::RevokeKey { key } => keys::revoke(driver, key, &entry).await,
        OperatorCommand::GrantCounty { account, grant } => counties::grant(driver, account, grant, &entry).await,
        OperatorCommand::RevokeCounty { account, fips } => counties::revoke(driver, account, &fips, &entry).await,
        OperatorCommand::ImportProspects { prospects } => prospects::import(driver, prospects, &entry).await,
        OperatorCommand::EraseProspect { prospect } => prospects::erase(driver, prospect, &entry).await,
        OperatorCommand::ShowClient { account, client } => clients::show(driver, account, client).await,
        OperatorCommand::MailOn { account, client, client_delay_seconds } => {
            clients::mail_on(driver, account, client, client_delay_seconds, &entry).await
        }
        OperatorCommand::EraseClient { account, client } => clients::erase(driver, account, client, &entry).await,
        OperatorCommand::ListSettlements { account, after, limit } => {
            feeds::settlements(driver, account, after, limit).await
        }
        OperatorCommand::ListLog { after, limit } => feeds::log(driver, after, limit).await,
    };
    match outcome {
        Ok(answer) => Ok(answer),
        Err(Stop::Refused(refusal)) => Ok(OperatorAnswer::Refused(refusal)),
        Err(Stop::Failed(error)) => Err(error),
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
