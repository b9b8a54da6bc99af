//! The operator's commands, each with its log entry in the same batch (S13).
//!
//! A command whose target does not exist is refused: by a read before the write, or by a `require_…`
//! statement that makes the batch fail ([`write`]). Either way nothing is written, not even the log
//! entry.

mod accounts;
mod clients;
mod command;
#[cfg(feature = "console")]
pub(crate) mod console;
mod counties;
mod feeds;
mod keys;
mod prospects;
mod review;
pub(crate) mod similar;
pub(crate) mod transfer;
mod undo;
mod write;

use matterbook_core::store::{LogEntry, OperatorAnswer, OperatorCommand, StoreError};

use crate::driver::Driver;
use command::{Command, CommandError, CommandResult};

/// Runs one command.
pub(crate) async fn operate<D: Driver>(
    driver: &D,
    command: OperatorCommand,
    entry: LogEntry,
) -> Result<OperatorAnswer, StoreError> {
    let by_operator = Command::by_operator(driver, &entry);
    match run(&by_operator, command).await {
        Ok(answer) => Ok(answer),
        Err(CommandError::Refused(refusal)) => Ok(OperatorAnswer::Refused(refusal)),
        // The operator needs no session.
        Err(CommandError::SessionChanged) => Err(StoreError::Failed { cause: "a session changed".to_owned() }),
        Err(CommandError::Failed(error)) => Err(error),
    }
}

async fn run<D: Driver>(command: &Command<'_, D>, kind: OperatorCommand) -> CommandResult {
    match kind {
        OperatorCommand::CreateAccount { id, number, login_id, email, flags } => {
            accounts::create(command, id, number, login_id, &email, flags).await
        }
        OperatorCommand::ShowAccount { account } => accounts::show(command, account).await,
        OperatorCommand::ListAccounts { after, limit } => accounts::list(command, after, limit).await,
        OperatorCommand::SetAccount { account, change } => accounts::set(command, account, change).await,
        OperatorCommand::AddLogin { id, account, email, role } => {
            accounts::add_login(command, id, account, &email, role).await
        }
        OperatorCommand::SetRole { login, role } => accounts::set_role(command, login, role, None).await,
        OperatorCommand::MakeLink { login, link, expires_at } => {
            accounts::make_link(command, login, link, expires_at).await
        }
        OperatorCommand::RemoveLogin { login } => accounts::remove_login(command, login).await,
        OperatorCommand::CreateKey { id, account, login, label, limits, key } => {
            keys::create(command, id, account, login, (label, limits), key).await
        }
        OperatorCommand::ListKeySecrets => keys::list_secrets(command).await,
        OperatorCommand::ListKeys { account } => keys::list(command, account).await,
        OperatorCommand::RevokeKey { key } => keys::revoke(command, key).await,
        OperatorCommand::GrantCounty { account, grant } => counties::grant(command, account, grant).await,
        OperatorCommand::RevokeCounty { account, fips } => counties::revoke(command, account, &fips).await,
        OperatorCommand::ImportProspects { prospects } => prospects::import(command, &prospects).await,
        OperatorCommand::EraseProspect { prospect } => prospects::erase(command, prospect).await,
        OperatorCommand::ShowClient { account, client } => clients::show(command, account, client).await,
        OperatorCommand::FindClients { account, filter, after, limit } => {
            feeds::clients(command, account, &filter, after, limit).await
        }
        OperatorCommand::MailOn { account, client, client_delay_seconds } => {
            clients::mail_on(command, account, client, client_delay_seconds, None).await
        }
        OperatorCommand::EraseClient { account, client } => clients::erase(command, account, client).await,
        OperatorCommand::ListSettlements { account, after, limit } => {
            feeds::settlements(command, account, after, limit).await
        }
        OperatorCommand::ListReview { account, seen_since, before, limit } => {
            feeds::review(command, account, seen_since, before, limit).await
        }
        OperatorCommand::ResolveReview { account, item, decision, mint, client_delay_seconds } => {
            review::decide(command, review::Decided { account, item, decision, mint, client_delay_seconds }).await
        }
        OperatorCommand::ListSimilar { account, filter, after, limit } => {
            similar::list(command, account, filter, after, limit).await
        }
        OperatorCommand::DecideSimilar { account, pair, decision } => {
            similar::decide(command, account, pair, decision).await
        }
        OperatorCommand::StartComparison { account } => similar::start(command, account).await,
        OperatorCommand::ListClientsById { account, after, limit } => {
            similar::clients_by_id(command, account, after, limit).await
        }
        OperatorCommand::ReadClients { account, ids } => similar::clients_of_ids(command, account, &ids).await,
        OperatorCommand::KeepSimilar { account, pairs, last_commit_at } => {
            similar::keep(command, account, &pairs, last_commit_at).await
        }
        OperatorCommand::ListDue { compared_before, limit } => similar::due(command, compared_before, limit).await,
        OperatorCommand::ListHistory { account, client, before, limit } => {
            clients::history(command, account, client, before, limit).await
        }
        OperatorCommand::UndoChange { account, change, after, client_delay_seconds, dry_run } => {
            undo::run(command, (account, change, after), client_delay_seconds, dry_run).await
        }
        OperatorCommand::ExportAccount { account, after } => transfer::export(command, account, after.as_deref()).await,
        OperatorCommand::BeginAccountImport { account, import } => transfer::begin(command, account, &import).await,
        OperatorCommand::ImportAccountRows { account, from, rows } => {
            transfer::rows(command, account, from, &rows).await
        }
        OperatorCommand::DiscardAccountImport { account } => transfer::discard(command, account).await,
        OperatorCommand::RestoreAccount { account, at } => accounts::restore(command, account, at).await,
        OperatorCommand::ListLog { before, limit } => feeds::log(command, before, limit).await,
    }
}

/// Makes a page of rows, one more of which was read than fits, and the position of the next page.
fn page<R, P>(mut rows: Vec<R>, limit: u32, position: impl Fn(&R) -> P) -> (Vec<R>, Option<P>) {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| has_more).map(position);
    (rows, next)
}
