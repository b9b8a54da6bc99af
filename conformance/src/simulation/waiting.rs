//! The model of what waits for review (group J of the specification), and of the decisions about it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use uuid::Uuid;

use super::{
    ledger::{Ledger, Outcome, Person, facts},
    universe::{Draft, ID, NAME, SETTLED, folded},
};

/// What comes again with the same content is written again after so long.
const SEEN_EVERY_MICROS: i64 = 20 * 60 * 60 * 1_000_000;
/// The most clients in the way that an item keeps.
const CANDIDATES_MAX: usize = 20;
/// The most clients in the way that a message names.
const NAMED_MAX: usize = 3;

/// By what a client that is not saved is known again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    ExternalId(u8),
    Person([Option<u8>; 3]),
    Content(Draft),
}

/// What waits, or waited until somebody decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Items(BTreeMap<Key, Item>);

/// One client that was not saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// Nil until it is known.
    pub(super) id: Uuid,
    content: Draft,
    is_error: bool,
    message: Message,
    pub(super) waits: bool,
    /// The version of the decision about it, or of its last undo.
    decided_in: Option<usize>,
    sender: Sender,
    first_seen_at: i64,
}

/// What its message says besides the content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Message {
    candidates: Vec<Uuid>,
    named: Vec<u8>,
    with_id: usize,
    without_id: usize,
}

/// Who sends, and when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sender {
    pub(super) request: Uuid,
    pub(super) now: i64,
    /// The version with which it is saved.
    pub(super) version: usize,
}

/// A decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Same(Uuid),
    Another,
    Leave,
}

/// Why a decision is refused, as its status.
pub(super) type Refused = u16;

/// An item that waits, as it is listed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Listed {
    pub(super) id: Uuid,
    pub(super) sent: Value,
    pub(super) is_error: bool,
    pub(super) candidates: Vec<Uuid>,
    pub(super) request: Uuid,
    pub(super) first_seen_at: i64,
    pub(super) last_seen_at: i64,
}

/// The keys of a client: by its external id, and by its name, street and ZIP.
fn keys(draft: &Draft) -> Vec<Key> {
    let by_id = Some(draft.0[ID]).filter(|id| *id != 0).map(Key::ExternalId);
    let facts = facts(&draft.0);
    let by_person = facts.iter().all(Option::is_some).then_some(Key::Person(facts));
    by_id.into_iter().chain(by_person).collect()
}

impl Items {
    /// Applies what became of the clients of a request, each with what is kept of it for review.
    pub(super) fn sent(&mut self, results: Vec<(Draft, Outcome, Message)>, sender: Sender) {
        let mut last: BTreeMap<Key, Option<Item>> = BTreeMap::new();
        for (content, outcome, message) in results {
            let is_error = match outcome {
                Outcome::Created(_) | Outcome::Updated(_) => {
                    last.extend(keys(&content).into_iter().map(|key| (key, None)));
                    continue;
                }
                Outcome::Conflict => false,
                Outcome::Nameless => true,
            };
            let key = keys(&content).first().copied().unwrap_or(Key::Content(content));
            let (id, waits, decided_in, first_seen_at) = (Uuid::nil(), true, None, sender.now);
            let item = Item { id, content, is_error, message, waits, decided_in, sender, first_seen_at };
            last.insert(key, Some(item));
        }
        for (key, item) in last {
            match item {
                None => drop(self.0.remove(&key)),
                Some(item) => self.put(key, item),
            }
        }
    }

    fn put(&mut self, key: Key, mut item: Item) {
        if let Some(known) = self.0.get(&key) {
            item.id = known.id;
            if known.content == item.content {
                let is_old = known.sender.now + SEEN_EVERY_MICROS <= item.sender.now;
                if !is_old && known.message == item.message {
                    return;
                }
                (item.waits, item.decided_in) = (known.waits, known.decided_in);
                item.first_seen_at = known.first_seen_at;
            }
        }
        self.0.insert(key, item);
    }

