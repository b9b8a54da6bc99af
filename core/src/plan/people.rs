//! The people of one batch: stored clients and those that the batch creates, as they are after the
//! items decided so far. They are indexed by external id and by match key.

use std::borrow::Cow;

use chrono::NaiveDate;
use foldhash::{HashMap, HashMapExt as _};
use uuid::Uuid;

use super::{Item, Known, MatchedBy, explanation::matched_by, folded::Folded, merge, shared::Shared};
use crate::{
    client::{Client, ClientFields, Settlement},
    matching::{MatchKey, PersonHash},
    order,
};

/// All people that the batch may find, oldest first.
pub(super) struct People<'k> {
    pub(super) list: Vec<Person<'k>>,
    by_external_id: HashMap<Cow<'k, str>, usize>,
    /// Built for the first item that no external id finds. Most batches need none.
    folded: Option<Folded>,
}

/// One person in its present state.
pub(super) struct Person<'k> {
    pub(super) id: Uuid,
    /// The stored client; `None` for a person that the batch creates.
    pub(super) before: Option<&'k Client>,
    pub(super) fields: Shared<'k, ClientFields>,
    /// How the first item that found it did.
    pub(super) matched_by: Option<MatchedBy>,
    /// The hashes of the fields, if the batch gave or changed them.
    hash: Option<PersonHash>,
    /// In the order in which they began.
    pub(super) settlements: Vec<PersonSettlement<'k>>,
}

/// A settlement in its present state.
pub(super) struct PersonSettlement<'k> {
    pub(super) id: Uuid,
    /// The stored settlement; `None` for one that the batch begins.
    pub(super) before: Option<&'k Settlement>,
    pub(super) settled_on: NaiveDate,
    pub(super) former_dates: Vec<NaiveDate>,
}

impl<'k> Person<'k> {
    fn known(client: &'k Client, mut settlements: Vec<&'k Settlement>) -> Self {
        order::sort_by_key(&mut settlements, |settlement| (settlement.begun_at, settlement.id));
        let stored = |settlement: &'k Settlement| PersonSettlement {
            id: settlement.id,
            before: Some(settlement),
            settled_on: settlement.settled_on,
            former_dates: settlement.former_dates.clone(),
        };
        let settlements = settlements.into_iter().map(stored).collect();
        let fields = Shared::new(&client.fields);
        Self { id: client.id, before: Some(client), fields, matched_by: None, hash: None, settlements }
    }

    pub(super) fn hash(&self) -> PersonHash {
        self.hash.unwrap_or_else(|| MatchKey::of(&self.fields).hash())
    }

    /// The new hashes, if they or the external id differ from those of the stored client; `None` if the
    /// client is still found as before.
    pub(super) fn new_hash(&self, before: &ClientFields) -> Option<PersonHash> {
        let is_changed = self.fields.external_id != before.external_id
            || merge::match_keys_differ(before, &self.fields) && MatchKey::of(before).hash() != self.hash();
        is_changed.then(|| self.hash())
    }
}

impl<'k> People<'k> {
    /// The stored people, with capacity for those of a batch with `items` clients.
    pub(super) fn new(known: Known<'k>, items: usize) -> Self {
        let mut settlements: Vec<_> = known.settlements.iter().collect();
        order::sort_by_key(&mut settlements, |settlement| settlement.client);
        let mut clients: Vec<&Client> = known.clients.iter().collect();
        order::sort_by_key(&mut clients, |client| (client.created_at, client.id));
        let capacity = clients.len() + items;
        let mut people =
            Self { list: Vec::with_capacity(capacity), by_external_id: HashMap::with_capacity(capacity), folded: None };
        for (place, client) in clients.into_iter().enumerate() {
            let of_client = order::of_key(&settlements, &client.id, |settlement| settlement.client);
            people.list.push(Person::known(client, of_client.to_vec()));
            if let Some(external_id) = client.fields.external_id.as_deref() {
                people.by_external_id.insert(Cow::Borrowed(external_id), place);
            }
        }
        for alias in known.aliases {
            if let Some(place) = people.list.iter().position(|person| person.id == alias.client) {
                people.by_external_id.entry(Cow::Borrowed(alias.external_id.as_str())).or_insert(place);
            }
        }
        people
    }

    pub(super) fn with_external_id(&self, external_id: &str) -> Option<usize> {
        self.by_external_id.get(external_id).copied()
    }

    /// Whether an item found the person at a place by an alias.
    pub(super) fn is_alias(&self, place: usize, item: &Item) -> bool {
        self.list.get(place).is_some_and(|person| merge::is_alias(&person.fields, &item.input.fields))
    }

    /// The match keys of all people.
    pub(super) fn folded(&mut self) -> &mut Folded {
        let facts = |person: &Person<'_>| (MatchKey::of(&person.fields), person.fields.external_id.is_some());
        self.folded.get_or_insert_with(|| Folded::of(self.list.iter().map(facts)))
    }

    /// Merges an item into a person, lets `then` complete it, and returns its id.
    pub(super) fn update(&mut self, place: usize, item: &'k Item, then: impl FnOnce(&mut Person<'k>)) -> Uuid {
        let Some(person) = self.list.get_mut(place) else { return Uuid::nil() };
        let had_external_id = person.fields.external_id.is_some();
        person.matched_by.get_or_insert(matched_by(&person.fields, &item.input.fields));
        if merge::merge(&mut person.fields, &item.input.fields) {
            let match_key = MatchKey::of(&person.fields);
            let hash = match_key.hash();
            person.hash = Some(hash);
            if let Some(folded) = &mut self.folded {
                folded.set(place, match_key, hash, had_external_id);
            }
        }
        then(person);
        let id = person.id;
        if !had_external_id && item.input.fields.external_id.is_some() {
            self.index_external_id(place, item);
            if let Some(folded) = &mut self.folded {
                folded.has_external_id_now(place);
            }
        }
        id
    }

    /// Adds a person with the fields of an item, and lets `then` complete it.
    pub(super) fn create(&mut self, id: Uuid, item: &'k Item, then: impl FnOnce(&mut Person<'k>)) {
        let mut fields = Shared::new(&item.input.fields);
        if fields.settled_on.is_some() {
            fields.to_mut().settled_on = None;
        }
        let mut person =
            Person { id, before: None, fields, matched_by: None, hash: Some(item.hash), settlements: Vec::new() };
        then(&mut person);
        self.list.push(person);
        let place = self.list.len() - 1;
        self.index_external_id(place, item);
        if let Some(folded) = &mut self.folded {
            folded.set(place, item.match_key.clone(), item.hash, item.input.fields.external_id.is_some());
        }
    }

    /// A person's external id is that of the item, if the item has one.
    fn index_external_id(&mut self, place: usize, item: &'k Item) {
        if let Some(external_id) = item.input.fields.external_id.as_deref() {
            self.by_external_id.entry(Cow::Borrowed(external_id)).or_insert(place);
        }
    }
}
