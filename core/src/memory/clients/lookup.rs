//! The lookup of a change: which clients its keys match (S3).

use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt as _};
use smol_str::SmolStr;
use uuid::Uuid;

use super::Clients;
use crate::{
    client::{Client, Settlement},
    store::{ChangeRequest, LookupKey},
};

impl Clients {
    /// Every client that a key matches, and the settlements of those that a settling key matches.
    pub(in crate::memory) fn lookup(&self, request: &ChangeRequest) -> (Vec<Client>, Vec<Settlement>) {
        let mut matches = BTreeSet::new();
        let mut settling = BTreeSet::new();
        // Keys of one person have the same namesakes.
        let mut namesakes = HashMap::new();
        for key in &request.lookup_keys {
            // An undo may have taken the id back from one that had it.
            let known = key.external_id.as_ref().and_then(|external_id| self.holder(external_id));
            let ids: Vec<Uuid> = match known {
                Some(id) => vec![id],
                None => namesakes
                    .entry((key.person, key.external_id.is_some()))
                    .or_insert_with(|| self.namesakes(key, request.namesakes_max()))
                    .clone(),
            };
            if key.settles {
                settling.extend(&ids);
            }
            matches.extend(ids);
        }
        let clients = matches.iter().filter_map(|id| self.get(*id)).cloned().collect();
        let settlements = settling.iter().filter_map(|id| self.by_id.get(id)).flat_map(|row| row.settlements.clone());
        (clients, settlements.collect())
    }

    /// The client that has an external id now, as its own or as an alias.
    pub(super) fn holder(&self, external_id: &SmolStr) -> Option<Uuid> {
        let has_it =
            |id: &&Uuid| self.get(**id).is_some_and(|client| client.fields.external_id.as_ref() == Some(external_id));
        let ids = self.by_external_id.get(external_id).into_iter().flatten();
        ids.into_iter().find(has_it).copied().or_else(|| self.alias_holder(external_id))
    }

    /// The clients that a key matches by name, at most `namesakes_max` without an external id and as many with one.
    pub(super) fn namesakes(&self, key: &LookupKey, namesakes_max: usize) -> Vec<Uuid> {
        let namesakes = key.person.name.and_then(|name| self.by_name.get(&name)).into_iter().flatten();
        let states = namesakes.filter_map(|id| self.by_id.get(id)?.latest());
        let mut groups = [Vec::new(), Vec::new()];
        for state in states.filter(|state| key.person.matches(&state.person)) {
            let client = &state.client;
            let [without_external_id, with_external_id] = &mut groups;
            let group = match client.fields.external_id {
                None => without_external_id,
                Some(_) if key.person.is_complete() || key.external_id.is_none() => with_external_id,
                Some(_) => continue,
            };
            group.push((state.person.zip5, state.person.street, client.created_at, client.id));
        }
        let first = |mut group: Vec<_>| {
            group.sort_unstable();
            group.into_iter().take(namesakes_max).map(|(_, _, _, id)| id)
        };
        groups.into_iter().flat_map(first).collect()
    }
}
