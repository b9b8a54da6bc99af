//! The content of the store, and the owners of its keys (S1, S2).

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::{
    account::{Content, Source},
    people::People,
    prospects::Prospects,
    review::Kept,
};
use crate::{
    account::{KeyOwner, KeyRecord},
    key::{KeyDigest, KeySecretCheck},
    store::{
        AuthorKind, Authority, ChangeAuthor, ChangeOwner, ChangeRequest, ClientHistory, ClientPage, ClientPageQuery,
        ClientState, HistoryPage, HistoryQuery, LogRecord, Position, ProspectPage, ProspectPageQuery, ReviewItem,
        SessionAuthority, StoreError, StoredResponse,
    },
    time::Timestamp,
};

/// The content of a store.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) accounts: BTreeMap<Uuid, Content>,
    pub(super) accounts_by_age: BTreeSet<Position>,
    pub(super) keys: BTreeMap<KeyDigest, KeyRecord>,
    pub(super) key_secrets: BTreeSet<KeySecretCheck>,
    pub(super) prospects: Prospects,
    /// Each entry with the account that it concerns.
    pub(super) log: BTreeMap<Position, (Option<Uuid>, LogRecord)>,
    pub(super) people: People,
}

impl State {
    /// The owner of a key that is live at a time.
    pub(super) fn key_owner(&self, key: &KeyDigest, now: Timestamp) -> Option<KeyOwner> {
        let record = self.keys.get(key).filter(|record| record.revoked_at.is_none())?;
        let account = &self.accounts.get(&record.account_id)?.account;
        let login = account.logins.iter().find(|login| login.id == record.login_id)?;
        let key_owner = KeyOwner {
            account: account.id,
            email: account.email.clone(),
            flags: account.flags,
            role: login.role,
            last_used_at: record.last_used_at,
            scope: record.scope,
            ends_at: record.ends_at,
        };
        Some(key_owner).filter(|key_owner| !key_owner.has_ended(now))
    }

    pub(super) fn record_use(&mut self, key: &KeyDigest, now: Timestamp) {
        if let Some(record) = self.keys.get_mut(key).filter(|record| record.revoked_at.is_none()) {
            record.last_used_at = record.last_used_at.max(Some(now));
        }
    }

    pub(super) fn change(&mut self, request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        let (account, owner, source) = match &request.authority {
            Authority::Key(key) => {
                let Some(owner) = self.key_owner(key, request.now) else { return Ok(None) };
                (owner.account, ChangeOwner::Key(owner), Source::Key(*key))
            }
            Authority::Session(SessionAuthority { session, import }) => {
                let Some(owner) = self.session_owner(session, request.now) else { return Ok(None) };
                let content = self.accounts.get(&owner.account);
                let state = import.and_then(|import| content?.imports.state(import));
                let source = Source::Login(owner.login, *import);
                (owner.account, ChangeOwner::Session(Box::new(owner), state), source)
            }
        };
        let Some(content) = self.accounts.get_mut(&account) else { return Ok(None) };
        content.change(owner, source, request).map(Some)
    }

    pub(super) fn clients(&self, key: &KeyDigest, query: &ClientPageQuery) -> Option<ClientPage> {
        let key_owner = self.key_owner(key, query.view.now)?;
        let content = self.accounts.get(&key_owner.account)?;
        let (clients, next) = content.clients.page(query, content.last_commit_at);
        Some(ClientPage { key_owner, clients, seen_until: query.seen_until(content.last_commit_at), next })
    }

    pub(super) fn history(&self, key: &KeyDigest, query: &HistoryQuery) -> Option<HistoryPage> {
        let key_owner = self.key_owner(key, query.view.now)?;
        let content = self.accounts.get(&key_owner.account)?;
        let horizon = query.view.horizon(content.last_commit_at);
        let history = self.client_history(content, query.client, horizon, query.before, query.limit);
        Some(HistoryPage { key_owner, history })
    }

    /// The changes of a client up to a moment and before a time; `None` if there is no such client then.
    pub(super) fn client_history(
        &self,
        content: &Content,
        client: Uuid,
        moment: Timestamp,
        before: Option<Timestamp>,
        limit: u32,
    ) -> Option<ClientHistory> {
        let states = content.clients.states_of(client, moment);
        let states = states.filter(|(client, ..)| before.is_none_or(|before| client.updated_at < before));
        let states: Vec<_> = states
            .map(|(client, matched_by, is_first)| {
                let at = client.updated_at;
                let arrival = content.arrivals.iter().rfind(|arrival| arrival.at == at);
                ClientState {
                    at,
                    by: arrival.map(|arrival| self.author(&arrival.source)),
                    request_id: arrival.map(|arrival| arrival.request_id),
                    import_id: arrival.and_then(|arrival| arrival.source.import()),
                    matched_by,
                    is_first,
                    fields: client.fields.clone(),
                    alias: content.clients.alias_change(client.id, at),
                }
            })
            .collect();
        let is_unknown = states.is_empty() && before.is_none();
        (!is_unknown).then(|| ClientHistory::of(states, limit))
    }

    /// An item that waits for review, with those of the clients in the way that are there.
    pub(super) fn review_item(&self, content: &Content, kept: &Kept) -> ReviewItem {
        let mut item = kept.item.clone();
        item.candidates.retain(|candidate| content.clients.get(*candidate).is_some());
        ReviewItem {
            item,
            by: self.author(&kept.source),
            request_id: kept.request_id,
            import_id: kept.source.import(),
            first_seen_at: kept.first_seen_at,
            last_seen_at: kept.last_seen_at,
        }
    }

    pub(super) fn author(&self, source: &Source) -> ChangeAuthor {
        let (kind, label) = match source {
            Source::Key(key) => {
                let key = self.keys.get(key);
                (AuthorKind::Key, key.map(|key| key.label.clone().unwrap_or_else(|| key.last_four.to_string())))
            }
            Source::Login(login, _) => (AuthorKind::Login, self.login(*login).map(|login| login.email.clone())),
            Source::Operator => (AuthorKind::Operator, Some(AuthorKind::Operator.name().to_owned())),
        };
        ChangeAuthor { kind, label }
    }

    pub(super) fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Option<ProspectPage> {
        let key_owner = self.key_owner(key, query.view.now)?;
        let grants = self.accounts.get(&key_owner.account)?.account.counties.clone();
        let (prospects, next) = self.prospects.page(query, &grants);
        Some(ProspectPage { key_owner, grants, prospects, next })
    }
}
