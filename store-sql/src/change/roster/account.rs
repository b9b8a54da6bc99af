//! What is kept of one account.

use foldhash::{HashMap, HashSet};
use matterbook_core::{
    client::{Client, ClientFields, Fingerprint},
    time::Timestamp,
};
use uuid::Uuid;

use super::{hashes, left::Left};
use crate::change::wanted::Wanted;

/// The most clients that are kept, of all accounts together: 57 bytes of each, in a table of twice as many places
/// at the most.
pub(super) const CLIENTS_MAX: usize = 200_000;

/// The most names with places that are kept, of all accounts together: 9 bytes of each, in as sparse a table.
pub(super) const PERSONS_MAX: usize = 400_000;

/// What is kept of an account.
pub(super) struct Account {
    /// The commit at which all of these are true.
    pub(super) last_commit_at: Timestamp,
    /// By the hash of the external id. Where two external ids have the same one, the last client is kept.
    pub(super) clients: HashMap<u64, Kept>,
    /// Where nobody with an external id is missing from the clients: hashes of every name and place that somebody
    /// has or had.
    pub(super) persons: Option<HashSet<u64>>,
}

/// What an account's roster tells of somebody who is wanted.
pub(super) enum Told {
    /// There is one who is just as the want says.
    Same(Kept),
    /// There is nobody.
    Nobody,
    /// It may be anybody, who has to be searched for.
    Nothing,
}

/// How many more may be kept of one account.
pub(super) struct Room {
    clients: usize,
    persons: usize,
}

/// A client with an external id, which the fingerprint tells like every other field.
#[derive(Clone, Copy)]
pub(in crate::change) struct Kept {
    fingerprint: Fingerprint,
    id: Uuid,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl Kept {
    /// The client, with the fields that it was found to have.
    pub(in crate::change) fn client(self, fields: ClientFields) -> Client {
        Client { id: self.id, fields, created_at: self.created_at, updated_at: self.updated_at }
    }
}

impl Room {
    /// What others leave of it.
    pub(super) fn beside(others: &HashMap<i64, Account>) -> Self {
        let count = |of: fn(&Account) -> usize| others.values().map(of).sum::<usize>();
        let persons = |account: &Account| account.persons.as_ref().map_or(0, HashSet::len);
        Self {
            clients: CLIENTS_MAX.saturating_sub(count(|account| account.clients.len())),
            persons: PERSONS_MAX.saturating_sub(count(persons)),
        }
    }
}

impl Account {
    /// One of which nothing is kept yet: before the first commit there is nobody.
    pub(super) fn at(last_commit_at: Timestamp) -> Self {
        let persons = (last_commit_at == Timestamp::from_micros(0)).then(HashSet::default);
        Self { last_commit_at, clients: HashMap::default(), persons }
    }

    /// Who is wanted, by an external id or by a name and a place.
    pub(super) fn tell(&self, wanted: &Wanted<'_>) -> Told {
        let Some(external_id) = wanted.external_id else {
            let person = self.persons.as_ref().zip(hashes::of_person(wanted.person));
            let is_nobody = person.is_some_and(|(persons, hash)| !persons.contains(&hash));
            return if is_nobody { Told::Nobody } else { Told::Nothing };
        };
        match self.clients.get(&hashes::of_external_id(external_id)) {
            Some(kept) if wanted.want.fingerprint == Some(kept.fingerprint) => Told::Same(*kept),
            None if self.persons.is_some() => Told::Nobody,
            _ => Told::Nothing,
        }
    }

    /// Takes in what is true at a time, as far as there is room; whether there was for everybody.
    pub(super) fn take_in(&mut self, at: Timestamp, left: &Left, room: &Room) -> bool {
        self.last_commit_at = at;
        let mut is_whole = true;
        for client in &left.clients {
            let [created_at, updated_at] = [client.created_at, client.updated_at].map(|time| time.unwrap_or(at));
            let kept = Kept { fingerprint: client.fingerprint, id: client.id, created_at, updated_at };
            // Who is kept is kept as it is now, whether there is room for more or not.
            if let Some(known) = self.clients.get_mut(&client.external_id_hash) {
                *known = kept;
            } else if self.clients.len() < room.clients {
                self.clients.insert(client.external_id_hash, kept);
            } else {
                is_whole = false;
            }
        }
        if let Some(persons) = &mut self.persons {
            persons.extend(left.persons.iter().copied().filter_map(hashes::of_person));
            is_whole &= persons.len() <= room.persons;
        }
        is_whole
    }
}
