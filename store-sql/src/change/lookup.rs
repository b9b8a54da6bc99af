//! One consistent view of what a request's keys match, for a decision (S3).

use foldhash::{HashMap, HashSet};
use matterbook_core::{
    SmolStr,
    client::{Client, Fingerprint, Settlement},
    store::{ChangeRequest, IdentityDigest, Snapshot, StoreError, Tombstone},
    time::Timestamp,
};
use uuid::Uuid;

use super::keys::{self, Key};
use crate::{
    FingerprintCache, SeenErasures,
    driver::{Driver, Isolation, Statement},
    erasures::tombstone_statements,
    key_owner::{self, KeyState},
    read::{Results, RowRef, unexpected},
};

/// What a lookup reads.
pub(super) struct LookupResult {
    pub(super) key: KeyState,
    pub(super) snapshot: Snapshot,
}

/// Reads everything that the request's keys match; `None` for an unknown API key. Of a revoked one, only what
/// the request saved earlier is read.
pub(super) async fn lookup<D: Driver>(
    driver: &D,
    erasures: &SeenErasures,
    cache: Option<&FingerprintCache>,
    request: &ChangeRequest,
) -> Result<Option<LookupResult>, StoreError> {
    match driver.isolation() {
        Isolation::Transaction => lookup_in_steps(driver, cache, request).await,
        Isolation::Batch => lookup_in_one_batch(driver, erasures, request).await,
    }
}

/// Where all batches see one state of the database, a step may depend on the one before: names and places are
/// looked up only for keys whose external id is unknown.
async fn lookup_in_steps<D: Driver>(
    driver: &D,
    cache: Option<&FingerprintCache>,
    request: &ChangeRequest,
) -> Result<Option<LookupResult>, StoreError> {
    let mut results = Results::of(driver, &[key_owner::statement_of(request)]).await?;
    let Some(row) = results.row() else { return Ok(None) };
    let key = key_owner::read(row)?;
    let (account, version) = (key.version.account_id, &key.version);
    let settles = request.lookup_keys.iter().any(|key| key.settles);
    let mut matches = Matches::default();
    // An account without a commit has no clients.
    if version.last_commit_at > Timestamp::from_micros(0) {
        let cached = cache.map(|cache| cache.find(version, &request.lookup_keys, settles)).unwrap_or_default();
        let uncached = request.lookup_keys.iter().enumerate().filter(|(index, _)| !cached.contains_key(index));
        let by_external_id = keys::distinct_external_ids(uncached);
        let batch = keys::by_external_id(account, settles, &by_external_id);
        matches.read(driver, &batch, request, &by_external_id).await?;
        if let Some(cache) = cache {
            cache.add(version, matches.as_sent());
        }
        matches.clients.extend(cached.into_values().map(|client| (client.id, client)));
        let known = matches.external_ids();
        let unknown = request.lookup_keys.iter().enumerate();
        let unknown = unknown.filter(|(_, key)| key.external_id.as_ref().is_none_or(|id| !known.contains(id)));
        let by_person = keys::distinct_persons(unknown);
        let batch = keys::by_person(account, &request.key.to_text(), settles, &by_person);
        matches.read(driver, &batch, request, &by_person).await?;
    }
    if version.last_erasure_at.is_some() {
        let batch = tombstone_statements(request, Some(account));
        if !batch.is_empty() {
            driver.read(&batch, |_, values| matches.add_tombstone(RowRef::of(values))).await?;
        }
    }
    Ok(Some(matches.into_result(key)))
}

