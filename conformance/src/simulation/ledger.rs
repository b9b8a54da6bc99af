//! The model of one account: its clients, and the result of a request (groups M, U and T of the
//! specification). It is written from the specification, for few clients: each search scans all of them.

use std::collections::BTreeMap;

use matterbook_core::{
    client::{Client, ClientFields},
    time::Timestamp,
};
use uuid::Uuid;

use super::universe::{CITY, Draft, ID, KEYS, NAME, SETTLED, STREET, ZIP, folded, record};

/// The state of an account at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ledger {
    pub(super) people: BTreeMap<Uuid, Person>,
    /// What identities of erased people remain, and whether letters to them were stopped.
    pub(super) tombstones: BTreeMap<Identity, bool>,
    /// Clients that an undo removed, each with the version of that undo.
    pub(super) removed: BTreeMap<Uuid, (Person, usize)>,
    pub(super) is_suspended: bool,
    pub(super) revoked: [bool; KEYS],
    /// The time of its last commit that was seen.
    pub(super) last_commit_at: i64,
}

/// A client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Person {
    /// The first six fields of a draft.
    pub(super) values: [u8; 6],
    pub(super) do_not_mail: bool,
    pub(super) settlements: Vec<Settlement>,
    pub(super) created_at: i64,
    pub(super) updated_at: i64,
}

/// A settlement: its date and those that it had before it was corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settlement {
    /// Nil until its id is known.
    pub(super) id: Uuid,
    pub(super) date: u8,
    former: Vec<u8>,
    pub(super) begun_at: i64,
    pub(super) changed_at: i64,
}

/// What an erased person is known again by: an external id, or name, street and ZIP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Identity {
    ExternalId(u8),
    Person([Option<u8>; 3]),
}

/// What becomes of one client of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Created(Uuid),
    Updated(Uuid),
    Conflict,
    /// No client matches, and the name is missing.
    Nameless,
}

/// The ids that the model gives to new people, until it learns their own.
const FIRST_NEW: u128 = u128::MAX - 0xffff;

/// Whether an id is one of those.
pub(super) fn is_placeholder(id: Uuid) -> bool {
    id.as_u128() >= FIRST_NEW
}

impl Person {
    /// The record that is read back.
    pub(super) fn fields(&self) -> ClientFields {
        record(&self.values, self.do_not_mail)
    }

    /// The client as it is now.
    pub(super) fn client(&self, id: Uuid) -> Client {
        Client {
            id,
            fields: self.fields(),
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
        }
    }

    /// Whether the two read the same.
    pub(super) fn reads_like(&self, other: &Self) -> bool {
        self.values == other.values && self.do_not_mail == other.do_not_mail
    }

    fn facts(&self) -> [Option<u8>; 3] {
        facts(&self.values)
    }

    pub(super) fn identities(&self) -> Vec<Identity> {
        identities(&self.values)
    }

    /// Given values replace, blank ones never erase, and letters are only ever stopped.
    fn merge(&mut self, draft: &Draft) {
        for field in [ID, NAME, STREET, ZIP, CITY] {
            if draft.0[field] != 0 {
                self.values[field] = draft.0[field];
            }
        }
        self.do_not_mail |= draft.stops_letters();
    }

    /// A date begins a settlement, corrects the one begun last, or is that of another one and comes late.
    fn settle(&mut self, date: u8, is_new: bool) {
        if date == 0 || date == self.values[SETTLED] {
            return;
        }
        let begins = is_new || self.settlements.is_empty();
        let has = |known: &Settlement| known.date == date || begins && known.former.contains(&date);
        if self.settlements.iter().any(has) {
            return;
        }
        if !begins && let Some(last) = self.settlements.last_mut() {
            if !last.former.contains(&last.date) {
                last.former.push(last.date);
            }
            last.date = date;
        } else {
            self.settlements.push(Settlement { id: Uuid::nil(), date, former: Vec::new(), begun_at: 0, changed_at: 0 });
        }
        self.values[SETTLED] = date;
    }
}

fn facts(values: &[u8]) -> [Option<u8>; 3] {
    [NAME, STREET, ZIP].map(|field| folded(field, values[field]))
}

fn identities(values: &[u8]) -> Vec<Identity> {
    let external_id = Some(values[ID]).filter(|id| *id != 0).map(Identity::ExternalId);
    let person = Some(facts(values)).filter(|facts| facts[0].is_some()).map(Identity::Person);
    external_id.into_iter().chain(person).collect()
}

/// Whether both are known and differ.
fn differ<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

impl Ledger {
    /// Whether a key opens the account.
    pub(super) fn admits(&self, key: usize) -> bool {
        !self.is_suspended && !self.revoked[key]
    }

