//! One account: its clients in all their states, and the one write of them (S3 to S8, S11, S14).

use std::collections::{BTreeMap, BTreeSet};

use matterbook_core::{
    account::{Account, KeyOwner},
    api::answers_since,
    client::{Client, Settlement},
    key::KeyDigest,
    matching::{MatchKey, PersonHash},
    plan::MatchedBy,
    store::{
        ChangeAuthor, ChangeRequest, ChangeSet, ClientHistory, ClientPageQuery, ClientState, HistoryQuery, IdempotencyRecord, LookupKey, Position, SettlementChange, Snapshot, StoreError, StoredResponse, ChangeOwner,
    },
    time::Timestamp,
    uuid::Uuid,
};

use super::failed;

#[derive(Clone)]
pub(super) struct Firm {
    pub(super) account: Account,
    /// Every state of every client, in the order of commits.
    states: Vec<Client>,
    settlements: Vec<Settlement>,
    /// Answers by idempotency key, with the time of their request.
    saved: BTreeMap<String, (Timestamp, IdempotencyRecord)>,
    /// Answers by request id.
    commits: BTreeMap<Uuid, StoredResponse>,
    /// The request and the key of each commit, by its time.
    made: BTreeMap<Timestamp, (Uuid, KeyDigest)>,
    /// How a commit found a client.
    matched: BTreeMap<(Uuid, Timestamp), MatchedBy>,
}

impl Firm {
    pub(super) fn new(account: Account) -> Self {
        Self {
            account,
            states: Vec::new(),
            settlements: Vec::new(),
            saved: BTreeMap::new(),
            commits: BTreeMap::new(),
            made: BTreeMap::new(),
            matched: BTreeMap::new(),
        }
    }

    pub(super) fn last_commit_at(&self) -> Timestamp {
        self.account.last_commit_at.unwrap_or_default()
    }

    /// The time of a commit: later than the one before (S6).
    fn commit_at(&mut self, now: Timestamp) -> Timestamp {
        let at = now.max(self.last_commit_at().next());
        self.account.last_commit_at = Some(at);
        at
    }

    /// Each client in its state at a moment.
    fn at(&self, moment: Timestamp) -> BTreeMap<Uuid, &Client> {
        self.states.iter().filter(|state| state.updated_at <= moment).map(|state| (state.id, state)).collect()
    }

    pub(super) fn client(&self, id: Uuid) -> Option<&Client> {
        self.states.iter().rfind(|state| state.id == id)
    }

    /// Looks up, decides, and applies.
    pub(super) fn change(&mut self, owner: KeyOwner, mut request: ChangeRequest) -> Result<StoredResponse, StoreError> {
        if let Some(response) = self.commits.get(&request.request_id) {
            return Ok(response.clone());
        }
        let snapshot = self.snapshot(owner, &request);
        let decided = (request.decide)(&snapshot);
        if !decided.change_set.is_commit() {
            // Without an operator's half nobody is shown what waits for review.
            return Ok(decided.response);
        }
        let at = self.commit_at(request.now);
        let saved = self.apply(decided.change_set, at)?;
        if let (Some(key), Some(saved)) = (request.idempotency_key, saved) {
            self.saved.insert(key, (request.now, saved));
        }
        if let Some(key) = request.authority.key() {
            self.made.insert(at, (request.request_id, *key));
        }
        self.commits.insert(request.request_id, decided.response.clone());
        Ok(decided.response)
    }

    fn snapshot(&self, owner: KeyOwner, request: &ChangeRequest) -> Snapshot {
        let present = self.at(Timestamp::MAX);
        let people: Vec<_> = present.values().map(|client| (*client, MatchKey::of(&client.fields).hash())).collect();
        let (mut found, mut settling) = (BTreeSet::new(), BTreeSet::new());
        for key in &request.lookup_keys {
            let ids = matches(&people, key, request.namesakes_max());
            if key.settles {
                settling.extend(ids.iter().copied());
            }
            found.extend(ids);
        }
        let saved = request.idempotency_key.as_ref().and_then(|key| self.saved.get(key));
        Snapshot {
            owner: ChangeOwner::Key(owner),
            clients: found.iter().filter_map(|id| present.get(id)).map(|client| (*client).clone()).collect(),
            settlements: self.settlements.iter().filter(|known| settling.contains(&known.client)).cloned().collect(),
            // Nobody is erased here.
            tombstones: Vec::new(),
            waiting: Vec::new(),
            aliases: Vec::new(),
            // Nothing is compared here.
            similar: Vec::new(),
            idempotency_record: saved
                .filter(|(at, _)| *at > answers_since(request.now))
                .map(|(_, record)| record.clone()),
        }
    }

