//! The operator's commands, each with its log entry (S12, S13).

mod read;

use std::{cmp::Reverse, collections::BTreeSet};

use uuid::Uuid;

use super::{
    account::{Arrival, Content, Source},
    state::State,
};
use crate::{
    account::{Account, Grant, KeyRecord, Login, Role},
    key::{KeyLimits, StoredKey},
    store::{
        AccountChange, DecidedPair, LogEntry, LogRecord, OperatorAnswer, OperatorCommand, Position, Refusal, StoreError,
    },
    time::Timestamp,
    undo::{Change, UndoReport},
};

/// A command's answer, or why it is refused.
pub(super) type CommandResult = Result<OperatorAnswer, Refusal>;

impl State {
    /// Runs a command, and logs it if it changed something.
    pub(super) fn operate(&mut self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        if let Some(result) = self.read(&command) {
            return Ok(result.unwrap_or_else(OperatorAnswer::Refused));
        }
        self.check_ids(&command)?;
        let at = self.time_of(&command, entry.at);
        let concerned = self.account_of(&command);
        let is_logged = !matches!(command, OperatorCommand::KeepSimilar { .. });
        let written = match command {
            OperatorCommand::ResolveReview { account, item, decision, mint, .. } => {
                let client = self.content_mut(account).and_then(|content| {
                    let by = (entry.request_id, Source::Operator, entry.retention);
                    content.resolve(item, decision, mint, (entry.at, at), by)
                });
                client.map(|client| OperatorAnswer::Resolved(client.map(Box::new)))
            }
            command => self.write(command, at, &entry.actor, entry.request_id),
        };
        match written {
            Ok(answer) => {
                if is_logged {
                    self.add_to_log(entry, concerned);
                }
                Ok(answer)
            }
            Err(refusal) => Ok(OperatorAnswer::Refused(refusal)),
        }
    }

    /// The account that a command which writes concerns, if it is one alone.
    fn account_of(&self, command: &OperatorCommand) -> Option<Uuid> {
        match command {
            OperatorCommand::CreateAccount { id: account, .. }
            | OperatorCommand::SetAccount { account, .. }
            | OperatorCommand::AddLogin { account, .. }
            | OperatorCommand::CreateKey { account, .. }
            | OperatorCommand::GrantCounty { account, .. }
            | OperatorCommand::RevokeCounty { account, .. }
            | OperatorCommand::MailOn { account, .. }
            | OperatorCommand::UndoChange { account, .. }
            | OperatorCommand::ResolveReview { account, .. }
            | OperatorCommand::DecideSimilar { account, .. }
            | OperatorCommand::EraseClient { account, .. } => Some(*account),
            OperatorCommand::SetRole { login, .. }
            | OperatorCommand::RemoveLogin { login }
            | OperatorCommand::MakeLink { login, .. } => self.login(*login).map(|login| login.account_id),
            OperatorCommand::RevokeKey { key } => {
                self.keys.values().find(|known| known.id == *key).map(|key| key.account_id)
            }
            _ => None,
        }
    }

    /// Deletes the two oldest entries of the log, where they are from before this time.
    fn forget_log(&mut self, before: Timestamp) {
        for _ in 0..2 {
            if self.log.first_key_value().is_some_and(|(place, _)| place.at < before) {
                self.log.pop_first();
            }
        }
    }

    /// Adds an entry to the log, with the account that it concerns.
    pub(super) fn add_to_log(&mut self, entry: LogEntry, account: Option<Uuid>) {
        let place = Position { at: entry.at, id: entry.id };
        self.forget_log(entry.retention.operator_log_before(entry.at));
        self.log.insert(place, (account, record(entry)));
    }

