//! The change set of a batch. Unchanged people are not in it (rule U8).

use super::people::{People, Person};
use crate::store::{ChangeSet, ClientUpdate, NewClient, SettlementChange};

impl People<'_> {
    pub(super) fn into_change_set(self) -> ChangeSet {
        let created = self.list.iter().filter(|person| person.before.is_none()).count();
        let updated = self.list.iter().filter(|person| person.before.is_some() && person.fields.changed().is_some());
        let mut change_set = ChangeSet {
            created: Vec::with_capacity(created),
            updated: Vec::with_capacity(updated.count()),
            ..ChangeSet::default()
        };
        for mut person in self.list {
            add_settlements(&mut change_set, &mut person);
            let is_unchanged = person
                .before
                .is_some_and(|before| person.fields.changed().is_none_or(|fields| *fields == before.fields));
            if is_unchanged {
                continue;
            }
            let id = person.id;
            match person.before {
                None => {
                    let hash = person.hash();
                    let fields = person.fields.into_owned();
                    let fingerprint = fields.fingerprint();
                    change_set.created.push(NewClient { id, fields, person: hash, fingerprint });
                }
                Some(before) => {
                    let new_hash = person.new_hash(&before.fields);
                    let matched_by = person.matched_by;
                    let (before, after) = (before.clone(), person.fields.into_owned());
                    change_set.updated.push(ClientUpdate { id, before, after, new_hash, matched_by });
                }
            }
        }
        change_set
    }
}

fn add_settlements(change_set: &mut ChangeSet, person: &mut Person<'_>) {
    let client = person.id;
    for settlement in std::mem::take(&mut person.settlements) {
        let (id, settled_on, former_dates) = (settlement.id, settlement.settled_on, settlement.former_dates);
        match settlement.before {
            None => change_set.settlements.push(SettlementChange::Begun { id, client, settled_on, former_dates }),
            // The dates that it had within the batch were never stored (rule T12).
            Some(before) if before.settled_on == settled_on => {}
            Some(_) => {
                change_set.settlements.push(SettlementChange::Corrected { id, client, settled_on, former_dates });
            }
        }
    }
}
