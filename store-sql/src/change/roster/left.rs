//! What a roster is told.

use matterbook_core::{
    client::{Client, Fingerprint},
    matching::PersonHash,
    store::ChangeSet,
    time::Timestamp,
};
use uuid::Uuid;

use super::hashes;

/// What a commit leaves, or a look sees.
#[derive(Default)]
pub(in crate::change) struct Left {
    pub(super) clients: Vec<LeftClient>,
    /// By whose names and places somebody is found from now on.
    pub(super) persons: Vec<PersonHash>,
}

/// A client with an external id, as it is after a commit that has no time yet.
pub(super) struct LeftClient {
    pub(super) external_id_hash: u64,
    pub(super) fingerprint: Fingerprint,
    pub(super) id: Uuid,
    /// `None` where the commit creates it.
    pub(super) created_at: Option<Timestamp>,
    /// `None` where the commit creates or changes it.
    pub(super) updated_at: Option<Timestamp>,
}

impl LeftClient {
    /// A client of this fingerprint that stays as it is; nothing of one without an external id.
    fn as_it_was(client: &Client, fingerprint: Fingerprint) -> Option<Self> {
        let external_id_hash = hashes::of_external_id(client.fields.external_id.as_deref()?);
        let (created_at, updated_at) = (Some(client.created_at), Some(client.updated_at));
        Some(Self { external_id_hash, fingerprint, id: client.id, created_at, updated_at })
    }
}

impl Left {
    /// Clients that stay as they are, each with its fingerprint.
    pub(in crate::change) fn as_they_were<'c>(clients: impl Iterator<Item = (&'c Client, Fingerprint)>) -> Self {
        let clients = clients.filter_map(|(client, fingerprint)| LeftClient::as_it_was(client, fingerprint));
        Self { clients: clients.collect(), persons: Vec::new() }
    }

    /// Beside these, those whom a change set creates or changes.
    pub(in crate::change) fn add(&mut self, change_set: &ChangeSet) {
        let created = change_set.created.iter().map(|new| (new.id, &new.fields, None));
        let updated = change_set.updated.iter();
        let updated = updated.map(|update| (update.id, &update.after, Some(update.before.created_at)));
        self.clients.extend(created.chain(updated).filter_map(|(id, fields, created_at)| {
            let external_id_hash = hashes::of_external_id(fields.external_id.as_deref()?);
            Some(LeftClient { external_id_hash, fingerprint: fields.fingerprint(), id, created_at, updated_at: None })
        }));
        let found_anew = change_set.updated.iter().filter_map(|update| update.found_anew);
        self.persons.extend(change_set.created.iter().map(|new| new.person).chain(found_anew));
    }
}
