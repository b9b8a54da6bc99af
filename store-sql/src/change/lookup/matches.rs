//! What the statements of a lookup find.

use foldhash::{HashMap, HashSet};
use matterbook_core::{
    SmolStr,
    client::{Client, Fingerprint, Settlement},
    store::{Alias, ChangeRequest, IdentityDigest, Snapshot, StoreError, Tombstone},
};
use uuid::Uuid;

use super::{LookupResult, keys::Key};
use crate::{
    change_state::ChangeState,
    driver::{Driver, Statement},
    read::{RowRef, unexpected},
};

/// The clients that keys match, each once.
#[derive(Default)]
pub(super) struct Matches {
    pub(super) clients: HashMap<Uuid, Client>,
    /// The clients that are stored just as a key's fields say, with their fingerprints.
    as_sent: Vec<(Fingerprint, Uuid)>,
    settlements: Vec<Settlement>,
    tombstones: Vec<Tombstone>,
    waiting: Vec<Uuid>,
    aliases: Vec<Alias>,
    /// A key matches clients that were not returned.
    pub(super) has_more: bool,
}

impl Matches {
    /// Runs statements and adds the clients that they find.
    pub(super) async fn read<D: Driver>(
        &mut self,
        driver: &D,
        batch: &[Statement],
        request: &ChangeRequest,
        keys: &[Key<'_>],
    ) -> Result<(), StoreError> {
        if batch.is_empty() {
            return Ok(());
        }
        driver.read(batch, |_, values| self.add_client(request, keys, RowRef::of(values)).map(drop)).await
    }

    /// Adds a client with its settlements, as `texts/matched_client.sql` reads it. A negative number of a key says
    /// that the key matches others too (`sql/lookup_clients.sql`).
    pub(super) fn add_client(
        &mut self,
        request: &ChangeRequest,
        keys: &[Key<'_>],
        mut row: RowRef<'_>,
    ) -> Result<(usize, Uuid), StoreError> {
        let number = row.integer()?;
        self.has_more |= number < 0;
        let number = usize::try_from(number.max(-1 - number)).map_err(|_| unexpected("the number of a key"))?;
        let (id, created_at, updated_at) = (row.id()?, row.time()?, row.time()?);
        let settlements = row.settlements(id)?;
        let fields = if row.optional_flag()? == Some(true) {
            let sent = keys.get(number).and_then(|key| request.lookup_keys.get(key.index));
            let sent = sent.ok_or_else(|| unexpected("the number of a key"))?;
            self.as_sent.extend(sent.fingerprint.map(|fingerprint| (fingerprint, id)));
            sent.fields.clone()
        } else {
            row.client_fields()?
        };
        if self.clients.insert(id, Client { id, fields, created_at, updated_at }).is_none() {
            self.settlements.extend(settlements);
        }
        Ok((number, id))
    }

    /// Adds a client that has the external id of a key as an alias.
    pub(super) fn add_by_alias(
        &mut self,
        request: &ChangeRequest,
        keys: &[Key<'_>],
        row: RowRef<'_>,
    ) -> Result<(), StoreError> {
        let (number, client) = self.add_client(request, keys, row)?;
        let external_id = keys.get(number).and_then(|key| key.external_id);
        self.aliases.extend(external_id.map(|external_id| Alias { client, external_id: external_id.clone() }));
        Ok(())
    }

    pub(super) fn add_tombstone(&mut self, mut row: RowRef<'_>) -> Result<(), StoreError> {
        self.tombstones.push(Tombstone { identity: IdentityDigest(row.bytes()?), do_not_mail: row.flag()? });
        Ok(())
    }

    pub(super) fn add_waiting(&mut self, mut row: RowRef<'_>) -> Result<(), StoreError> {
        self.waiting.push(row.id()?);
        Ok(())
    }

    pub(super) fn as_sent(&self) -> impl Iterator<Item = (Fingerprint, &Client)> {
        self.as_sent.iter().filter_map(|(fingerprint, id)| Some((*fingerprint, self.clients.get(id)?)))
    }

    pub(super) fn external_ids(&self) -> HashSet<SmolStr> {
        let own = self.clients.values().filter_map(|client| client.fields.external_id.clone());
        own.chain(self.aliases.iter().map(|alias| alias.external_id.clone())).collect()
    }

    pub(super) fn into_result(self, state: ChangeState) -> LookupResult {
        let snapshot = Snapshot {
            owner: state.owner.clone(),
            clients: self.clients.into_values().collect(),
            settlements: self.settlements,
            tombstones: self.tombstones,
            idempotency_record: state.idempotency_record.clone(),
            waiting: self.waiting,
            aliases: self.aliases,
            similar: Vec::new(),
        };
        LookupResult { state, snapshot }
    }
}