/// Where others may write between two batches, the lookup is one batch. So it has to say beforehand whether it
/// asks for tombstones. It is repeated in the rare case that it should have.
async fn lookup_in_one_batch<D: Driver>(
    driver: &D,
    erasures: &SeenErasures,
    request: &ChangeRequest,
) -> Result<Option<LookupResult>, StoreError> {
    let settles = request.lookup_keys.iter().any(|key| key.settles);
    let keys = keys::distinct(&request.lookup_keys);
    let clients = keys::together(&request.key.to_text(), settles, &keys);
    let mut with_tombstones = erasures.contains(&request.key);
    loop {
        let tombstones = if with_tombstones { tombstone_statements(request, None) } else { Vec::new() };
        let batch = [vec![key_owner::statement_of(request)], clients.clone(), tombstones].concat();
        let (mut key, mut matches) = (None, Matches::default());
        let read = driver.read(&batch, |statement, values| {
            let row = RowRef::of(values);
            match statement {
                0 => key = Some(key_owner::read(row.into_row())?),
                place if place <= clients.len() => matches.add_client(request, &keys, row)?,
                _ => matches.add_tombstone(row)?,
            }
            Ok(())
        });
        read.await?;
        let Some(key) = key else { return Ok(None) };
        if with_tombstones || key.version.last_erasure_at.is_none() {
            return Ok(Some(matches.into_result(key)));
        }
        erasures.insert(&request.key);
        with_tombstones = true;
    }
}

/// The clients that keys match, each once.
#[derive(Default)]
struct Matches {
    clients: HashMap<Uuid, Client>,
    /// The clients that are stored just as a key's fields say, with their fingerprints.
    as_sent: Vec<(Fingerprint, Uuid)>,
    settlements: Vec<Settlement>,
    tombstones: Vec<Tombstone>,
}

impl Matches {
    /// Runs statements and adds the clients that they find.
    async fn read<D: Driver>(
        &mut self,
        driver: &D,
        batch: &[Statement],
        request: &ChangeRequest,
        keys: &[Key<'_>],
    ) -> Result<(), StoreError> {
        if batch.is_empty() {
            return Ok(());
        }
        driver.read(batch, |_, values| self.add_client(request, keys, RowRef::of(values))).await
    }

    /// Adds a client with its settlements, as `texts/matched_client.sql` reads it.
    fn add_client(&mut self, request: &ChangeRequest, keys: &[Key<'_>], mut row: RowRef<'_>) -> Result<(), StoreError> {
        let number = row.integer()?;
        let (id, created_at, updated_at) = (row.id()?, row.time()?, row.time()?);
        let settlements = row.settlements(id)?;
        let fields = if row.optional_flag()? == Some(true) {
            let key = usize::try_from(number).ok().and_then(|number| keys.get(number));
            let sent = key.and_then(|key| request.lookup_keys.get(key.index));
            let sent = sent.ok_or_else(|| unexpected("the number of a key"))?;
            self.as_sent.extend(sent.fingerprint.map(|fingerprint| (fingerprint, id)));
            sent.fields.clone()
        } else {
            row.client_fields()?
        };
        if self.clients.insert(id, Client { id, fields, created_at, updated_at }).is_none() {
            self.settlements.extend(settlements);
        }
        Ok(())
    }

    fn add_tombstone(&mut self, mut row: RowRef<'_>) -> Result<(), StoreError> {
        self.tombstones.push(Tombstone { identity: IdentityDigest(row.bytes()?), do_not_mail: row.flag()? });
        Ok(())
    }

    fn as_sent(&self) -> impl Iterator<Item = (Fingerprint, &Client)> {
        self.as_sent.iter().filter_map(|(fingerprint, id)| Some((*fingerprint, self.clients.get(id)?)))
    }

    fn external_ids(&self) -> HashSet<SmolStr> {
        self.clients.values().filter_map(|client| client.fields.external_id.clone()).collect()
    }

    fn into_result(self, key: KeyState) -> LookupResult {
        let snapshot = Snapshot {
            holder: key.owner.clone(),
            clients: self.clients.into_values().collect(),
            settlements: self.settlements,
            tombstones: self.tombstones,
            saved_answer: key.saved_answer.clone(),
        };
        LookupResult { key, snapshot }
    }
}