    /// Items of before that came after a version may stay, though their client came well: a request that began then did
    /// not see them.
    pub(super) fn keep_unseen(&mut self, before: &Self, version: usize, seen: &[Listed]) {
        for (key, item) in before.0.iter().filter(|(_, item)| item.waits && item.sender.version > version) {
            let is_there = seen.iter().any(|listed| listed.id == item.id && listed.sent == item.content.sent());
            if is_there && !self.0.contains_key(key) {
                self.0.insert(*key, item.clone());
            }
        }
    }

    /// Those that were decided and were sent again since, as they are now.
    pub(super) fn sent_again_since(&self, before: &Self) -> impl Iterator<Item = &Item> {
        let is_sent_again = |(key, item): &(&Key, &Item)| !item.waits && before.0.get(*key) != Some(*item);
        self.0.iter().filter(is_sent_again).map(|(_, item)| item)
    }

    /// Those that were decided and are gone since.
    pub(super) fn gone_since(&self, before: &Self) -> impl Iterator<Item = Uuid> {
        let is_gone = |(key, item): &(&Key, &Item)| !item.waits && !self.0.contains_key(*key);
        before.0.iter().filter(is_gone).map(|(_, item)| item.id)
    }

    /// Whether an item was decided about.
    pub(super) fn has_decided(&self) -> bool {
        self.0.values().any(|item| !item.waits)
    }

    /// Gives items that an undo makes wait what they were sent with last. That was not listed while they were decided.
    pub(super) fn reveal(&mut self, before: &Self, unlisted: &[&Item], seen: &[Listed]) {
        let was_decided = |item: &&mut Item| item.waits && before.of(item.id).is_some_and(|known| !known.waits);
        for item in self.0.values_mut().filter(was_decided) {
            let Some(listed) = seen.iter().find(|listed| listed.id == item.id) else { continue };
            let is_it = |other: &&Item| {
                let is_same = (other.id, other.content) == (item.id, item.content);
                is_same && (other.sender.request, other.sender.now) == (listed.request, listed.last_seen_at)
            };
            if let Some(last) = unlisted.iter().copied().find(is_it) {
                (item.is_error, item.message, item.sender) = (last.is_error, last.message.clone(), last.sender);
            }
        }
    }

    /// Removes the items of a client that is erased.
    pub(super) fn erase(&mut self, client: Uuid, person: &Person) {
        self.0.retain(|key, item| !item.is_of(key, client, person));
    }

    /// Removes those of the chosen items that may be gone: where they are of a client that may be erased, or their client
    /// may have come well. Says whether there are any.
    pub(super) fn remove_gone(
        &mut self,
        chosen: impl Fn(&Item) -> bool,
        erased: &[(Uuid, Person)],
        gone: &BTreeSet<Uuid>,
    ) -> bool {
        let count = self.0.len();
        let may_be_gone = |key: &Key, item: &Item| {
            gone.contains(&item.id) || erased.iter().any(|(client, person)| item.is_of(key, *client, person))
        };
        self.0.retain(|key, item| !chosen(item) || !may_be_gone(key, item));
        self.0.len() < count
    }

    /// Those that wait, and those that somebody decided about.
    pub(super) fn all(&self) -> impl Iterator<Item = &Item> {
        self.0.values()
    }

    fn of(&self, id: Uuid) -> Option<&Item> {
        self.0.values().find(|item| item.id == id)
    }

    /// The item about which a version decided, and whether it waits after an undo, which is done with that version.
    pub(super) fn turn(&mut self, decided: usize, undo: usize) -> Option<(Uuid, bool)> {
        let item = self.0.values_mut().find(|item| item.decided_in == Some(decided))?;
        (item.waits, item.decided_in) = (!item.waits, Some(undo));
        Some((item.id, item.waits))
    }

