//! The people of one batch: those who are known and those whom the batch creates, found by
//! external id and by folded facts, as they stand after the items so far.

use std::{
    borrow::Cow,
    cell::OnceCell,
    collections::{BTreeMap, HashMap},
};

use chrono::NaiveDate;
use uuid::Uuid;

use super::{Item, Known, merge};
use crate::{
    client::{Client, ClientFields},
    matching::{Facts, PersonHash},
};

/// Everyone whom the batch may find. A place in it says the age too: a lower one is older.
pub(super) struct People<'k> {
    pub(super) list: Vec<Person<'k>>,
    by_external_id: HashMap<Cow<'k, str>, usize>,
    by_facts: Option<FactsIndex>,
    /// Everybody in the batch.
    items: &'k [Result<Item, String>],
}

/// One person as it stands now.
pub(super) struct Person<'k> {
    pub(super) id: Uuid,
    /// What is saved; `None` for one whom the batch creates.
    pub(super) before: Option<&'k Client>,
    /// Owned once something of them changes.
    pub(super) fields: Cow<'k, ClientFields>,
    /// Folding costs more than anything else here and is seldom needed of a known client.
    facts: OnceCell<Cow<'k, Facts>>,
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

/// Places by the hashes of what they are compared by. An entry may be out of date, or that of another
/// with the same hash; whoever looks compares again.
#[derive(Default)]
struct FactsIndex {
    by_key: HashMap<PersonHash, Vec<usize>>,
    by_name: HashMap<Option<i64>, Vec<usize>>,
}

impl Person<'_> {
    pub(super) fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| Cow::Owned(Facts::of(&self.fields)))
    }

    /// The hashes of what is saved.
    pub(super) fn hash_before(&self) -> PersonHash {
        match self.before {
            Some(before) if merge::facts_differ(&before.fields, &self.fields) => Facts::of(&before.fields).hash(),
            _ => self.facts().hash(),
        }
    }
}

impl<'k> People<'k> {
    pub(super) fn new(known: Known<'k>, items: &'k [Result<Item, String>]) -> Self {
        let mut settlements: BTreeMap<Uuid, Vec<_>> = BTreeMap::new();
        for settlement in known.settlements {
            settlements.entry(settlement.client).or_default().push(settlement);
        }
        let mut list: Vec<Person<'k>> = known
            .clients
            .iter()
            .map(|client| {
                let mut of_client = settlements.remove(&client.id).unwrap_or_default();
                of_client.sort_by_key(|settlement| (settlement.begun_at, settlement.id));
                Person {
                    id: client.id,
                    before: Some(client),
                    fields: Cow::Borrowed(&client.fields),
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
        list.sort_by_key(|person| (person.before.map(|client| client.created_at), person.id));
        let by_external_id = list
            .iter()
            .enumerate()
            .filter_map(|(place, person)| Some((Cow::Borrowed(person.before?.fields.external_id.as_deref()?), place)))
            .collect();
        Self { list, by_external_id, by_facts: None, items }
    }

    pub(super) fn with_external_id(&self, external_id: &str) -> Option<usize> {
        self.by_external_id.get(external_id).copied()
    }

    /// Those with the same name, street and ZIP, oldest first.
    pub(super) fn with_facts(&mut self, facts: &Facts) -> Vec<usize> {
        let candidates = self.facts_index().by_key.get(&facts.hash()).cloned().unwrap_or_default();
        self.confirmed(candidates, |candidate| candidate == facts)
    }

    /// Those with the same name, oldest first.
    pub(super) fn with_name(&mut self, facts: &Facts) -> Vec<usize> {
        let candidates = self.facts_index().by_name.get(&facts.hash().name).cloned().unwrap_or_default();
        self.confirmed(candidates, |candidate| candidate.name == facts.name)
    }

    /// Merges an item into a person, lets `then` finish it, and says who it is.
    pub(super) fn update(&mut self, place: usize, item: &'k Item, then: impl FnOnce(&mut Person<'k>)) -> Uuid {
        let Some(person) = self.list.get_mut(place) else { return Uuid::nil() };
        let given = &item.input.fields;
        let refolds = merge::merge(&mut person.fields, given);
        if refolds {
            person.facts = OnceCell::new();
        }
        if person.facts.get().is_none() && !merge::facts_differ(&person.fields, given) {
            // The merged record is compared by what the item gave, which is folded already.
            let _ = person.facts.set(Cow::Borrowed(&item.facts));
        }
        then(person);
        let id = person.id;
        self.index(place, refolds);
        id
    }

    /// Adds a person with what an item gave, and lets `then` finish it.
    pub(super) fn create(&mut self, id: Uuid, item: &'k Item, then: impl FnOnce(&mut Person<'k>)) {
        let mut person = Person {
            id,
            before: None,
            fields: Cow::Owned(ClientFields { settled_on: None, ..item.input.fields.clone() }),
            facts: OnceCell::from(Cow::Borrowed(&item.facts)),
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
        if let Some(external_id) = person.fields.external_id.as_deref()
            && !self.by_external_id.contains_key(external_id)
        {
            self.by_external_id.insert(Cow::Owned(external_id.to_owned()), place);
        }
        if facts_are_new && let Some(index) = &mut self.by_facts {
            index.add(place, person.facts());
        }
    }

    /// Built when somebody is first looked for by name: a batch whose clients are all found by
    /// their external ids never folds what is known.
    fn facts_index(&mut self) -> &FactsIndex {
        let Self { list, by_external_id, by_facts, items } = self;
        by_facts.get_or_insert_with(|| {
            // What an item gives is folded already: whoever has the same name and address need not be.
            for item in items.iter().flatten() {
                let external_id = item.input.fields.external_id.as_deref();
                let place = external_id.and_then(|external_id| by_external_id.get(external_id));
                if let Some(person) = place.and_then(|place| list.get(*place))
                    && person.facts.get().is_none()
                    && !merge::facts_differ(&person.fields, &item.input.fields)
                {
                    let _ = person.facts.set(Cow::Borrowed(&item.facts));
                }
            }
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
        let hash = facts.hash();
        if facts.has_match_key() {
            self.by_key.entry(hash).or_default().push(place);
        }
        if hash.name.is_some() {
            self.by_name.entry(hash.name).or_default().push(place);
        }
    }
}
