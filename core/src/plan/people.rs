//! The people of one batch: those who are known and those whom the batch creates, found by
//! external id and by folded facts, as they stand after the items so far.

use std::{
    borrow::Cow,
    cell::{LazyCell, OnceCell},
};

use chrono::NaiveDate;
use foldhash::{HashMap, HashMapExt as _};
use uuid::Uuid;

use super::{Batch, Item, Known, merge, persons::Persons, places::Places, shared::Shared};
use crate::{
    client::{Client, ClientFields, Settlement},
    matching::{Facts, PersonHash, Room},
    order::sorted_by,
};

/// Everyone whom the batch may find. A place in it says the age too: a lower one is older.
pub(super) struct People<'k> {
    pub(super) list: Vec<Person<'k>>,
    by_external_id: HashMap<Cow<'k, str>, usize>,
    /// Made when they are first asked for: where all clients are found by their external ids, nobody
    /// who is known is folded.
    by_person: Option<Persons>,
    by_name: Option<Places<i64>>,
    batch: &'k Batch,
}

/// One person as it stands now.
pub(super) struct Person<'k> {
    pub(super) id: Uuid,
    /// What is saved; `None` for one whom the batch creates.
    pub(super) before: Option<&'k Client>,
    pub(super) fields: Shared<'k, ClientFields>,
    /// Folding costs more than anything else here and is seldom needed of a known client; the folded
    /// facts themselves are seldom needed of anybody.
    hash: OnceCell<PersonHash>,
    facts: OnceCell<Box<Facts>>,
    /// In the order in which they were begun.
    pub(super) settlements: Vec<PersonSettlement<'k>>,
}

/// A settlement as it stands now.
pub(super) struct PersonSettlement<'k> {
    pub(super) id: Uuid,
    /// What is saved; `None` for one that the batch begins.
    pub(super) before: Option<&'k Settlement>,
    pub(super) settled_on: NaiveDate,
    pub(super) former_dates: Vec<NaiveDate>,
}

impl<'k> Person<'k> {
    fn known(client: &'k Client, settlements: Vec<&'k Settlement>) -> Self {
        let saved = |settlement: &'k Settlement| PersonSettlement {
            id: settlement.id,
            before: Some(settlement),
            settled_on: settlement.settled_on,
            former_dates: settlement.former_dates.clone(),
        };
        Self {
            id: client.id,
            before: Some(client),
            fields: Shared::new(&client.fields),
            hash: OnceCell::new(),
            facts: OnceCell::new(),
            settlements: settlements.into_iter().map(saved).collect(),
        }
    }

    pub(super) fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| Box::new(Facts::of(&self.fields)))
    }

    /// Its hashes, if they are made already.
    pub(super) fn made_hash(&self) -> Option<PersonHash> {
        self.hash.get().copied()
    }

    pub(super) fn hash(&self) -> PersonHash {
        *self.hash.get_or_init(|| hash_of(&self.fields))
    }

    /// The hashes under which it is found from now on; `None` where it is found as what is saved is, by these
    /// and by its external id.
    pub(super) fn found_anew(&self, before: &ClientFields) -> Option<PersonHash> {
        let is_known_anew = self.fields.external_id != before.external_id;
        let is_anew = is_known_anew || merge::facts_differ(before, &self.fields) && hash_of(before) != self.hash();
        is_anew.then(|| self.hash())
    }
}

fn hash_of(fields: &ClientFields) -> PersonHash {
    PersonHash::of(&mut Room::default(), fields)
}

