//! The undo of a commit (S19).

use std::collections::BTreeSet;

use uuid::Uuid;

use super::{Clients, History, State};
use crate::{
    client::{Client, ClientFields},
    store::{Alias, AliasChange, ChangeSet},
    time::Timestamp,
    undo::{Removed, Touched, TouchedAlias, TouchedState, Undo, is_sent_again},
};

impl Clients {
    /// What an undo of the commit at a time would do. `batches` are the times of those of its import.
    pub(in crate::memory) fn undo(&self, at: Timestamp, batches: &BTreeSet<Timestamp>) -> Undo {
        let holder = |fields: &ClientFields| self.holder(fields.external_id.as_ref()?);
        let touched_aliases = self.aliases.iter().filter(|kept| kept.given_at == at || kept.taken_at == Some(at));
        let touched_aliases = touched_aliases.filter_map(|kept| {
            let Alias { client, external_id } = kept.alias.clone();
            let is_given = kept.given_at == at;
            Some(TouchedAlias {
                now: self.get(client)?.clone(),
                is_as_left: !is_given || kept.taken_at.is_none(),
                holder: self.holder(&external_id),
                change: AliasChange { external_id, is_given },
            })
        });
        let touched_aliases = touched_aliases.collect();
        let touched = self.by_id.values().filter_map(|history| {
            let now = history.latest()?.client.clone();
            let is_own = |state: &State| state.client.updated_at == at || batches.contains(&state.client.updated_at);
            let first = history.states.iter().position(is_own)?.saturating_sub(1);
            let state = |state: &State| TouchedState {
                at: state.client.updated_at,
                is_of_import: batches.contains(&state.client.updated_at),
                is_first: state.is_first,
                holder: holder(&state.client.fields),
                fields: state.client.fields.clone(),
            };
            let states = history.states.get(first..)?.iter().rev().map(state).collect();
            Some(Touched { now, states })
        });
        let removed = self.removed.values().filter(|(removed_at, _)| *removed_at == at);
        let removed = removed.map(|(_, state)| {
            let client = state.client.clone();
            let is_met = |other: &State| {
                let other_id = &other.client.fields.external_id;
                other.client.updated_at > at && is_sent_again(&client.fields, &other.person, other_id.is_some())
            };
            let is_sent_again = self.by_id.values().filter_map(History::latest).any(is_met);
            Removed { holder: holder(&client.fields), is_sent_again, client }
        });
        Undo::of(at, touched.collect(), removed.collect()).with_aliases(touched_aliases)
    }

    /// Applies an undo.
    pub(in crate::memory) fn apply_undo(&mut self, undo: &Undo, at: Timestamp) {
        for client in &undo.removed {
            let person = self.person(client.id).unwrap_or_default();
            self.erase(client.id);
            let state = State { client: client.clone(), person, matched_by: None, is_first: true };
            self.removed.insert(client.id, (at, state));
        }
        for client in &undo.restored {
            if let Some((_, mut state)) = self.removed.remove(&client.id) {
                state.client.updated_at = at;
                self.put(state);
            }
        }
        let mut given = Vec::new();
        for (client, AliasChange { external_id, is_given }) in undo.aliases.clone() {
            let alias = Alias { client, external_id };
            if is_given {
                given.push(alias);
            } else {
                let live = self.aliases.iter_mut().filter(|kept| kept.taken_at.is_none() && kept.alias == alias);
                live.for_each(|kept| kept.taken_at = Some(at));
            }
        }
        self.apply(ChangeSet { updated: undo.updated.clone(), aliases: given, ..ChangeSet::default() }, at);
    }

    /// Forgets a client that an undo removed, and returns it.
    pub(in crate::memory) fn erase_removed(&mut self, id: Uuid) -> Option<Client> {
        self.removed.remove(&id).map(|(_, state)| state.client)
    }
}
