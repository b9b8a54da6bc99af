//! Stores that do the operator's commands wrongly, or leave no trace of them (S13).

use std::cell::RefCell;

use matterbook_core::{
    account::{Account, Role},
    key::AccountNumber,
    memory::MemoryStore,
    store::{
        AccountChange, ClientFilter, LogEntry, LogRecord, OperatorAnswer, OperatorCommand, OperatorStore, Refusal,
        Retention, StoreError,
    },
};

use super::broken::Fault;

/// Leaves no entry of a revoked key.
#[derive(Default)]
pub(super) struct LogEntryIsMissing;

impl Fault for LogEntryIsMissing {
    fn answer(&self, _command: &OperatorCommand, _entry: &LogEntry, answer: OperatorAnswer) -> OperatorAnswer {
        match answer {
            OperatorAnswer::Log(mut records, next) => {
                records.retain(|record| record.action != "key.revoke");
                OperatorAnswer::Log(records, next)
            }
            other => other,
        }
    }
}

/// Leaves an entry of a refused command too.
#[derive(Default)]
pub(super) struct LogsRefusals {
    refused: RefCell<Vec<LogRecord>>,
}

impl Fault for LogsRefusals {
    fn answer(&self, _command: &OperatorCommand, entry: &LogEntry, answer: OperatorAnswer) -> OperatorAnswer {
        match answer {
            OperatorAnswer::Refused(refusal) => {
                let LogEntry { id, at, actor, action, subject, request_id, retention: _ } = entry.clone();
                let record = LogRecord { id, at, actor, action: action.to_owned(), subject, request_id };
                self.refused.borrow_mut().push(record);
                OperatorAnswer::Refused(refusal)
            }
            OperatorAnswer::Log(mut records, None) => {
                records.extend(self.refused.borrow().iter().cloned());
                OperatorAnswer::Log(records, None)
            }
            other => other,
        }
    }
}

/// Keeps the log for a fixed number of days.
#[derive(Default)]
pub(super) struct ForgetsLog<const DAYS: u32>;