impl<'k> People<'k> {
    pub(super) fn new(known: Known<'k>, batch: &'k Batch) -> Self {
        let mut settlements: HashMap<Uuid, Vec<_>> = HashMap::new();
        for settlement in known.settlements {
            settlements.entry(settlement.client).or_default().push(settlement);
        }
        let age = |client: &&Client| (client.created_at, client.id);
        let clients = sorted_by(known.clients.iter().collect(), |one, other| age(one).cmp(&age(other)));
        let mut list = Vec::with_capacity(clients.len() + batch.clients.inputs.len());
        let mut by_external_id = HashMap::with_capacity(clients.len() + batch.clients.inputs.len());
        for (place, client) in clients.into_iter().enumerate() {
            let of_client = settlements.remove(&client.id).unwrap_or_default();
            let begun = |settlement: &&Settlement| (settlement.begun_at, settlement.id);
            let of_client = sorted_by(of_client, |one, other| begun(one).cmp(&begun(other)));
            list.push(Person::known(client, of_client));
            if let Some(external_id) = client.fields.external_id.as_deref() {
                by_external_id.insert(Cow::Borrowed(external_id), place);
            }
        }
        Self { list, by_external_id, by_person: None, by_name: None, batch }
    }

    pub(super) fn with_external_id(&self, external_id: &str) -> Option<usize> {
        self.by_external_id.get(external_id).copied()
    }

    /// Those with the same name, street and ZIP as an item with these hashes, oldest first.
    pub(super) fn with_facts(&mut self, item: Item<'k>, hash: PersonHash) -> Vec<usize> {
        let persons = self.by_person.get_or_insert_with(|| Persons::of(&self.list));
        let candidates = persons.like(&item.input.fields, hash, &self.list);
        let fields = &item.input.fields;
        let facts = LazyCell::new(|| Facts::of(fields));
        self.confirmed(candidates, |candidate| {
            !merge::facts_differ(&candidate.fields, fields) || *candidate.facts() == *facts
        })
    }

    /// Those with the same name as these facts, oldest first.
    pub(super) fn with_name(&mut self, item: Item<'k>, facts: &Facts) -> Vec<usize> {
        let Some(name) = item.hash().name else { return Vec::new() };
        if self.by_name.is_none() {
            let mut places = Places::with_capacity(self.list.len() + self.batch.clients.inputs.len());
            for (place, person) in self.list.iter().enumerate() {
                if let Some(name) = person.hash().name {
                    places.add(name, place);
                }
            }
            self.by_name = Some(places);
        }
        let candidates = self.by_name.as_ref().map(|places| places.of(&name)).unwrap_or_default();
        self.confirmed(candidates, |candidate| candidate.facts().name == facts.name)
    }

    /// Merges an item into a person, lets `then` finish it, and says who it is.
    pub(super) fn update(&mut self, place: usize, item: Item<'k>, then: impl FnOnce(&mut Person<'k>)) -> Uuid {
        let Some(person) = self.list.get_mut(place) else { return Uuid::nil() };
        let had_external_id = person.fields.external_id.is_some();
        let refolds = merge::merge(&mut person.fields, &item.input.fields);
        if refolds {
            (person.hash, person.facts) = (OnceCell::new(), OnceCell::new());
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

    /// Adds a person with what an item gave, and lets `then` finish it.
    pub(super) fn create(&mut self, id: Uuid, item: Item<'k>, then: impl FnOnce(&mut Person<'k>)) {
        let mut fields = Shared::new(&item.input.fields);
        if fields.settled_on.is_some() {
            fields.to_mut().settled_on = None;
        }
        let hash = OnceCell::from(item.hash());
        let mut person = Person { id, before: None, fields, hash, facts: OnceCell::new(), settlements: Vec::new() };
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

    /// The external id of a person is that of the item, if it has one at all.
    fn index_external_id(&mut self, place: usize, item: Item<'k>) {
        if let Some(external_id) = item.input.fields.external_id.as_deref() {
            self.by_external_id.entry(Cow::Borrowed(external_id)).or_insert(place);
        }
    }

    fn index_facts(&mut self, place: usize) {
        if self.by_person.is_none() && self.by_name.is_none() {
            return;
        }
        let Some(person) = self.list.get(place) else { return };
        let hash = person.hash();
        if let Some(persons) = &mut self.by_person {
            persons.add(hash, place);
        }
        if let (Some(places), Some(name)) = (&mut self.by_name, hash.name) {
            places.add(name, place);
        }
    }
}
