//! What a change set must satisfy to be applied whole (S4).

use std::collections::BTreeSet;

use uuid::Uuid;

use super::Clients;
use crate::store::{ChangeSet, SettlementChange, StoreError};

impl Clients {
    /// Refuses a change set that cannot be applied whole (S4). Applying it afterwards cannot fail.
    pub(in crate::memory) fn check(&self, change_set: &ChangeSet) -> Result<(), StoreError> {
        let mut created = BTreeSet::new();
        let mut updated = BTreeSet::new();
        let mut external_ids = BTreeSet::new();
        for new in &change_set.created {
            if self.by_id.contains_key(&new.id) || !created.insert(new.id) {
                return refused("a created client's id is taken");
            }
        }
        for update in &change_set.updated {
            if !self.by_id.contains_key(&update.id) || !updated.insert(update.id) {
                return refused("an updated client is unknown or updated twice");
            }
        }
        let after = change_set.updated.iter().map(|update| &update.after);
        for fields in change_set.created.iter().map(|new| &new.fields).chain(after) {
            let Some(external_id) = &fields.external_id else { continue };
            let holders = self.by_external_id.get(external_id).into_iter().flatten();
            let is_held = |id: &Uuid| {
                !updated.contains(id)
                    && self.get(*id).is_some_and(|client| client.fields.external_id == fields.external_id)
            };
            let is_alias = self.alias_holder(external_id).is_some_and(|holder| !updated.contains(&holder));
            if !external_ids.insert(external_id) || is_alias || holders.into_iter().any(is_held) {
                return refused("an external id would belong to two clients");
            }
        }
        let mut settlements = BTreeSet::new();
        for change in &change_set.settlements {
            let (id, client) = match change {
                SettlementChange::Begun { id, client, .. } | SettlementChange::Corrected { id, client, .. } => {
                    (id, client)
                }
            };
            let history = self.by_id.get(client);
            let is_known = settlements.contains(&(client, id))
                || history.is_some_and(|history| history.settlements.iter().any(|known| known.id == *id));
            let begins = matches!(change, SettlementChange::Begun { .. });
            if (history.is_none() && !created.contains(client)) || is_known == begins {
                return refused("a settlement is begun twice, or corrected but unknown, or of an unknown client");
            }
            settlements.insert((client, id));
        }
        Ok(())
    }
}

fn refused(cause: &str) -> Result<(), StoreError> {
    Err(StoreError::Failed { cause: cause.to_owned() })
}