    /// What an undo of a request's change, or of the next batch of an import, does.
    pub(super) fn undo_report(&self, account: Uuid, change: Uuid, after: Option<Uuid>) -> Result<UndoReport, Refusal> {
        let content = self.content(account)?;
        let named = content.arrivals.iter().find(|arrival| arrival.request_id == change);
        // A batch is taken back for itself where it is what is named.
        let import = Some(change).filter(|_| named.is_none());
        let of_import = |arrival: &&Arrival| import.is_some() && arrival.source.import() == import;
        let batches: BTreeSet<_> = content.arrivals.iter().filter(of_import).map(|arrival| arrival.at).collect();
        let is_next = |arrival: &&Arrival| after.is_none_or(|after| arrival.request_id < after);
        let mut left: Vec<_> = content.arrivals.iter().filter(of_import).filter(is_next).collect();
        left.sort_by_key(|arrival| Reverse(arrival.request_id));
        let arrival = named.or(left.first().copied()).ok_or(Refusal::NoChange)?;
        let next = Some(arrival.request_id).filter(|_| left.len() > 1);
        let change = Change {
            request_id: arrival.request_id,
            import_id: import,
            at: arrival.at,
            by: self.author(&arrival.source),
            created: arrival.created,
            changed: arrival.changed,
        };
        let undo = content.clients.undo(arrival.at, &batches).with_item(content.review.decided_in(arrival.request_id));
        Ok(UndoReport { undo, change, next })
    }

    /// A login of any account.
    pub(super) fn login(&self, id: Uuid) -> Option<&Login> {
        self.accounts.values().flat_map(|content| &content.account.logins).find(|login| login.id == id)
    }