    /// What a request comes to: the account after it, and an outcome for each client in order. Times stay
    /// as they were; new people have placeholders for ids.
    pub(super) fn decide(&self, drafts: &[Draft], is_settling: bool) -> (Self, Vec<Outcome>) {
        let mut after = self.clone();
        let outcomes = drafts.iter().map(|draft| after.take(draft, is_settling)).collect();
        // What ends as it began was not changed.
        for (id, person) in &mut after.people {
            let before = self.people.get(id).map(|before| before.settlements.as_slice()).unwrap_or_default();
            for (settlement, before) in person.settlements.iter_mut().zip(before) {
                if settlement.date == before.date {
                    settlement.clone_from(before);
                }
            }
        }
        (after, outcomes)
    }

    fn take(&mut self, draft: &Draft, is_settling: bool) -> Outcome {
        let is_new = draft.new_settlement().unwrap_or(is_settling);
        match self.find(draft) {
            Found::One(id) => {
                if let Some(person) = self.people.get_mut(&id) {
                    person.merge(draft);
                    person.settle(draft.0[SETTLED], is_new);
                }
                Outcome::Updated(id)
            }
            Found::Ambiguous => Outcome::Conflict,
            Found::Nobody if draft.0[NAME] == 0 => Outcome::Nameless,
            Found::Nobody => {
                let number = self.people.keys().filter(|id| is_placeholder(**id)).count();
                let id = Uuid::from_u128(FIRST_NEW + number as u128);
                let kept = identities(&draft.0).iter().any(|identity| self.tombstones.get(identity) == Some(&true));
                let values = [0; 6];
                let mut person =
                    Person { values, do_not_mail: kept, settlements: Vec::new(), created_at: i64::MAX, updated_at: 0 };
                person.merge(draft);
                person.settle(draft.0[SETTLED], is_new);
                self.people.insert(id, person);
                Outcome::Created(id)
            }
        }
    }

    fn find(&self, draft: &Draft) -> Found {
        let id = Some(draft.0[ID]).filter(|id| *id != 0);
        let facts = facts(&draft.0);
        let [Some(_), street, zip] = facts else {
            return self.with_id(id).map_or(Found::Nobody, Found::One);
        };
        if let Some(known) = self.with_id(id) {
            return Found::One(known);
        }
        if street.is_some() && zip.is_some() {
            let mut matches: Vec<_> = self.people.iter().filter(|(_, person)| person.facts() == facts).collect();
            matches.sort_by_key(|(id, person)| (person.created_at, **id));
            return match (matches.as_slice(), id) {
                ([], _) => Found::Nobody,
                (_, Some(_)) => {
                    let without = matches.iter().find(|(_, person)| person.values[ID] == 0);
                    without.map_or(Found::Ambiguous, |(id, _)| Found::One(**id))
                }
                ([(only, _)], None) => Found::One(**only),
                (_, None) => Found::Ambiguous,
            };
        }
        let is_told_apart = |person: &Person| {
            let known = person.facts();
            differ(id, Some(person.values[ID]).filter(|id| *id != 0))
                || differ(street, known[1])
                || differ(zip, known[2])
        };
        let mut namesakes = self.people.values().filter(|person| person.facts()[0] == facts[0]);
        if namesakes.any(|person| !is_told_apart(person)) { Found::Ambiguous } else { Found::Nobody }
    }

    /// Whether a post of a person would find, or could not tell apart, a client that changed since.
    pub(super) fn meets(&self, person: &Person, since: i64) -> bool {
        let mut draft = Draft::default();
        draft.0[..6].copy_from_slice(&person.values);
        let mut later = Self { people: self.people.clone(), ..Self::default() };
        later.people.retain(|_, other| other.updated_at > since);
        !matches!(later.find(&draft), Found::Nobody)
    }

    fn with_id(&self, id: Option<u8>) -> Option<Uuid> {
        let id = id?;
        self.people.iter().find(|(_, person)| person.values[ID] == id).map(|(id, _)| *id)
    }

    /// The account without that client. If it is created again, it keeps `do_not_mail` (rule D3).
    pub(super) fn without(&self, client: Uuid) -> Self {
        let mut after = self.clone();
        if let Some(erased) = after.people.remove(&client) {
            for identity in erased.identities() {
                *after.tombstones.entry(identity).or_default() |= erased.do_not_mail;
            }
        }
        after
    }

    /// The account with letters to that client on.
    pub(super) fn mailing(&self, client: Uuid) -> Self {
        let mut after = self.clone();
        if let Some(person) = after.people.get_mut(&client) {
            person.do_not_mail = false;
        }
        after
    }

    /// Whether what is sent could meet a client as it is here: by its external id or its name.
    pub(super) fn concerns(drafts: &[Draft], person: &Person) -> bool {
        drafts.iter().any(|draft| {
            let same_id = draft.0[ID] != 0 && draft.0[ID] == person.values[ID];
            let name = folded(NAME, draft.0[NAME]);
            same_id || (name.is_some() && name == person.facts()[0])
        })
    }
}

enum Found {
    One(Uuid),
    Nobody,
    Ambiguous,
}
