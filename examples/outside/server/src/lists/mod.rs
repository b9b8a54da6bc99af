//! A store of plain lists, written from the contract of `matterbook_core::store` alone. It shows what a store has to
//! do, with the fewest means: each function reads or writes all data under one lock, and a write changes a copy that
//! takes the place of the data only where it succeeds.
//!
//! Its program keeps its own accounts and keys, so it has no operator's half. It has no prospects either.

mod accounts;
mod firm;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};

use matterbook_core::{
    account::{KeyOwner, KeyRecord},
    key::KeyDigest,
    store::{
        AuthorKind, ChangeAuthor, ChangeRequest, ClientPage, ClientPageEnd, ClientPageQuery, HistoryPage, HistoryQuery,
        NoOperatorStore, ProspectPage, ProspectPageQuery, SendStore, ShowClient, StoreError, StoredResponse,
    },
    time::Timestamp,
};

pub use accounts::NewAccount;
use firm::Firm;

/// The store. Clones share one content.
#[derive(Clone, Default)]
pub struct ListStore(Arc<Mutex<Data>>);

/// All that is stored.
#[derive(Clone, Default)]
struct Data {
    firms: Vec<Firm>,
    keys: Vec<(KeyDigest, KeyRecord)>,
}

impl ListStore {
    fn read<T>(&self, read: impl FnOnce(&Data) -> T) -> T {
        read(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whole or not at all (S4): an error leaves the data as it was.
    fn write<T, E>(&self, write: impl FnOnce(&mut Data) -> Result<T, E>) -> Result<T, E> {
        let mut data = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed = data.clone();
        let answer = write(&mut changed)?;
        *data = changed;
        Ok(answer)
    }
}

impl Data {
    /// The place of the firm that a live key opens, and the key's owner (S1).
    fn opened_by(&self, key: &KeyDigest, now: Timestamp) -> Option<(usize, KeyOwner)> {
        let (_, record) = self.keys.iter().find(|(digest, record)| digest == key && record.revoked_at.is_none())?;
        let place = self.firms.iter().position(|firm| firm.account.id == record.account_id)?;
        let account = &self.firms[place].account;
        let login = account.logins.iter().find(|login| login.id == record.login_id)?;
        let owner = KeyOwner {
            account: account.id,
            email: account.email.clone(),
            flags: account.flags,
            role: login.role,
            last_used_at: record.last_used_at,
            scope: record.scope,
            ends_at: record.ends_at,
        };
        (!owner.has_ended(now)).then_some((place, owner))
    }
}

/// The form whose futures are `Send`, as servers on several threads need.
impl SendStore for ListStore {
    type Operator = NoOperatorStore;

    async fn key_owner(&self, key: &KeyDigest, now: Timestamp) -> Result<Option<KeyOwner>, StoreError> {
        Ok(self.read(|data| data.opened_by(key, now).map(|(_, owner)| owner)))
    }

    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        self.write(|data| {
            let live = data.keys.iter_mut().find(|(digest, record)| digest == key && record.revoked_at.is_none());
            if let Some((_, record)) = live {
                record.last_used_at = record.last_used_at.max(Some(now));
            }
            Ok(())
        })
    }

    async fn change(&self, request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        // This store has no sessions.
        let Some(key) = request.authority.key().copied() else { return Ok(None) };
        self.write(|data| match data.opened_by(&key, request.now) {
            Some((place, owner)) => data.firms[place].change(owner, request).map(Some),
            None => Ok(None),
        })
    }

    async fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        let page = self.read(|data| {
            let (place, key_owner) = data.opened_by(key, query.view.now)?;
            let firm = &data.firms[place];
            let (clients, next) = firm.page(query);
            Some(ClientPage { key_owner, clients, seen_until: query.seen_until(firm.last_commit_at()), next })
        });
        Ok(page.map(|page| page.show(show)))
    }

    async fn history(&self, key: &KeyDigest, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        Ok(self.read(|data| {
            let (place, key_owner) = data.opened_by(key, query.view.now)?;
            let author = |key: &KeyDigest| {
                let (_, record) = data.keys.iter().find(|(digest, _)| digest == key)?;
                let label = record.label.clone().unwrap_or_else(|| record.last_four.to_string());
                Some(ChangeAuthor { kind: AuthorKind::Key, label: Some(label) })
            };
            Some(HistoryPage { key_owner, history: data.firms[place].history(query, author) })
        }))
    }

    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        let owner = self.read(|data| data.opened_by(key, query.view.now));
        let page = |(_, key_owner)| ProspectPage { key_owner, grants: Vec::new(), prospects: Vec::new(), next: None };
        Ok(owner.map(page))
    }
}

fn failed<T>(cause: &str) -> Result<T, StoreError> {
    Err(StoreError::Failed { cause: cause.to_owned() })
}
