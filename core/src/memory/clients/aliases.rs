//! The aliases of clients (S27).

use smol_str::SmolStr;
use uuid::Uuid;

use super::Clients;
use crate::{
    store::{Alias, AliasChange},
    time::Timestamp,
};

/// An alias, with the commits that gave and took it.
#[derive(Clone, Debug)]
pub(super) struct KeptAlias {
    pub(super) alias: Alias,
    pub(super) given_at: Timestamp,
    pub(super) taken_at: Option<Timestamp>,
}

impl Clients {
    /// The client that has an external id as an alias.
    pub(super) fn alias_holder(&self, external_id: &SmolStr) -> Option<Uuid> {
        self.alias_holder_at(external_id, Timestamp::MAX)
    }

    /// The client that has an external id as an alias, if it was given up to a moment.
    pub(super) fn alias_holder_at(&self, external_id: &SmolStr, moment: Timestamp) -> Option<Uuid> {
        let live = self.aliases.iter().filter(|kept| kept.taken_at.is_none() && kept.given_at <= moment);
        live.map(|kept| &kept.alias).find(|alias| alias.external_id == *external_id).map(|alias| alias.client)
    }

    /// The aliases of clients that are among some external ids.
    pub(in crate::memory) fn aliases_among<'i>(&self, external_ids: impl Iterator<Item = &'i SmolStr>) -> Vec<Alias> {
        let mut aliases = Vec::new();
        for external_id in external_ids {
            let found = self.alias_holder(external_id).map(|client| Alias { client, external_id: external_id.clone() });
            aliases.extend(found.filter(|found| !aliases.contains(found)));
        }
        aliases
    }

    /// All of them.
    pub(in crate::memory) fn all_aliases(&self) -> Vec<Alias> {
        self.aliases.iter().filter(|kept| kept.taken_at.is_none()).map(|kept| kept.alias.clone()).collect()
    }

    /// The external ids by which a client is found besides its own.
    pub(in crate::memory) fn aliases_of(&self, client: Uuid) -> Vec<SmolStr> {
        let live = self.aliases.iter().filter(|kept| kept.taken_at.is_none() && kept.alias.client == client);
        live.map(|kept| kept.alias.external_id.clone()).collect()
    }

    /// The alias that a commit gave to a client, or took from it.
    pub(in crate::memory) fn alias_change(&self, client: Uuid, at: Timestamp) -> Option<AliasChange> {
        let mut own = self.aliases.iter().filter(|kept| kept.alias.client == client);
        let kept = own.find(|kept| kept.given_at == at || kept.taken_at == Some(at))?;
        Some(AliasChange { external_id: kept.alias.external_id.clone(), is_given: kept.given_at == at })
    }

    /// Gives aliases.
    pub(super) fn give_aliases(&mut self, aliases: Vec<Alias>, at: Timestamp) {
        self.aliases.extend(aliases.into_iter().map(|alias| KeptAlias { alias, given_at: at, taken_at: None }));
    }
}
