//! What the people of a batch have become, as a change set: nothing for those whom nothing changed.

use super::people::{People, Person, SettlementState};
use crate::store::{ChangeSet, ClientUpdate, NewClient, SettlementChange};

impl People {
    pub(super) fn into_change_set(self) -> ChangeSet {
        let mut change_set = ChangeSet::default();
        for mut person in self.list {
            add_settlements(&mut change_set, &mut person);
            let person_after = match &person.before {
                Some(before) if before.fields == person.fields => continue,
                _ => person.facts().hash(),
            };
            let person_before = person.facts_before().hash();
            let (id, fields) = (person.id, person.fields);
            match person.before {
                None => change_set.created.push(NewClient { id, fields, person: person_after }),
                Some(before) => {
                    change_set.updated.push(ClientUpdate { id, before, person_before, after: fields, person_after })
                }
            }
        }
        change_set
    }
}

fn add_settlements(change_set: &mut ChangeSet, person: &mut Person) {
    let client = person.id;
    for settlement in std::mem::take(&mut person.settlements) {
        let (id, settled_on, former_dates) = (settlement.id, settlement.settled_on, settlement.former_dates);
        match settlement.state {
            SettlementState::Saved => {}
            SettlementState::Corrected => {
                change_set.settlements.push(SettlementChange::Corrected { id, client, settled_on, former_dates });
            }
            SettlementState::Begun => {
                change_set.settlements.push(SettlementChange::Begun { id, client, settled_on, former_dates });
            }
        }
    }
}
