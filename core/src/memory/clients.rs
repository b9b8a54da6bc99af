//! The clients of one account in all their states, with their settlements (S3, S4, S8, S12).

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
};

use foldhash::{HashMap, HashMapExt as _};
use smol_str::SmolStr;
use uuid::Uuid;

use super::{
    listing::{page, start},
    similar::SimilarPairs,
};
use crate::{
    client::{Client, ClientFields, Settlement},
    matching::PersonHash,
    plan::MatchedBy,
    store::{
        Alias, AliasChange, ChangeRequest, ChangeSet, ClientFilter, ClientPageQuery, LookupKey, Position,
        SettlementChange, SettlementEntry, StoreError,
    },
    time::Timestamp,
    undo::{Removed, Touched, TouchedAlias, TouchedState, Undo, is_sent_again},
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

/// An alias, with the commits that gave and took it.
#[derive(Clone, Debug)]
struct KeptAlias {
    alias: Alias,
    given_at: Timestamp,
    taken_at: Option<Timestamp>,
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

    /// The client that has an external id as an alias.
    fn alias_holder(&self, external_id: &SmolStr) -> Option<Uuid> {
        self.alias_holder_at(external_id, Timestamp::MAX)
    }

    /// The client that has an external id as an alias, if it was given up to a moment.
    fn alias_holder_at(&self, external_id: &SmolStr, moment: Timestamp) -> Option<Uuid> {
        let live = self.aliases.iter().filter(|kept| kept.taken_at.is_none() && kept.given_at <= moment);
        live.map(|kept| &kept.alias).find(|alias| alias.external_id == *external_id).map(|alias| alias.client)
    }

    /// The aliases of clients that are among some external ids.
    pub(super) fn aliases_among<'i>(&self, external_ids: impl Iterator<Item = &'i SmolStr>) -> Vec<Alias> {
        let mut aliases = Vec::new();
        for external_id in external_ids {
            let found = self.alias_holder(external_id).map(|client| Alias { client, external_id: external_id.clone() });
            aliases.extend(found.filter(|found| !aliases.contains(found)));
        }
        aliases
    }

    /// All of them.
    pub(super) fn all_aliases(&self) -> Vec<Alias> {
        self.aliases.iter().filter(|kept| kept.taken_at.is_none()).map(|kept| kept.alias.clone()).collect()
    }

    /// The external ids by which a client is found besides its own.
    pub(super) fn aliases_of(&self, client: Uuid) -> Vec<SmolStr> {
        let live = self.aliases.iter().filter(|kept| kept.taken_at.is_none() && kept.alias.client == client);
        live.map(|kept| kept.alias.external_id.clone()).collect()
    }

    /// The alias that a commit gave to a client, or took from it.
    pub(super) fn alias_change(&self, client: Uuid, at: Timestamp) -> Option<AliasChange> {
        let mut own = self.aliases.iter().filter(|kept| kept.alias.client == client);
        let kept = own.find(|kept| kept.given_at == at || kept.taken_at == Some(at))?;
        Some(AliasChange { external_id: kept.alias.external_id.clone(), is_given: kept.given_at == at })
    }

    /// Gives aliases.
    fn give_aliases(&mut self, aliases: Vec<Alias>, at: Timestamp) {
        self.aliases.extend(aliases.into_iter().map(|alias| KeptAlias { alias, given_at: at, taken_at: None }));
    }

    /// Every client that a key matches, and the settlements of those that a settling key matches.
    pub(super) fn lookup(&self, request: &ChangeRequest) -> (Vec<Client>, Vec<Settlement>) {
        let mut matches = BTreeSet::new();
        let mut settling = BTreeSet::new();
        // Keys of one person have the same namesakes.
        let mut namesakes = HashMap::new();
        for key in &request.lookup_keys {
            // An undo may have taken the id back from one that had it.
            let known = key.external_id.as_ref().and_then(|external_id| self.holder(external_id));
            let ids: Vec<Uuid> = match known {
                Some(id) => vec![id],
                None => namesakes
                    .entry((key.person, key.external_id.is_some()))
                    .or_insert_with(|| self.namesakes(key, request.namesakes_max()))
                    .clone(),
            };
            if key.settles {
                settling.extend(&ids);
            }
            matches.extend(ids);
        }
        let clients = matches.iter().filter_map(|id| self.get(*id)).cloned().collect();
        let settlements = settling.iter().filter_map(|id| self.by_id.get(id)).flat_map(|row| row.settlements.clone());
        (clients, settlements.collect())
    }

    /// The client that has an external id now, as its own or as an alias.
    fn holder(&self, external_id: &SmolStr) -> Option<Uuid> {
        let has_it =
            |id: &&Uuid| self.get(**id).is_some_and(|client| client.fields.external_id.as_ref() == Some(external_id));
        let ids = self.by_external_id.get(external_id).into_iter().flatten();
        ids.into_iter().find(has_it).copied().or_else(|| self.alias_holder(external_id))
    }

    /// The clients that a key matches by name, at most `namesakes_max` without an external id and as many with one.
    fn namesakes(&self, key: &LookupKey, namesakes_max: usize) -> Vec<Uuid> {
        let namesakes = key.person.name.and_then(|name| self.by_name.get(&name)).into_iter().flatten();
        let states = namesakes.filter_map(|id| self.by_id.get(id)?.latest());
        let mut groups = [Vec::new(), Vec::new()];
        for state in states.filter(|state| key.person.matches(&state.person)) {
            let client = &state.client;
            let [without_external_id, with_external_id] = &mut groups;
            let group = match client.fields.external_id {
                None => without_external_id,
                Some(_) if key.person.is_complete() || key.external_id.is_none() => with_external_id,
                Some(_) => continue,
            };
            group.push((state.person.zip5, state.person.street, client.created_at, client.id));
        }
        let first = |mut group: Vec<_>| {
            group.sort_unstable();
            group.into_iter().take(namesakes_max).map(|(_, _, _, id)| id)
        };
        groups.into_iter().flat_map(first).collect()
    }

    /// The clients at the horizon, and where to continue.
    pub(super) fn page(&self, query: &ClientPageQuery, last_commit_at: Timestamp) -> (Vec<Client>, Option<Position>) {
        let horizon = query.horizon(last_commit_at);
        let range = (start(query.after, query.updated_since), Bound::Unbounded);
        // A state that was replaced before the horizon is skipped. The client is at the position of the
        // later state.
        let show = |place: Position| {
            let client = self.by_id.get(&place.id)?.as_of(horizon)?;
            let is_shown = client.updated_at == place.at && self.admits(&query.filter, client, horizon);
            is_shown.then(|| client.clone())
        };
        if !query.filter.is_of_one() {
            let places = self.timeline.range(range).copied();
            return page(places.take_while(|place| place.at <= horizon), query.limit, show);
        }
        let named = query.filter.external_id.as_ref().and_then(|external_id| self.by_external_id.get(external_id));
        let by_alias = query.filter.external_id.as_ref().and_then(|external_id| self.alias_holder(external_id));
        let candidates = query.filter.id.iter().chain(named.into_iter().flatten()).chain(&by_alias);
        let states = candidates.filter_map(|id| self.by_id.get(id)).flat_map(|history| &history.states);
        let places: BTreeSet<Position> = states.map(|state| place_of(&state.client)).collect();
        page(places.range(range).copied().take_while(|place| place.at <= horizon), query.limit, show)
    }

    /// Whether a filter admits a client as it was at a moment, by its own external id or by an alias.
    fn admits(&self, filter: &ClientFilter, client: &Client, moment: Timestamp) -> bool {
        let holder = filter.external_id.as_ref().and_then(|external_id| self.alias_holder_at(external_id, moment));
        if holder == Some(client.id) {
            filter.admits_by_alias(&client.borrowed())
        } else {
            filter.admits(&client.borrowed())
        }
    }

    /// The present states that a filter admits.
    pub(super) fn find(
        &self,
        filter: &ClientFilter,
        after: Option<Position>,
        limit: u32,
    ) -> (Vec<Client>, Option<Position>) {
        let latest = self.by_id.values().filter_map(History::latest).map(|state| &state.client);
        let places: BTreeSet<Position> = latest.map(place_of).collect();
        let show =
            |place: Position| self.get(place.id).filter(|client| self.admits(filter, client, Timestamp::MAX)).cloned();
        page(places.range((start(after, None), Bound::Unbounded)).copied(), limit, show)
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

    /// The settlements by last change, each with the present state of its client.
    pub(super) fn settlements(
        &self,
        similar: &SimilarPairs,
        after: Option<Position>,
        limit: u32,
    ) -> (Vec<SettlementEntry>, Option<Position>) {
        let places = self.settlement_feed.range((start(after, None), Bound::Unbounded)).map(|(place, _)| *place);
        page(places, limit, |place| {
            let history = self.by_id.get(self.settlement_feed.get(&place)?)?;
            let settlement = history.settlements.iter().find(|settlement| settlement.id == place.id)?;
            let client = &history.latest()?.client;
            let has_no_letters = |id| self.get(id).is_some_and(|other| other.fields.do_not_mail);
            Some(entry(settlement, client, similar.any_other(client.id, has_no_letters)))
        })
    }

    /// Refuses a change set that cannot be applied whole (S4). Applying it afterwards cannot fail.
    pub(super) fn check(&self, change_set: &ChangeSet) -> Result<(), StoreError> {
        let mut created = BTreeSet::new();
        let mut updated = BTreeSet::new();
        let mut external_ids = BTreeSet::new();
        for new in &change_set.created {
            if self.by_id.contains_key(&new.id) || !created.insert(new.id) {
                return refused("a created client's id is taken");
            }
        }
        for update in &change_set.updated {
            if !self.by_id.contains_key(&update.id) || !updated.insert(update.id) {
                return refused("an updated client is unknown or updated twice");
            }
        }
        let after = change_set.updated.iter().map(|update| &update.after);
        for fields in change_set.created.iter().map(|new| &new.fields).chain(after) {
            let Some(external_id) = &fields.external_id else { continue };
            let holders = self.by_external_id.get(external_id).into_iter().flatten();
            let is_held = |id: &Uuid| {
                !updated.contains(id)
                    && self.get(*id).is_some_and(|client| client.fields.external_id == fields.external_id)
            };
            let is_alias = self.alias_holder(external_id).is_some_and(|holder| !updated.contains(&holder));
            if !external_ids.insert(external_id) || is_alias || holders.into_iter().any(is_held) {
                return refused("an external id would belong to two clients");
            }
        }
        let mut settlements = BTreeSet::new();
        for change in &change_set.settlements {
            let (id, client) = match change {
                SettlementChange::Begun { id, client, .. } | SettlementChange::Corrected { id, client, .. } => {
                    (id, client)
                }
            };
            let history = self.by_id.get(client);
            let is_known = settlements.contains(&(client, id))
                || history.is_some_and(|history| history.settlements.iter().any(|known| known.id == *id));
            let begins = matches!(change, SettlementChange::Begun { .. });
            if (history.is_none() && !created.contains(client)) || is_known == begins {
                return refused("a settlement is begun twice, or corrected but unknown, or of an unknown client");
            }
            settlements.insert((client, id));
        }
        Ok(())
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

    /// What an undo of the commit at a time would do. `batches` are the times of those of its import.
    pub(super) fn undo(&self, at: Timestamp, batches: &BTreeSet<Timestamp>) -> Undo {
        let holder = |fields: &ClientFields| self.holder(fields.external_id.as_ref()?);
        let touched_aliases = self.aliases.iter().filter(|kept| kept.given_at == at || kept.taken_at == Some(at));
        let touched_aliases = touched_aliases.filter_map(|kept| {
            let Alias { client, external_id } = kept.alias.clone();
            let is_given = kept.given_at == at;
            Some(TouchedAlias {
                now: self.get(client)?.clone(),
                is_as_left: !is_given || kept.taken_at.is_none(),
                holder: self.holder(&external_id),
                change: AliasChange { external_id, is_given },
            })
        });
        let touched_aliases = touched_aliases.collect();
        let touched = self.by_id.values().filter_map(|history| {
            let now = history.latest()?.client.clone();
            let is_own = |state: &State| state.client.updated_at == at || batches.contains(&state.client.updated_at);
            let first = history.states.iter().position(is_own)?.saturating_sub(1);
            let state = |state: &State| TouchedState {
                at: state.client.updated_at,
                is_of_import: batches.contains(&state.client.updated_at),
                is_first: state.is_first,
                holder: holder(&state.client.fields),
                fields: state.client.fields.clone(),
            };
            let states = history.states.get(first..)?.iter().rev().map(state).collect();
            Some(Touched { now, states })
        });
        let removed = self.removed.values().filter(|(removed_at, _)| *removed_at == at);
        let removed = removed.map(|(_, state)| {
            let client = state.client.clone();
            let is_met = |other: &State| {
                let other_id = &other.client.fields.external_id;
                other.client.updated_at > at && is_sent_again(&client.fields, &other.person, other_id.is_some())
            };
            let is_sent_again = self.by_id.values().filter_map(History::latest).any(is_met);
            Removed { holder: holder(&client.fields), is_sent_again, client }
        });
        Undo::of(at, touched.collect(), removed.collect()).with_aliases(touched_aliases)
    }

    /// Applies an undo.
    pub(super) fn apply_undo(&mut self, undo: &Undo, at: Timestamp) {
        for client in &undo.removed {
            let person = self.person(client.id).unwrap_or_default();
            self.erase(client.id);
            let state = State { client: client.clone(), person, matched_by: None, is_first: true };
            self.removed.insert(client.id, (at, state));
        }
        for client in &undo.restored {
            if let Some((_, mut state)) = self.removed.remove(&client.id) {
                state.client.updated_at = at;
                self.put(state);
            }
        }
        let mut given = Vec::new();
        for (client, AliasChange { external_id, is_given }) in undo.aliases.clone() {
            let alias = Alias { client, external_id };
            if is_given {
                given.push(alias);
            } else {
                let live = self.aliases.iter_mut().filter(|kept| kept.taken_at.is_none() && kept.alias == alias);
                live.for_each(|kept| kept.taken_at = Some(at));
            }
        }
        self.apply(ChangeSet { updated: undo.updated.clone(), aliases: given, ..ChangeSet::default() }, at);
    }

    /// Forgets a client that an undo removed, and returns it.
    pub(super) fn erase_removed(&mut self, id: Uuid) -> Option<Client> {
        self.removed.remove(&id).map(|(_, state)| state.client)
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

fn refused(cause: &str) -> Result<(), StoreError> {
    Err(StoreError::Failed { cause: cause.to_owned() })
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

fn entry(settlement: &Settlement, client: &Client, similar_do_not_mail: bool) -> SettlementEntry {
    let fields = client.fields.clone();
    SettlementEntry {
        id: settlement.id,
        client_id: client.id,
        external_id: fields.external_id,
        first_name: fields.first_name,
        last_name: fields.last_name,
        address_line1: fields.address_line1,
        address_line2: fields.address_line2,
        city: fields.city,
        state: fields.state,
        zip: fields.zip,
        case_type: fields.case_type,
        settled_on: settlement.settled_on,
        begun_at: settlement.begun_at,
        changed_at: settlement.changed_at,
        do_not_mail: fields.do_not_mail,
        similar_do_not_mail,
    }
}
