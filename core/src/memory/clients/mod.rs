//! The clients of one account in all their states, with their settlements (S3, S4, S8, S12).

mod aliases;
mod check;
mod lookup;
mod moved;
mod pages;
mod undo;

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;
use uuid::Uuid;

use aliases::KeptAlias;

use crate::{
    client::{Client, ClientFields, Settlement},
    matching::PersonHash,
    plan::MatchedBy,
    store::{ChangeSet, Position, SettlementChange},
    time::Timestamp,
};

/// The clients of one account.
#[derive(Debug, Default)]
pub(super) struct Clients {
    by_id: BTreeMap<Uuid, History>,
    /// Clients that an undo removed, each with its time.
    removed: BTreeMap<Uuid, (Timestamp, State)>,
    /// The position of every state of every client.
    timeline: BTreeSet<Position>,
    /// The position of every settlement, with its client.
    settlement_feed: BTreeMap<Position, Uuid>,
    /// The clients that have or had an `external_id`. Their present state decides.
    by_external_id: BTreeMap<SmolStr, BTreeSet<Uuid>>,
    /// Every alias that a client has or had.
    aliases: Vec<KeptAlias>,
    /// The clients that have or had a name hash. Their present state decides.
    by_name: BTreeMap<i64, BTreeSet<Uuid>>,
}

/// One client: its states, the latest last, and its settlements.
#[derive(Debug, Default)]
struct History {
    states: Vec<State>,
    settlements: Vec<Settlement>,
}

#[derive(Clone, Debug)]
struct State {
    client: Client,
    person: PersonHash,
    /// How the commit that made it found the client.
    matched_by: Option<MatchedBy>,
    /// The client began with it, or came back with it.
    is_first: bool,
}

impl History {
    fn latest(&self) -> Option<&State> {
        self.states.last()
    }

    /// The client at a moment; `None` before it was created.
    fn as_of(&self, moment: Timestamp) -> Option<&Client> {
        self.states.iter().rev().map(|state| &state.client).find(|client| client.updated_at <= moment)
    }
}

impl Clients {
    /// The present state of a client.
    pub(super) fn get(&self, id: Uuid) -> Option<&Client> {
        Some(&self.by_id.get(&id)?.latest()?.client)
    }

    /// The present state of every client.
    pub(super) fn all(&self) -> impl Iterator<Item = &Client> {
        self.by_id.values().filter_map(History::latest).map(|state| &state.client)
    }

    /// The states of a client up to a moment, the latest first, each with how its commit found the client.
    pub(super) fn states_of(
        &self,
        client: Uuid,
        moment: Timestamp,
    ) -> impl Iterator<Item = (&Client, Option<MatchedBy>, bool)> {
        let states = self.by_id.get(&client).into_iter().flat_map(|history| history.states.iter().rev());
        let states = states.map(|state| (&state.client, state.matched_by, state.is_first));
        states.filter(move |(client, ..)| client.updated_at <= moment)
    }

    /// The settlements of a client, in the order in which they began.
    pub(super) fn settlements_of(&self, client: Uuid) -> Vec<Settlement> {
        let mut settlements = self.by_id.get(&client).map(|history| history.settlements.clone()).unwrap_or_default();
        settlements.sort_by_key(|settlement| (settlement.begun_at, settlement.id));
        settlements
    }

    /// Of each settlement that began since a time whether its client gets no letters.
    pub(super) fn settlements_begun_since(&self, since: Timestamp) -> Vec<bool> {
        let of = |history: &History| {
            let begun = history.settlements.iter().filter(|settlement| settlement.begun_at >= since).count();
            let do_not_mail = history.latest().is_some_and(|state| state.client.fields.do_not_mail);
            vec![do_not_mail; begun]
        };
        self.by_id.values().flat_map(of).collect()
    }

