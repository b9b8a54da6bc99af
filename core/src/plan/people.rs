//! The people of one batch: stored clients and those that the batch creates, as they are after the
//! items decided so far. They are indexed by external id and by folded facts.

use std::borrow::Cow;

use chrono::NaiveDate;
use foldhash::{HashMap, HashMapExt as _};
use uuid::Uuid;

use super::{Item, Known, merge, places::Places, shared::Shared};
use crate::{
    client::{Client, ClientFields, Settlement},
    matching::{Facts, PersonHash},
};

/// All people that the batch may find, oldest first.
pub(super) struct People<'k> {
    pub(super) list: Vec<Person<'k>>,
    by_external_id: HashMap<Cow<'k, str>, usize>,
    by_person: Places<PersonHash>,
    by_name: Places<i64>,
}

/// One person in its present state.
pub(super) struct Person<'k> {
    pub(super) id: Uuid,
    /// The stored client; `None` for a person that the batch creates.
    pub(super) before: Option<&'k Client>,
    pub(super) fields: Shared<'k, ClientFields>,
    pub(super) facts: Facts,
    pub(super) hash: PersonHash,
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
        settlements.sort_by_key(|settlement| (settlement.begun_at, settlement.id));
        let stored = |settlement: &'k Settlement| PersonSettlement {
            id: settlement.id,
            before: Some(settlement),
            settled_on: settlement.settled_on,
            former_dates: settlement.former_dates.clone(),
        };
        let facts = Facts::of(&client.fields);
        let hash = facts.hash();
        let settlements = settlements.into_iter().map(stored).collect();
        Self { id: client.id, before: Some(client), fields: Shared::new(&client.fields), facts, hash, settlements }
    }

    /// The new hashes, if they or the external id differ from those of the stored client; `None` if the
    /// client is still found as before.
    pub(super) fn found_anew(&self, before: &ClientFields) -> Option<PersonHash> {
        let is_changed = self.fields.external_id != before.external_id
            || merge::facts_differ(before, &self.fields) && Facts::of(before).hash() != self.hash;
        is_changed.then_some(self.hash)
    }
}

impl<'k> People<'k> {
    /// The stored people, with capacity for those of a batch with `items` clients.
    pub(super) fn new(known: Known<'k>, items: usize) -> Self {
        let mut settlements: HashMap<Uuid, Vec<_>> = HashMap::new();
        for settlement in known.settlements {
            settlements.entry(settlement.client).or_default().push(settlement);
        }
        let mut clients: Vec<&Client> = known.clients.iter().collect();
        clients.sort_by_key(|client| (client.created_at, client.id));
        let capacity = clients.len() + items;
        let mut people = Self {
            list: Vec::with_capacity(capacity),
            by_external_id: HashMap::with_capacity(capacity),
            by_person: Places::with_capacity(capacity),
            by_name: Places::with_capacity(capacity),
        };
        for (place, client) in clients.into_iter().enumerate() {
            people.list.push(Person::known(client, settlements.remove(&client.id).unwrap_or_default()));
            people.index_facts(place);
            if let Some(external_id) = client.fields.external_id.as_deref() {
                people.by_external_id.insert(Cow::Borrowed(external_id), place);
            }
        }
        people
    }

    pub(super) fn with_external_id(&self, external_id: &str) -> Option<usize> {
        self.by_external_id.get(external_id).copied()
    }

    /// The people with the name, street and ZIP of an item, oldest first.
    pub(super) fn with_facts(&self, item: &Item) -> Vec<usize> {
        self.confirmed(self.by_person.of(&item.hash), |candidate| candidate.facts == item.facts)
    }

    /// The people with the name of an item, oldest first.
    pub(super) fn with_name(&self, item: &Item) -> Vec<usize> {
        let Some(name) = item.hash.name else { return Vec::new() };
        self.confirmed(self.by_name.of(&name), |candidate| candidate.facts.name == item.facts.name)
    }

    /// Merges an item into a person, lets `then` complete it, and returns its id.
    pub(super) fn update(&mut self, place: usize, item: &'k Item, then: impl FnOnce(&mut Person<'k>)) -> Uuid {
        let Some(person) = self.list.get_mut(place) else { return Uuid::nil() };
        let had_external_id = person.fields.external_id.is_some();
        let refolds = merge::merge(&mut person.fields, &item.input.fields);
        if refolds {
            person.facts = Facts::of(&person.fields);
            person.hash = person.facts.hash();
        }
        then(person);
        let id = person.id;
        if !had_external_id {
            self.index_external_id(place, item);
        }
        if refolds {
            self.index_facts(place);
        }
        id
    }

    /// Adds a person with the fields of an item, and lets `then` complete it.
    pub(super) fn create(&mut self, id: Uuid, item: &'k Item, then: impl FnOnce(&mut Person<'k>)) {
        let mut fields = Shared::new(&item.input.fields);
        if fields.settled_on.is_some() {
            fields.to_mut().settled_on = None;
        }
        let facts = item.facts.clone();
        let mut person = Person { id, before: None, fields, facts, hash: item.hash, settlements: Vec::new() };
        then(&mut person);
        self.list.push(person);
        let place = self.list.len() - 1;
        self.index_external_id(place, item);
        self.index_facts(place);
    }

    fn confirmed(&self, mut places: Vec<usize>, holds: impl Fn(&Person<'k>) -> bool) -> Vec<usize> {
        places.retain(|place| self.list.get(*place).is_some_and(&holds));
        places
    }

    /// A person's external id is that of the item, if the item has one.
    fn index_external_id(&mut self, place: usize, item: &'k Item) {
        if let Some(external_id) = item.input.fields.external_id.as_deref() {
            self.by_external_id.entry(Cow::Borrowed(external_id)).or_insert(place);
        }
    }

    fn index_facts(&mut self, place: usize) {
        let Some(hash) = self.list.get(place).map(|person| person.hash) else { return };
        if hash.has_match_key() {
            self.by_person.add(hash, place);
        }
        if let Some(name) = hash.name {
            self.by_name.add(name, place);
        }
    }
}