    pub(super) fn write(
        &mut self,
        command: OperatorCommand,
        at: Timestamp,
        actor: &str,
        request_id: Uuid,
    ) -> CommandResult {
        match command {
            OperatorCommand::CreateAccount { id, number, login_id, email, flags } => {
                let owner =
                    Login { id: login_id, account_id: id, email: email.clone(), role: Role::Owner, created_at: at };
                let (logins, counties) = (vec![owner], Vec::new());
                let last_commit_at = None;
                let account = Account { id, number, email, flags, created_at: at, last_commit_at, logins, counties };
                self.accounts_by_age.insert(Position { at, id });
                self.accounts.insert(id, Content::new(account.clone()));
                Ok(OperatorAnswer::Account(account))
            }
            OperatorCommand::SetAccount { account, change } => {
                let is_suspended = change.suspended == Some(true);
                let account = self.account_mut(account)?;
                set(account, change);
                let account = account.clone();
                if is_suspended {
                    self.people.suspend(&account.logins);
                }
                Ok(OperatorAnswer::Account(account))
            }
            OperatorCommand::AddLogin { id, account, email, role } => {
                let login = Login { id, account_id: account, email, role, created_at: at };
                let logins = &mut self.account_mut(account)?.logins;
                logins.push(login.clone());
                logins.sort_by_key(|login| (login.created_at, login.id));
                Ok(OperatorAnswer::Login(login))
            }
            OperatorCommand::SetRole { login, role } => {
                let mut logins = self.accounts.values_mut().flat_map(|content| &mut content.account.logins);
                let login = logins.find(|known| known.id == login).ok_or(Refusal::NoLogin)?;
                if login.role != role {
                    self.people.end_sessions(login.id);
                }
                login.role = role;
                Ok(OperatorAnswer::Login(login.clone()))
            }
            OperatorCommand::MakeLink { login, link, expires_at } => {
                let found = self.login(login).cloned().ok_or(Refusal::NoLogin)?;
                self.people.make_link(login, link, expires_at);
                Ok(OperatorAnswer::Login(found))
            }
            OperatorCommand::RemoveLogin { login } => {
                let mut accounts = self.accounts.values_mut().map(|content| &mut content.account.logins);
                let logins = accounts.find(|logins| logins.iter().any(|known| known.id == login));
                let logins = logins.ok_or(Refusal::NoLogin)?;
                if !logins.iter().any(|other| other.id != login && other.role == Role::Owner)
                    && logins.iter().any(|known| known.id == login && known.role == Role::Owner)
                {
                    return Err(Refusal::LastOwner);
                }
                let place = logins.iter().position(|known| known.id == login).ok_or(Refusal::NoLogin)?;
                let removed = logins.remove(place);
                for key in self.keys.values_mut().filter(|key| key.login_id == login) {
                    key.revoked_at.get_or_insert(at);
                }
                self.people.remove(login);
                Ok(OperatorAnswer::Login(removed))
            }
            OperatorCommand::CreateKey { id, account, login, label, limits: KeyLimits { scope, ends_at }, key } => {
                let StoredKey { digest, last_four, secret } = key;
                let login_id = key_creator(&self.content(account)?.account, login)?;
                let key = KeyRecord {
                    id,
                    account_id: account,
                    login_id,
                    label,
                    last_four,
                    scope,
                    ends_at,
                    created_at: at,
                    last_used_at: None,
                    revoked_at: None,
                };
                self.keys.insert(digest, key.clone());
                self.key_secrets.insert(secret);
                Ok(OperatorAnswer::Key(key))
            }
            OperatorCommand::RevokeKey { key } => {
                let key = self.keys.values_mut().find(|known| known.id == key).ok_or(Refusal::NoKey)?;
                key.revoked_at.get_or_insert(at);
                Ok(OperatorAnswer::Key(key.clone()))
            }
            OperatorCommand::GrantCounty { account, grant } => {
                let counties = &mut self.account_mut(account)?.counties;
                counties.retain(|known| known.fips != grant.fips);
                counties.push(grant.clone());
                counties.sort();
                Ok(OperatorAnswer::County(grant))
            }
            OperatorCommand::RevokeCounty { account, fips } => {
                let counties = &mut self.account_mut(account)?.counties;
                let revoked: Option<Grant> = counties.iter().find(|known| known.fips == fips).cloned();
                counties.retain(|known| known.fips != fips);
                revoked.map(OperatorAnswer::County).ok_or(Refusal::NoCounty)
            }
            OperatorCommand::ImportProspects { prospects } => {
                Ok(OperatorAnswer::Imported(self.prospects.import(prospects, at)))
            }
            OperatorCommand::EraseProspect { prospect } => {
                self.prospects.erase(prospect, at).then_some(OperatorAnswer::Erased).ok_or(Refusal::NoProspect)
            }
            OperatorCommand::MailOn { account, client, client_delay_seconds: _ } => {
                let content = self.content_mut(account)?;
                let is_off = content.clients.get(client).ok_or(Refusal::NoClient)?.fields.do_not_mail;
                if is_off {
                    content.clients.mail_on(client, at);
                    content.set_last_commit_at(at);
                    content.note_commit(at, request_id, Source::Operator, 0, 1);
                    content.note_letters_on(client, at, actor, None);
                }
                content
                    .clients
                    .get(client)
                    .cloned()
                    .map(|client| OperatorAnswer::Client(Box::new(client)))
                    .ok_or(Refusal::NoClient)
            }
            OperatorCommand::UndoChange { account, change, after, .. } => {
                let report = self.undo_report(account, change, after)?;
                self.content_mut(account)?.undo(&report, at, request_id, Source::Operator);
                Ok(OperatorAnswer::Undone(Box::new(report)))
            }
            OperatorCommand::DecideSimilar { account, pair, decision } => {
                let content = self.content_mut(account)?;
                let decided = decision.map(|decision| DecidedPair { decision, at, by: actor.to_owned() });
                let pair = content.similar.decide(&content.clients, pair, decided)?;
                Ok(OperatorAnswer::SimilarPair(Box::new(pair)))
            }
            OperatorCommand::KeepSimilar { account, pairs, last_commit_at } => {
                let content = self.content_mut(account)?;
                let pairs = content.similar.keep(&content.clients, pairs, at, last_commit_at);
                Ok(OperatorAnswer::Compared(pairs))
            }
            OperatorCommand::EraseClient { account, client } => {
                let erased = self.content_mut(account)?.erase_client(client, at, request_id);
                erased.then_some(OperatorAnswer::Erased).ok_or(Refusal::NoClient)
            }
            OperatorCommand::BeginAccountImport { .. }
            | OperatorCommand::ImportAccountRows { .. }
            | OperatorCommand::DiscardAccountImport { .. } => Err(Refusal::NoTransfer),
            OperatorCommand::RestoreAccount { account, .. } => {
                self.content(account)?;
                Err(Refusal::NoPointInTime)
            }
            // `read` and `resolve` answer these.
            OperatorCommand::ShowAccount { .. }
            | OperatorCommand::ListAccounts { .. }
            | OperatorCommand::ListKeySecrets
            | OperatorCommand::ListKeys { .. }
            | OperatorCommand::ShowClient { .. }
            | OperatorCommand::ListSettlements { .. }
            | OperatorCommand::FindClients { .. }
            | OperatorCommand::ListReview { .. }
            | OperatorCommand::ResolveReview { .. }
            | OperatorCommand::ListSimilar { .. }
            | OperatorCommand::StartComparison { .. }
            | OperatorCommand::ListClientsById { .. }
            | OperatorCommand::ReadClients { .. }
            | OperatorCommand::ListDue { .. }
            | OperatorCommand::ListHistory { .. }
            | OperatorCommand::ExportAccount { .. }
            | OperatorCommand::ListLog { .. } => Err(Refusal::NoAccount),
        }
    }

