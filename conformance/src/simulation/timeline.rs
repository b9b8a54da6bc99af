//! Every state of an account, and what `GET /clients` must show of it at any time: each client as it was at
//! the reader's horizon, in the position of that state (rule V2).

use std::collections::{BTreeMap, BTreeSet};

use matterbook_core::{client::Client, store::Position, time::Timestamp};
use uuid::Uuid;

use super::ledger::{Ledger, Person};

/// The delay of `GET /clients`, in microseconds.
pub(super) const DELAY_MICROS: i64 = 60_000_000;
/// A commit further ahead of a reader's clock means that a clock is wrong (rule V7).
const TOLERANCE_MICROS: i64 = 30_000_000;

/// An account through time. A version is the number of writes anywhere up to that moment.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    /// The account from a version on, in order.
    pub(super) ledgers: Vec<(usize, Ledger)>,
    /// Every state of every client, and the version that it came with, in order.
    states: Vec<(usize, Client)>,
    /// The version with which a client was erased.
    erased: BTreeMap<Uuid, usize>,
    /// The versions with which a client was erased, or removed by an undo.
    gone: BTreeMap<Uuid, Vec<usize>>,
}

impl Timeline {
    pub(super) fn begin(&mut self, ledger: Ledger) {
        self.ledgers.push((0, ledger));
    }

    /// The account at a version.
    pub(super) fn at(&self, version: usize) -> &Ledger {
        let place = self.ledgers.partition_point(|(since, _)| *since <= version);
        &self.ledgers[place.max(1) - 1].1
    }

    /// The account now.
    pub(super) fn now(&self) -> &Ledger {
        self.at(usize::MAX)
    }

    /// Goes on with the account as it is from a version on, with the states that came with it.
    pub(super) fn push(&mut self, version: usize, ledger: Ledger, states: Vec<Client>) {
        let before = self.now();
        let gone: Vec<_> = before.people.keys().filter(|id| !ledger.people.contains_key(id)).copied().collect();
        for id in gone {
            if !ledger.removed.contains_key(&id) {
                self.erased.insert(id, version);
            }
            self.gone.entry(id).or_default().push(version);
        }
        let before = self.now();
        let removed = before.removed.keys().filter(|id| !ledger.removed.contains_key(id));
        let erased: Vec<_> = removed.filter(|id| !ledger.people.contains_key(id)).copied().collect();
        self.erased.extend(erased.into_iter().map(|id| (id, version)));
        self.states.extend(states.into_iter().map(|state| (version, state)));
        self.ledgers.push((version, ledger));
    }

    /// What happened in the account after a version, but for what came with another.
    pub(super) fn changes(&self, after: usize, but: Option<usize>) -> impl Iterator<Item = (&Ledger, &Ledger)> {
        let pairs = self.ledgers.iter().zip(self.ledgers.iter().skip(1));
        pairs
            .filter(move |(_, (since, _))| *since > after && Some(*since) != but)
            .map(|((_, one), (_, next))| (one, next))
    }

    /// A client that an undo had removed was erased before that version.
    pub(super) fn erase_removed(&mut self, client: Uuid, version: usize) {
        if let Some((_, ledger)) = self.ledgers.last_mut() {
            ledger.removed.remove(&client);
        }
        self.erased.entry(client).or_insert(version);
    }

    /// Those of these clients that are not there, as they were last.
    pub(super) fn erased_of(&self, may_be_erased: &BTreeSet<Uuid>) -> Vec<(Uuid, Person)> {
        let person = |id: &Uuid| {
            self.ledgers.iter().rev().find_map(|(_, ledger)| {
                let removed = ledger.removed.get(id).map(|(person, _)| person);
                ledger.people.get(id).or(removed).cloned()
            })
        };
        let now = &self.now().people;
        let gone = may_be_erased.iter().filter(|id| !now.contains_key(*id));
        gone.filter_map(|id| Some((*id, person(id)?))).collect()
    }

    /// Removes the decided items that may be gone, and says whether there are any.
    pub(super) fn forget_decided(&mut self, may_be_erased: &BTreeSet<Uuid>, may_be_gone: &BTreeSet<Uuid>) -> bool {
        let erased = self.erased_of(may_be_erased);
        let Some((_, ledger)) = self.ledgers.last_mut() else { return false };
        ledger.items.remove_gone(|item| !item.waits, &erased, may_be_gone)
    }

    /// Whether a client ever was erased or removed.
    pub(super) fn was_gone(&self, client: Uuid) -> bool {
        self.gone.contains_key(&client)
    }

    /// The states of a client that a reader at a version has to be shown whose horizon is that, in order.
    pub(super) fn states_of(&self, client: Uuid, version: usize, horizon: i64) -> Vec<&(usize, Client)> {
        let of =
            self.states.iter().filter(|(since, state)| state.id == client && self.is_there(state, *since, version));
        of.filter(|(_, state)| state.updated_at.micros() <= horizon).collect()
    }

    /// The aliases of a client before a version and with it.
    pub(super) fn aliases_around(&self, client: Uuid, version: usize) -> [BTreeSet<u8>; 2] {
        [version - 1, version].map(|version| {
            let person = self.at(version).people.get(&client);
            person.map(|person| person.aliases.keys().copied().collect()).unwrap_or_default()
        })
    }

    /// Whether a state that came with a version is still known at another.
    fn is_there(&self, state: &Client, since: usize, version: usize) -> bool {
        let gone = self.gone.get(&state.id).into_iter().flatten();
        since <= version && !gone.into_iter().any(|gone| since < *gone && *gone <= version)
    }

    pub(super) fn is_erased(&self, client: Uuid, version: usize) -> bool {
        self.erased.get(&client).is_some_and(|since| *since <= version)
    }

    /// The time of one of its states, of those that ever were.
    pub(super) fn time_of(&self, number: usize) -> Option<Timestamp> {
        let place = number.checked_rem(self.states.len())?;
        self.states.get(place).map(|(_, state)| state.updated_at)
    }

    /// Every client that ever was, in the order in which they came.
    pub(super) fn everybody(&self) -> Vec<Uuid> {
        let mut met = Vec::new();
        for (_, state) in &self.states {
            if !met.contains(&state.id) {
                met.push(state.id);
            }
        }
        met
    }

    /// What a reader has to be shown whose horizon is that, in the order of the page.
    pub(super) fn as_of(&self, version: usize, horizon: i64) -> Vec<Client> {
        let mut clients = BTreeMap::new();
        for (since, state) in &self.states {
            if self.is_there(state, *since, version) && state.updated_at.micros() <= horizon {
                clients.insert(state.id, state);
            }
        }
        let mut clients: Vec<Client> = clients.into_values().cloned().collect();
        clients.sort_by_key(place_of);
        clients
    }

    /// The horizons that a reader may have whose clock says `now`. Some commits cannot be seen, such as one
    /// that only saves an answer: where such a one could lie far ahead, there are two.
    pub(super) fn horizons(&self, version: usize, now: i64, latest_clock: i64) -> Vec<i64> {
        let mut horizons = Vec::new();
        if self.at(version).last_commit_at <= now + TOLERANCE_MICROS {
            horizons.push(now - DELAY_MICROS);
        }
        if latest_clock > now + TOLERANCE_MICROS {
            horizons.push(i64::MAX);
        }
        horizons
    }
}

/// A client's place in the listing.
pub(super) fn place_of(client: &Client) -> Position {
    Position { at: client.updated_at, id: client.id }
}