    /// Applies a change set, or fails where it cannot be applied whole (S4). Returns the answer to save.
    fn apply(&mut self, change_set: ChangeSet, at: Timestamp) -> Result<Option<IdempotencyRecord>, StoreError> {
        for new in change_set.created {
            if self.client(new.id).is_some() {
                return failed("the id of a new client is taken");
            }
            self.states.push(Client { id: new.id, fields: new.fields, created_at: at, updated_at: at });
        }
        for update in change_set.updated {
            let Some(before) = self.client(update.id).filter(|client| client.updated_at < at) else {
                return failed("a changed client is unknown, new, or changed twice");
            };
            let created_at = before.created_at;
            if let Some(matched_by) = update.matched_by {
                self.matched.insert((update.id, at), matched_by);
            }
            self.states.push(Client { id: update.id, fields: update.after, created_at, updated_at: at });
        }
        let mut external_ids = BTreeSet::new();
        for client in self.at(Timestamp::MAX).values() {
            if client.fields.external_id.as_ref().is_some_and(|external_id| !external_ids.insert(external_id)) {
                return failed("an external id would belong to two clients");
            }
        }
        for change in change_set.settlements {
            match change {
                SettlementChange::Begun { id, client, settled_on, former_dates } => {
                    if self.client(client).is_none() || self.settlements.iter().any(|known| known.id == id) {
                        return failed("a settlement is begun twice, or of an unknown client");
                    }
                    let (begun_at, changed_at) = (at, at);
                    self.settlements.push(Settlement { id, client, settled_on, former_dates, begun_at, changed_at });
                }
                SettlementChange::Corrected { id, client, settled_on, former_dates } => {
                    let known = self.settlements.iter_mut().find(|known| known.id == id && known.client == client);
                    let Some(known) = known else { return failed("a corrected settlement is unknown") };
                    (known.settled_on, known.former_dates, known.changed_at) = (settled_on, former_dates, at);
                }
            }
        }
        Ok(change_set.idempotency_record)
    }

    /// The clients at the horizon (S8).
    pub(super) fn page(&self, query: &ClientPageQuery) -> (Vec<Client>, Option<Position>) {
        let mut rows: Vec<Client> = self
            .at(query.horizon(self.last_commit_at()))
            .into_values()
            .filter(|client| query.updated_since.is_none_or(|since| client.updated_at >= since))
            .filter(|client| query.after.is_none_or(|after| place_of(client) > after))
            .filter(|client| query.filter.admits(&client.borrowed()))
            .cloned()
            .collect();
        rows.sort_by_key(place_of);
        let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
        let next = if rows.len() > limit { rows.get(limit - 1).map(place_of) } else { None };
        rows.truncate(limit);
        (rows, next)
    }
}

impl Firm {
    /// The changes of a client up to the horizon (S18). `author` tells who has a key.
    pub(super) fn history(
        &self,
        query: &HistoryQuery,
        author: impl Fn(&KeyDigest) -> Option<ChangeAuthor>,
    ) -> Option<ClientHistory> {
        let horizon = query.view.horizon(self.last_commit_at());
        let is_shown = |at: Timestamp| at <= horizon && query.before.is_none_or(|before| at < before);
        let states = self.states.iter().rev().filter(|state| state.id == query.client && is_shown(state.updated_at));
        let state = |client: &Client| {
            let made = self.made.get(&client.updated_at);
            ClientState {
                at: client.updated_at,
                by: made.and_then(|(_, key)| author(key)),
                request_id: made.map(|(request, _)| *request),
                import_id: None,
                matched_by: self.matched.get(&(client.id, client.updated_at)).copied(),
                is_first: client.updated_at == client.created_at,
                fields: client.fields.clone(),
                alias: None,
            }
        };
        let states: Vec<_> = states.map(state).collect();
        let is_unknown = states.is_empty() && query.before.is_none();
        (!is_unknown).then(|| ClientHistory::of(states, query.limit))
    }
}

/// The clients that a key matches (S3).
fn matches(people: &[(&Client, PersonHash)], key: &LookupKey, namesakes_max: usize) -> Vec<Uuid> {
    let known =
        people.iter().filter(|(client, _)| key.external_id.is_some() && client.fields.external_id == key.external_id);
    let known: Vec<_> = known.map(|(client, _)| client.id).collect();
    if !known.is_empty() {
        return known;
    }
    let (mut without_id, mut with_id) = (Vec::new(), Vec::new());
    for (client, person) in people.iter().filter(|(_, person)| key.person.matches(person)) {
        let order = (person.zip5, person.street, client.created_at, client.id);
        if client.fields.external_id.is_none() {
            without_id.push(order);
        } else if key.person.is_complete() || key.external_id.is_none() {
            with_id.push(order);
        }
    }
    let first = |mut group: Vec<(_, _, _, Uuid)>| {
        group.sort_unstable();
        group.into_iter().take(namesakes_max).map(|(_, _, _, id)| id)
    };
    first(without_id).chain(first(with_id)).collect()
}

const fn place_of(client: &Client) -> Position {
    Position { at: client.updated_at, id: client.id }
}
