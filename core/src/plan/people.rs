//! The people of one batch: those who are known and those whom the batch creates, found by
//! external id and by folded facts, as they stand after the items so far.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, HashMap},
};

use chrono::NaiveDate;
use uuid::Uuid;

use super::{Item, Known, merge};
use crate::{
    client::{Client, ClientFields},
    matching::Facts,
};

/// Everyone whom the batch may find. A place in it says the age too: a lower one is older.
pub(super) struct People {
    pub(super) list: Vec<Person>,
    by_external_id: HashMap<String, usize>,
    by_facts: Option<FactsIndex>,
}

/// One person as it stands now.
pub(super) struct Person {
    pub(super) id: Uuid,
    /// What is saved; `None` for one whom the batch creates.
    pub(super) before: Option<Client>,
    pub(super) fields: ClientFields,
    /// Folding costs more than anything else here and is seldom needed of a known client.
    facts: OnceCell<Facts>,
    /// In the order in which they were begun.
    pub(super) settlements: Vec<PersonSettlement>,
}

/// A settlement as it stands now.
pub(super) struct PersonSettlement {
    pub(super) id: Uuid,
    pub(super) settled_on: NaiveDate,
    pub(super) former_dates: Vec<NaiveDate>,
    pub(super) state: SettlementState,
}

/// What the batch did to a settlement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SettlementState {
    Saved,
    Corrected,
    Begun,
}

/// Places by what they are compared by. An entry may be out of date; whoever looks compares again.
#[derive(Default)]
struct FactsIndex {
    by_key: HashMap<Facts, Vec<usize>>,
    by_name: HashMap<String, Vec<usize>>,
}

impl Person {
    pub(super) fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| Facts::of(&self.fields))
    }

    /// The facts of what is saved.
    pub(super) fn facts_before(&self) -> Facts {
        match &self.before {
            Some(before) if merge::facts_differ(&before.fields, &self.fields) => Facts::of(&before.fields),
            _ => self.facts().clone(),
        }
    }
}

impl People {
    pub(super) fn new(known: Known<'_>) -> Self {
        let mut settlements: BTreeMap<Uuid, Vec<_>> = BTreeMap::new();
        for settlement in known.settlements {
            settlements.entry(settlement.client).or_default().push(settlement);
        }
        let mut list: Vec<Person> = known
            .clients
            .iter()
            .map(|client| {
                let mut of_client = settlements.remove(&client.id).unwrap_or_default();
                of_client.sort_by_key(|settlement| (settlement.begun_at, settlement.id));
                Person {
                    id: client.id,
                    before: Some(client.clone()),
                    fields: client.fields.clone(),
                    facts: OnceCell::new(),
                    settlements: of_client
                        .into_iter()
                        .map(|settlement| PersonSettlement {
                            id: settlement.id,
                            settled_on: settlement.settled_on,
                            former_dates: settlement.former_dates.clone(),
                            state: SettlementState::Saved,
                        })
                        .collect(),
                }
            })
            .collect();
        list.sort_by_key(|person| (person.before.as_ref().map(|client| client.created_at), person.id));
        let by_external_id = list
            .iter()
            .enumerate()
            .filter_map(|(place, person)| Some((person.fields.external_id.clone()?, place)))
            .collect();
        Self { list, by_external_id, by_facts: None }
    }

    pub(super) fn with_external_id(&self, external_id: &str) -> Option<usize> {
        self.by_external_id.get(external_id).copied()
    }

    /// Those with the same name, street and ZIP, oldest first.
    pub(super) fn with_facts(&mut self, facts: &Facts) -> Vec<usize> {
        let candidates = self.facts_index().by_key.get(facts).cloned().unwrap_or_default();
        self.confirmed(candidates, |candidate| candidate == facts)
    }

    /// Those with the same name, oldest first.
    pub(super) fn with_name(&mut self, name: &str) -> Vec<usize> {
        let candidates = self.facts_index().by_name.get(name).cloned().unwrap_or_default();
        self.confirmed(candidates, |candidate| candidate.name.as_deref() == Some(name))
    }

    /// Merges an item into a person, lets `then` finish it, and says who it is.
    pub(super) fn update(&mut self, place: usize, item: &Item, then: impl FnOnce(&mut Person)) -> Uuid {
        let Some(person) = self.list.get_mut(place) else { return Uuid::nil() };
        let refolds = merge::merge(&mut person.fields, &item.input.fields);
        if refolds {
            person.facts = OnceCell::new();
        }
        if !merge::facts_differ(&person.fields, &item.input.fields) {
            // The merged record is compared by what the item gave, which is folded already.
            let _ = person.facts.set(item.facts.clone());
        }
        then(person);
        let id = person.id;
        self.index(place, refolds);
        id
    }

    /// Adds a person with what an item gave, and lets `then` finish it.
    pub(super) fn create(&mut self, id: Uuid, item: &Item, then: impl FnOnce(&mut Person)) {
        let mut person = Person {
            id,
            before: None,
            fields: ClientFields { settled_on: None, ..item.input.fields.clone() },
            facts: OnceCell::from(item.facts.clone()),
            settlements: Vec::new(),
        };
        then(&mut person);
        self.list.push(person);
        self.index(self.list.len() - 1, true);
    }

    fn confirmed(&self, mut places: Vec<usize>, holds: impl Fn(&Facts) -> bool) -> Vec<usize> {
        places.sort_unstable();
        places.dedup();
        places.retain(|place| self.list.get(*place).is_some_and(|person| holds(person.facts())));
        places
    }

    fn index(&mut self, place: usize, facts_are_new: bool) {
        let Some(person) = self.list.get(place) else { return };
        if let Some(external_id) = &person.fields.external_id
            && !self.by_external_id.contains_key(external_id)
        {
            self.by_external_id.insert(external_id.clone(), place);
        }
        if facts_are_new && let Some(index) = &mut self.by_facts {
            index.add(place, person.facts());
        }
    }

    /// Built when somebody is first looked for by name: a batch whose clients are all found by
    /// their external ids never folds what is known.
    fn facts_index(&mut self) -> &FactsIndex {
        let list = &self.list;
        self.by_facts.get_or_insert_with(|| {
            let mut index = FactsIndex::default();
            for (place, person) in list.iter().enumerate() {
                index.add(place, person.facts());
            }
            index
        })
    }
}

impl FactsIndex {
    fn add(&mut self, place: usize, facts: &Facts) {
        if facts.has_match_key() {
            self.by_key.entry(facts.clone()).or_default().push(place);
        }
        if let Some(name) = &facts.name {
            self.by_name.entry(name.clone()).or_default().push(place);
        }
    }
}
