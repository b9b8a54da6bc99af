//! The model of one account: its clients, and the result of a request (groups M, U and T of the
//! specification). It is written from the specification, for few clients: each search scans all of them.

use std::collections::BTreeMap;

use matterbook_core::{
    client::{Client, ClientFields},
    time::Timestamp,
};
use uuid::Uuid;

use super::{
    universe::{CASE, CITY, Draft, ID, KEPT, KEYS, NAME, OPENED, SETTLED, STREET, ZIP, folded, record},
    waiting::{Items, Sender},
};

/// The state of an account at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ledger {
    pub(super) people: BTreeMap<Uuid, Person>,
    /// What identities of erased people remain, and whether letters to them were stopped.
    pub(super) tombstones: BTreeMap<Identity, bool>,
    /// Clients that an undo removed, each with the version of that undo.
    pub(super) removed: BTreeMap<Uuid, (Person, usize)>,
    /// What waits for review, or waited until somebody decided.
    pub(super) items: Items,
    /// How many rows of each import are done.
    pub(super) imports: BTreeMap<Uuid, u32>,
    pub(super) is_suspended: bool,
    pub(super) revoked: [bool; KEYS],
    /// The time of its last commit that was seen.
    pub(super) last_commit_at: i64,
}

/// A client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Person {
    /// The first fields of a draft.
    pub(super) values: [u8; KEPT],
    pub(super) do_not_mail: bool,
    /// Further external ids, each with the time at which it was given.
    pub(super) aliases: BTreeMap<u8, i64>,
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
        self.values == other.values
            && self.do_not_mail == other.do_not_mail
            && self.aliases.keys().eq(other.aliases.keys())
    }

    pub(super) fn facts(&self) -> [Option<u8>; 3] {
        facts(&self.values)
    }

    pub(super) fn identities(&self) -> Vec<Identity> {
        let by_alias = self.aliases.keys().map(|alias| Identity::ExternalId(*alias));
        identities(&self.values).into_iter().chain(by_alias).collect()
    }

    /// Whether an external id finds the client.
    pub(super) fn has_id(&self, id: u8) -> bool {
        id != 0 && (self.values[ID] == id || self.aliases.contains_key(&id))
    }

    /// Whether what is sent is another matter of the same person (rule M40).
    pub(super) fn is_other_matter(&self, draft: &Draft) -> bool {
        draft.0[ID] != 0 && self.values[ID] != 0 && draft.0[ID] != self.values[ID]
    }

    /// Given values replace, blank ones never erase, and letters are only ever stopped.
    pub(super) fn merge(&mut self, draft: &Draft) {
        let is_other_matter = self.is_other_matter(draft);
        for field in [ID, NAME, STREET, ZIP, CITY, CASE, OPENED] {
            let is_kept = is_other_matter && self.values[field] != 0 && [ID, CASE, OPENED].contains(&field);
            if draft.0[field] != 0 && !is_kept {
                self.values[field] = draft.0[field];
            }
        }
        self.do_not_mail |= draft.stops_letters();
    }

    /// A date begins a settlement, corrects the one begun last, or is that of another one and comes late.
    pub(super) fn settle(&mut self, date: u8, is_new: bool) {
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

/// What a client is compared by: name, street and ZIP.
pub(super) fn facts(values: &[u8]) -> [Option<u8>; 3] {
    [NAME, STREET, ZIP].map(|field| folded(field, values[field]))
}

pub(super) fn identities(values: &[u8]) -> Vec<Identity> {
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

    /// How many rows of an import are done.
    pub(super) fn sent_rows(&self, import: Uuid) -> u32 {
        self.imports.get(&import).copied().unwrap_or_default()
    }

    /// Whether the two have the same clients and keys: what waits for review may differ.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let of = |ledger: &Self| Self { items: Items::default(), ..ledger.clone() };
        of(self) == of(other)
    }

    /// What a request comes to: the account after it, and an outcome for each client in order. Times stay
    /// as they were; new people have placeholders for ids.
    pub(super) fn decide(&self, drafts: &[Draft], is_settling: bool) -> (Self, Vec<Outcome>) {
        self.decide_as(drafts, is_settling, Sender::default())
    }

    /// What a request of somebody comes to.
    pub(super) fn decide_as(&self, drafts: &[Draft], is_settling: bool, sender: Sender) -> (Self, Vec<Outcome>) {
        let mut after = self.clone();
        let mut results = Vec::new();
        let mut outcomes = Vec::new();
        for draft in drafts {
            let (outcome, in_the_way) = after.take(draft, is_settling);
            results.push((draft.kept(is_settling), outcome, after.message(in_the_way)));
            outcomes.push(outcome);
        }
        after.items.sent(results, sender);
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

    /// Saves one client. Of a conflict, the clients in the way, oldest first.
    fn take(&mut self, draft: &Draft, is_settling: bool) -> (Outcome, Vec<Uuid>) {
        let outcome = match self.find(draft) {
            Found::One(id) => {
                if let Some(person) = self.people.get_mut(&id) {
                    let is_new = draft.new_settlement().unwrap_or(is_settling || person.is_other_matter(draft));
                    person.merge(draft);
                    person.settle(draft.0[SETTLED], is_new);
                }
                Outcome::Updated(id)
            }
            Found::Ambiguous(in_the_way) => return (Outcome::Conflict, in_the_way),
            Found::Nobody if draft.0[NAME] == 0 => Outcome::Nameless,
            Found::Nobody => Outcome::Created(self.create(draft, draft.new_settlement().unwrap_or(is_settling))),
        };
        (outcome, Vec::new())
    }

    /// A new client, with a placeholder for its id.
    pub(super) fn create(&mut self, draft: &Draft, is_new_settlement: bool) -> Uuid {
        let number = self.people.keys().filter(|id| is_placeholder(**id)).count();
        let id = Uuid::from_u128(FIRST_NEW + number as u128);
        let kept = identities(&draft.0).iter().any(|identity| self.tombstones.get(identity) == Some(&true));
        let mut person = Person { do_not_mail: kept, created_at: i64::MAX, ..Person::default() };
        person.merge(draft);
        person.settle(draft.0[SETTLED], is_new_settlement);
        self.people.insert(id, person);
        id
    }

    /// Clients in the order in which they were created, new ones last.
    fn oldest_first<'p>(&self, people: impl Iterator<Item = (&'p Uuid, &'p Person)>) -> Vec<Uuid> {
        let mut people: Vec<_> = people.map(|(id, person)| (person.created_at, *id)).collect();
        people.sort_unstable();
        people.into_iter().map(|(_, id)| id).collect()
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
            let matches = self.oldest_first(self.people.iter().filter(|(_, person)| person.facts() == facts));
            return match (matches.as_slice(), id) {
                ([], _) => Found::Nobody,
                (_, Some(_)) => {
                    let is_without = |id: &&Uuid| self.people.get(id).is_some_and(|person| person.values[ID] == 0);
                    let without = matches.iter().find(is_without).copied();
                    without.map_or(Found::Ambiguous(matches), Found::One)
                }
                ([only], None) => Found::One(*only),
                (_, None) => Found::Ambiguous(matches),
            };
        }
        let is_told_apart = |person: &Person| {
            let known = person.facts();
            differ(id, Some(person.values[ID]).filter(|id| *id != 0))
                || differ(street, known[1])
                || differ(zip, known[2])
        };
        let namesakes = self.people.iter().filter(|(_, person)| person.facts()[0] == facts[0]);
        let in_the_way = self.oldest_first(namesakes.filter(|(_, person)| !is_told_apart(person)));
        if in_the_way.is_empty() { Found::Nobody } else { Found::Ambiguous(in_the_way) }
    }

    /// Whether a post of a person would find, or could not tell apart, a client that changed since.
    pub(super) fn meets(&self, person: &Person, since: i64) -> bool {
        let mut draft = Draft::default();
        draft.0[..KEPT].copy_from_slice(&person.values);
        let mut later = Self { people: self.people.clone(), ..Self::default() };
        later.people.retain(|_, other| other.updated_at > since);
        !matches!(later.find(&draft), Found::Nobody)
    }

    /// The client that an external id finds: as its own, or else as an alias.
    pub(super) fn with_id(&self, id: Option<u8>) -> Option<Uuid> {
        let id = id.filter(|id| *id != 0)?;
        let own = self.people.iter().find(|(_, person)| person.values[ID] == id);
        let by_alias = || self.people.iter().find(|(_, person)| person.has_id(id));
        own.or_else(by_alias).map(|(id, _)| *id)
    }

    /// The account without that client. If it is created again, it keeps `do_not_mail` (rule D3).
    pub(super) fn without(&self, client: Uuid) -> Self {
        let mut after = self.clone();
        if let Some(erased) = after.people.remove(&client) {
            for identity in erased.identities() {
                *after.tombstones.entry(identity).or_default() |= erased.do_not_mail;
            }
            after.items.erase(client, &erased);
        } else if let Some((erased, _)) = after.removed.remove(&client) {
            after.items.erase(client, &erased);
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
            let same_id = person.has_id(draft.0[ID]);
            let name = folded(NAME, draft.0[NAME]);
            same_id || (name.is_some() && name == person.facts()[0])
        })
    }
}

enum Found {
    One(Uuid),
    Nobody,
    /// The clients in the way, oldest first.
    Ambiguous(Vec<Uuid>),
}