impl<const DAYS: u32> Fault for ForgetsLog<DAYS> {
    async fn operate(
        &self,
        sound: &MemoryStore,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> Result<OperatorAnswer, StoreError> {
        let retention = Retention { operator_log_days: DAYS, ..entry.retention };
        sound.operate(command, LogEntry { retention, ..entry }).await
    }
}

/// Lists the log without a place to go on from.
#[derive(Default)]
pub(super) struct LogEndsWithFirstPage;

impl Fault for LogEndsWithFirstPage {
    fn answer(&self, _command: &OperatorCommand, _entry: &LogEntry, answer: OperatorAnswer) -> OperatorAnswer {
        match answer {
            OperatorAnswer::Log(records, _) => OperatorAnswer::Log(records, None),
            other => other,
        }
    }
}

/// Shows no account's last commit.
#[derive(Default)]
pub(super) struct LastCommitIsHidden;

impl Fault for LastCommitIsHidden {
    fn answer(&self, _command: &OperatorCommand, _entry: &LogEntry, answer: OperatorAnswer) -> OperatorAnswer {
        match answer {
            OperatorAnswer::Account(account) => OperatorAnswer::Account(Account { last_commit_at: None, ..account }),
            other => other,
        }
    }
}

/// Turns off every flag that a change of the account does not name.
#[derive(Default)]
pub(super) struct UnnamedFlagsAreTurnedOff;

impl Fault for UnnamedFlagsAreTurnedOff {
    fn command(&self, _entry: &LogEntry, command: OperatorCommand) -> OperatorCommand {
        match command {
            OperatorCommand::SetAccount { account, change } => {
                let off = |flag: Option<bool>| Some(flag.unwrap_or_default());
                let change = AccountChange {
                    email: change.email,
                    api_enabled: off(change.api_enabled),
                    suspended: off(change.suspended),
                    digital_bundle: off(change.digital_bundle),
                    contact_enrichment: off(change.contact_enrichment),
                };
                OperatorCommand::SetAccount { account, change }
            }
            other => other,
        }
    }
}

/// Makes a login view-only instead of removing it.
#[derive(Default)]
pub(super) struct RemovedLoginStays;

impl Fault for RemovedLoginStays {
    async fn operate(
        &self,
        sound: &MemoryStore,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> Result<OperatorAnswer, StoreError> {
        let command = match command {
            OperatorCommand::RemoveLogin { login } => OperatorCommand::SetRole { login, role: Role::ViewOnly },
            other => other,
        };
        sound.operate(command, entry).await
    }
}

/// Finds clients without the values that are looked for.
#[derive(Default)]
pub(super) struct FindsWhateverThereIs;

impl Fault for FindsWhateverThereIs {
    async fn operate(
        &self,
        sound: &MemoryStore,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> Result<OperatorAnswer, StoreError> {
        let command = match command {
            OperatorCommand::FindClients { account, after, limit, .. } => {
                OperatorCommand::FindClients { account, filter: ClientFilter::default(), after, limit }
            }
            other => other,
        };
        sound.operate(command, entry).await
    }
}

/// Knows no secret of a key.
#[derive(Default)]
pub(super) struct ForgetsKeySecrets;

impl Fault for ForgetsKeySecrets {
    async fn operate(
        &self,
        sound: &MemoryStore,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> Result<OperatorAnswer, StoreError> {
        match sound.operate(command, entry).await? {
            OperatorAnswer::KeySecrets(_) => Ok(OperatorAnswer::KeySecrets(Vec::new())),
            answer => Ok(answer),
        }
    }
}

/// Creates an account whose number is taken, with another one.
#[derive(Default)]
pub(super) struct ChangesTakenNumbers;

impl Fault for ChangesTakenNumbers {
    async fn operate(
        &self,
        sound: &MemoryStore,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> Result<OperatorAnswer, StoreError> {
        match (sound.operate(command.clone(), entry.clone()).await, command) {
            (Err(_), OperatorCommand::CreateAccount { id, login_id, email, flags, .. }) => {
                let number = AccountNumber::from_bytes([0xff; 6]);
                sound.operate(OperatorCommand::CreateAccount { id, number, login_id, email, flags }, entry).await
            }
            (answer, _) => answer,
        }
    }
}

/// Makes keys for any login.
#[derive(Default)]
pub(super) struct AnyLoginMakesKeys;

impl Fault for AnyLoginMakesKeys {
    async fn operate(
        &self,
        sound: &MemoryStore,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> Result<OperatorAnswer, StoreError> {
        let answer = sound.operate(command.clone(), entry.clone()).await?;
        match (command, answer) {
            (
                OperatorCommand::CreateKey { id, account, label, limits, key, login: _ },
                OperatorAnswer::Refused(Refusal::NotOwner),
            ) => {
                let command = OperatorCommand::CreateKey { id, account, login: None, label, limits, key };
                sound.operate(command, entry).await
            }
            (_, answer) => Ok(answer),
        }
    }
}

/// Moves the time of a revocation with each repetition.
#[derive(Default)]
pub(super) struct RevocationMoves;

impl Fault for RevocationMoves {
    fn answer(&self, command: &OperatorCommand, entry: &LogEntry, answer: OperatorAnswer) -> OperatorAnswer {
        match (command, answer) {
            (OperatorCommand::RevokeKey { .. }, OperatorAnswer::Key(mut key)) => {
                key.revoked_at = Some(entry.at);
                OperatorAnswer::Key(key)
            }
            (_, other) => other,
        }
    }
}

/// Orders the settlements feed by when each began, so a correction stays where readers have been.
#[derive(Default)]
pub(super) struct FeedIgnoresCorrections;

impl Fault for FeedIgnoresCorrections {
    fn answer(&self, _command: &OperatorCommand, _entry: &LogEntry, answer: OperatorAnswer) -> OperatorAnswer {
        match answer {
            OperatorAnswer::Settlements(mut settlements, next) => {
                settlements.sort_by_key(|settlement| settlement.begun_at);
                OperatorAnswer::Settlements(settlements, next)
            }
            other => other,
        }
    }
}

/// Turns letters on in the answer alone.
#[derive(Default)]
pub(super) struct MailOnIsNotSaved;

impl Fault for MailOnIsNotSaved {
    async fn operate(
        &self,
        sound: &MemoryStore,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> Result<OperatorAnswer, StoreError> {
        let OperatorCommand::MailOn { account, client, .. } = command else {
            return sound.operate(command, entry).await;
        };
        let answer = sound.operate(OperatorCommand::ShowClient { account, client }, entry.clone()).await?;
        Ok(match answer {
            OperatorAnswer::Client(mut client) => {
                client.fields.do_not_mail = false;
                client.updated_at = entry.at;
                OperatorAnswer::Client(client)
            }
            other => other,
        })
    }
}
