//! The operator's commands that only read.

use std::ops::Bound;

use super::CommandResult;
use crate::{
    memory::{
        listing::{page, start},
        review::Kept,
        state::State,
    },
    store::{OperatorAnswer, OperatorCommand, Position, Refusal},
    time::Timestamp,
};

impl State {
    /// The answer to a command that only reads; `None` for one that writes.
    pub(super) fn read(&self, command: &OperatorCommand) -> Option<CommandResult> {
        Some(match command {
            OperatorCommand::ShowAccount { account } => {
                self.content(*account).map(|content| OperatorAnswer::Account(content.account.clone()))
            }
            OperatorCommand::ListAccounts { after, limit } => {
                let places = self.accounts_by_age.range((start(*after, None), Bound::Unbounded)).copied();
                let show = |place: Position| self.accounts.get(&place.id).map(|content| content.account.clone());
                let (accounts, next) = page(places, *limit, show);
                Ok(OperatorAnswer::Accounts(accounts, next))
            }
            OperatorCommand::ListKeySecrets => {
                Ok(OperatorAnswer::KeySecrets(self.key_secrets.iter().cloned().collect()))
            }
            OperatorCommand::ListKeys { account } => self.content(*account).map(|_| {
                let mut keys: Vec<_> = self.keys.values().filter(|key| key.account_id == *account).cloned().collect();
                keys.sort_by_key(|key| (key.created_at, key.id));
                OperatorAnswer::Keys(keys)
            }),
            OperatorCommand::ShowClient { account, client } => self.content(*account).and_then(|content| {
                content
                    .clients
                    .get(*client)
                    .cloned()
                    .map(|client| OperatorAnswer::Client(Box::new(client)))
                    .ok_or(Refusal::NoClient)
            }),
            OperatorCommand::FindClients { account, filter, after, limit } => self.content(*account).map(|content| {
                let (clients, next) = content.clients.find(filter, *after, *limit);
                OperatorAnswer::Clients(clients, next)
            }),
            OperatorCommand::ListSettlements { account, after, limit } => self.content(*account).map(|content| {
                let (settlements, next) = content.clients.settlements(&content.similar, *after, *limit);
                OperatorAnswer::Settlements(settlements, next)
            }),
            OperatorCommand::ListReview { account, seen_since, before, limit } => {
                self.content(*account).map(|content| {
                    let show = |kept: &Kept| self.review_item(content, kept);
                    let (items, next) = content.review.page(*seen_since, *before, *limit, show);
                    OperatorAnswer::Review(items, next)
                })
            }
            OperatorCommand::ListSimilar { account, filter, after, limit } => self.content(*account).map(|content| {
                OperatorAnswer::Similar(content.similar.page(&content.clients, *filter, *after, *limit))
            }),
            OperatorCommand::StartComparison { account } => self.content(*account).map(|content| {
                OperatorAnswer::ComparisonStart(content.similar.start(&content.clients, content.last_commit_at))
            }),
            OperatorCommand::ListClientsById { account, after, limit } => self.content(*account).map(|content| {
                let following = content.clients.all().filter(|client| client.id > *after);
                let limit = usize::try_from(*limit).unwrap_or(usize::MAX);
                OperatorAnswer::Clients(following.take(limit).cloned().collect(), None)
            }),
            OperatorCommand::ReadClients { account, ids } => self.content(*account).map(|content| {
                let clients = ids.iter().filter_map(|id| content.clients.get(*id));
                OperatorAnswer::Clients(clients.cloned().collect(), None)
            }),
            OperatorCommand::ListDue { compared_before, limit } => {
                let accounts = self.accounts.iter();
                let due =
                    accounts.filter(|(_, content)| content.similar.are_due(content.last_commit_at, *compared_before));
                let limit = usize::try_from(*limit).unwrap_or(usize::MAX);
                Ok(OperatorAnswer::Due(due.map(|(id, _)| *id).take(limit).collect()))
            }
            OperatorCommand::ListHistory { account, client, before, limit } => {
                self.content(*account).and_then(|content| {
                    let history = self.client_history(content, *client, Timestamp::MAX, *before, *limit);
                    history.map(OperatorAnswer::History).ok_or(Refusal::NoClient)
                })
            }
            OperatorCommand::UndoChange { account, change, after, dry_run: true, .. } => {
                self.undo_report(*account, *change, *after).map(|report| OperatorAnswer::Undone(Box::new(report)))
            }
            OperatorCommand::ExportAccount { .. } => Err(Refusal::NoTransfer),
            OperatorCommand::ListLog { before, limit } => {
                let end = before.map_or(Bound::Unbounded, Bound::Excluded);
                let places = self.log.range((Bound::Unbounded, end)).rev().map(|(place, _)| *place);
                let (log, next) = page(places, *limit, |place| self.log.get(&place).map(|(_, record)| record.clone()));
                Ok(OperatorAnswer::Log(log, next))
            }
            _ => return None,
        })
    }
}