    /// The time of what the command changes, moved past the last commit or import (S6).
    pub(super) fn time_of(&self, command: &OperatorCommand, now: Timestamp) -> Timestamp {
        match command {
            OperatorCommand::MailOn { account, .. }
            | OperatorCommand::UndoChange { account, .. }
            | OperatorCommand::ResolveReview { account, .. }
            | OperatorCommand::EraseClient { account, .. } => {
                self.content(*account).map_or(now, |content| content.next_commit_at(now))
            }
            OperatorCommand::ImportProspects { .. } | OperatorCommand::EraseProspect { .. } => {
                self.prospects.next_change_at(now)
            }
            _ => now,
        }
    }

    /// New ids, numbers and digests are random, so one that is taken is the caller's error. It must not overwrite the
    /// existing entry (S17).
    pub(super) fn check_ids(&self, command: &OperatorCommand) -> Result<(), StoreError> {
        let is_taken = match command {
            OperatorCommand::CreateAccount { id, number, login_id, .. } => {
                let has_number = |content: &Content| content.account.number == *number;
                self.accounts.contains_key(id) || self.accounts.values().any(has_number) || self.has_login(*login_id)
            }
            OperatorCommand::AddLogin { id, .. } => self.has_login(*id),
            OperatorCommand::CreateKey { id, key, .. } => {
                self.keys.contains_key(&key.digest) || self.keys.values().any(|known| known.id == *id)
            }
            _ => false,
        };
        if is_taken { Err(StoreError::Failed { cause: "a new id is taken".to_owned() }) } else { Ok(()) }
    }

    fn has_login(&self, id: Uuid) -> bool {
        self.accounts.values().flat_map(|content| &content.account.logins).any(|login| login.id == id)
    }

    pub(super) fn content(&self, account: Uuid) -> Result<&Content, Refusal> {
        self.accounts.get(&account).ok_or(Refusal::NoAccount)
    }

    pub(super) fn content_mut(&mut self, account: Uuid) -> Result<&mut Content, Refusal> {
        self.accounts.get_mut(&account).ok_or(Refusal::NoAccount)
    }

    fn account_mut(&mut self, account: Uuid) -> Result<&mut Account, Refusal> {
        Ok(&mut self.content_mut(account)?.account)
    }
}

fn set(account: &mut Account, change: AccountChange) {
    let AccountChange { email, api_enabled, suspended, digital_bundle, contact_enrichment } = change;
    let flags = &mut account.flags;
    account.email = email.unwrap_or_else(|| std::mem::take(&mut account.email));
    flags.api_enabled = api_enabled.unwrap_or(flags.api_enabled);
    flags.suspended = suspended.unwrap_or(flags.suspended);
    flags.digital_bundle = digital_bundle.unwrap_or(flags.digital_bundle);
    flags.contact_enrichment = contact_enrichment.unwrap_or(flags.contact_enrichment);
}

/// The login that creates a key: the one named if it is an owner's, else the oldest owner's (rule K5).
fn key_creator(account: &Account, login: Option<Uuid>) -> Result<Uuid, Refusal> {
    match login {
        Some(id) => {
            let login = account.logins.iter().find(|login| login.id == id).ok_or(Refusal::NoLogin)?;
            if login.role == Role::Owner { Ok(id) } else { Err(Refusal::NotOwner) }
        }
        None => {
            let owner = account.logins.iter().find(|login| login.role == Role::Owner);
            owner.map(|login| login.id).ok_or(Refusal::NoOwner)
        }
    }
}

fn record(entry: LogEntry) -> LogRecord {
    let LogEntry { id, at, actor, action, subject, request_id, retention: _ } = entry;
    LogRecord { id, at, actor, action: action.to_owned(), subject, request_id }
}