    /// Applies a checked change set.
    pub(super) fn apply(&mut self, change_set: ChangeSet, at: Timestamp) {
        for new in change_set.created {
            let client = Client { id: new.id, fields: new.fields, created_at: at, updated_at: at };
            self.put(State { client, person: new.person, matched_by: None, is_first: true });
        }
        for update in change_set.updated {
            let Some(person) = update.new_hash.or_else(|| self.person(update.id)) else { continue };
            self.update(update.id, update.after, person, update.matched_by, at);
        }
        for change in change_set.settlements {
            self.settle(change, at);
        }
        self.give_aliases(change_set.aliases, at);
    }

    /// Turns `do_not_mail` off. The person's hashes do not change.
    pub(super) fn mail_on(&mut self, id: Uuid, at: Timestamp) {
        let Some(State { client, person, .. }) = self.by_id.get(&id).and_then(History::latest).cloned() else { return };
        self.update(id, ClientFields { do_not_mail: false, ..client.fields }, person, None, at);
    }

    /// Removes a client with all its states and settlements, and returns it.
    pub(super) fn erase(&mut self, id: Uuid) -> Option<Client> {
        let mut history = self.by_id.remove(&id)?;
        self.aliases.retain(|kept| kept.alias.client != id);
        for state in &history.states {
            self.timeline.remove(&place_of(&state.client));
            if let Some(external_id) = &state.client.fields.external_id {
                forget(&mut self.by_external_id, external_id, id);
            }
            if let Some(name) = &state.person.name {
                forget(&mut self.by_name, name, id);
            }
        }
        for settlement in &history.settlements {
            self.settlement_feed.remove(&feed_place(settlement));
        }
        history.states.pop().map(|state| state.client)
    }

    fn person(&self, id: Uuid) -> Option<PersonHash> {
        Some(self.by_id.get(&id)?.latest()?.person)
    }

    fn update(
        &mut self,
        id: Uuid,
        fields: ClientFields,
        person: PersonHash,
        matched_by: Option<MatchedBy>,
        at: Timestamp,
    ) {
        let Some(created_at) = self.get(id).map(|client| client.created_at) else { return };
        self.put(State {
            client: Client { id, fields, created_at, updated_at: at },
            person,
            matched_by,
            is_first: false,
        });
    }

    fn put(&mut self, state: State) {
        let State { client, person, .. } = &state;
        self.timeline.insert(place_of(client));
        if let Some(external_id) = &client.fields.external_id {
            self.by_external_id.entry(external_id.clone()).or_default().insert(client.id);
        }
        if let Some(name) = person.name {
            self.by_name.entry(name).or_default().insert(client.id);
        }
        self.by_id.entry(client.id).or_default().states.push(state);
    }

    fn settle(&mut self, change: SettlementChange, at: Timestamp) {
        match change {
            SettlementChange::Begun { id, client, settled_on, former_dates } => {
                let settlement = Settlement { id, client, settled_on, former_dates, begun_at: at, changed_at: at };
                self.settlement_feed.insert(feed_place(&settlement), client);
                self.by_id.entry(client).or_default().settlements.push(settlement);
            }
            SettlementChange::Corrected { id, client, settled_on, former_dates } => {
                let history = self.by_id.entry(client).or_default();
                for settlement in history.settlements.iter_mut().filter(|settlement| settlement.id == id) {
                    self.settlement_feed.remove(&feed_place(settlement));
                    *settlement =
                        Settlement { settled_on, former_dates: former_dates.clone(), changed_at: at, ..*settlement };
                    self.settlement_feed.insert(feed_place(settlement), client);
                }
            }
        }
    }
}

fn place_of(client: &Client) -> Position {
    Position { at: client.updated_at, id: client.id }
}

fn feed_place(settlement: &Settlement) -> Position {
    Position { at: settlement.changed_at, id: settlement.id }
}

/// Removes an id from an index, and the entry with its last id.
fn forget<Key: Ord>(index: &mut BTreeMap<Key, BTreeSet<Uuid>>, key: &Key, id: Uuid) {
    if let Some(ids) = index.get_mut(key) {
        ids.remove(&id);
        if ids.is_empty() {
            index.remove(key);
        }
    }
}