    /// Takes over the ids of new clients, and of new items from what is listed.
    pub(super) fn adopt(&mut self, ids: &BTreeMap<Uuid, Uuid>, listed: &[Listed]) {
        for item in self.0.values_mut() {
            for candidate in &mut item.message.candidates {
                *candidate = ids.get(candidate).copied().unwrap_or(*candidate);
            }
            if item.id.is_nil()
                && let Some(known) = listed.iter().find(|listed| listed.sent == item.content.sent())
            {
                item.id = known.id;
            }
        }
    }

    /// Those that wait, as they are listed.
    pub(super) fn listed(&self, people: &BTreeMap<Uuid, Person>) -> Vec<Listed> {
        let listed = |item: &Item| Listed {
            id: item.id,
            sent: item.content.sent(),
            is_error: item.is_error,
            candidates: item.message.candidates.iter().filter(|id| people.contains_key(id)).copied().collect(),
            request: item.sender.request,
            first_seen_at: item.first_seen_at,
            last_seen_at: item.sender.now,
        };
        let mut items: Vec<_> = self.0.values().filter(|item| item.waits).map(listed).collect();
        items.sort_by_key(|item| item.id);
        items
    }
}

impl Item {
    /// Whether it goes when a client is erased (rule J4).
    fn is_of(&self, key: &Key, client: Uuid, person: &Person) -> bool {
        let person_facts = person.facts();
        let name = person_facts[0];
        let is_own = match key {
            Key::ExternalId(id) => person.has_id(*id),
            Key::Person(facts) => *facts == person_facts,
            Key::Content(_) => false,
        };
        let is_namesake = name.is_some() && folded(NAME, self.content.0[NAME]) == name;
        is_own || is_namesake || self.message.candidates.contains(&client)
    }

    /// The clients in the way.
    pub(super) fn candidates(&self) -> &[Uuid] {
        &self.message.candidates
    }
}

impl Ledger {
    /// What a message says of the clients in the way, as they are now.
    pub(super) fn message(&self, in_the_way: Vec<Uuid>) -> Message {
        let ids: Vec<u8> =
            in_the_way.iter().filter_map(|id| self.people.get(id)).map(|person| person.values[ID]).collect();
        let with_id = ids.iter().filter(|id| **id != 0).count();
        let without_id = ids.len() - with_id;
        let named = ids.into_iter().filter(|id| *id != 0).take(NAMED_MAX).collect();
        let candidates = in_the_way.into_iter().take(CANDIDATES_MAX).collect();
        Message { candidates, named, with_id, without_id }
    }

    /// What a decision about an item comes to, with the client that it is then (rules J5 to J7).
    pub(super) fn resolve(
        &self,
        item: Uuid,
        decision: Decision,
        version: usize,
    ) -> Result<(Self, Option<Uuid>), Refused> {
        let content = self.items.of(item).filter(|item| item.waits).ok_or(404_u16)?.content;
        let mut after = self.clone();
        let holder = self.with_id(Some(content.0[ID]));
        let is_new = content.new_settlement().unwrap_or_default();
        let client = match decision {
            Decision::Leave => None,
            Decision::Another if holder.is_some() || content.0[NAME] == 0 => return Err(400),
            Decision::Another => Some(after.create(&content, is_new)),
            Decision::Same(client) => {
                let person = after.people.get_mut(&client).ok_or(404_u16)?;
                if holder.is_some_and(|holder| holder != client) {
                    return Err(400);
                }
                let is_other_matter = person.is_other_matter(&content);
                person.merge(&content);
                person.settle(content.0[SETTLED], is_new || is_other_matter);
                if is_other_matter && holder.is_none() {
                    person.aliases.insert(content.0[ID], 0);
                }
                Some(client)
            }
        };
        if let Some(item) = after.items.0.values_mut().find(|known| known.id == item) {
            (item.waits, item.decided_in) = (false, Some(version));
        }
        Ok((after, client))
    }
}
