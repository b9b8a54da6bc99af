//! One consistent view of what a request's keys match, for a decision (S3). No external id and no person is looked
//! up twice: 500 keys of one name would otherwise read every client of that name 500 times.

mod keys;
#[cfg(feature = "console")]
mod known_account;
mod matches;
mod statements;

use matterbook_core::{
    key::KeyDigest,
    store::{Authority, ChangeRequest, Snapshot, StoreError},
    time::Timestamp,
};

use self::{
    keys::{Key, distinct, distinct_external_ids, distinct_persons},
    matches::Matches,
    statements::{by_alias, by_external_id, by_person, together, tombstone_statements},
};
use crate::{
    LookupHints,
    change_state::{self, ChangeState},
    driver::{Driver, Isolation, Statement},
    fingerprint_cache::ClientCache,
    lookup_hints::Hint,
    read::{ResultSets, RowRef},
    review,
};

/// What a lookup reads.
pub(super) struct LookupResult {
    pub(super) state: ChangeState,
    pub(super) snapshot: Snapshot,
}

/// Reads everything that the request's keys match; `None` for an unknown API key, or a session that is not
/// open. Of a revoked key, only what the request saved earlier is read.
pub(super) async fn lookup<D: Driver>(
    driver: &D,
    hints: &LookupHints,
    cache: Option<&dyn ClientCache>,
    request: &ChangeRequest,
) -> Result<Option<LookupResult>, StoreError> {
    match driver.isolation() {
        Isolation::Transaction => lookup_in_steps(driver, cache, request).await,
        Isolation::Batch => match &request.authority {
            Authority::Key(key) => lookup_in_one_batch(driver, hints, key, request).await,
            #[cfg(feature = "console")]
            Authority::Session(_) => known_account::lookup(driver, request).await,
        },
    }
}

/// Where all batches see one state of the database, a step may depend on the one before: names and places are
/// looked up only for keys whose external id is unknown.
async fn lookup_in_steps<D: Driver>(
    driver: &D,
    cache: Option<&dyn ClientCache>,
    request: &ChangeRequest,
) -> Result<Option<LookupResult>, StoreError> {
    let mut results = ResultSets::of(driver, &[change_state::statement(request)]).await?;
    let Some(row) = results.row() else { return Ok(None) };
    let state = change_state::read(request, row)?;
    let (account, version) = (state.version.account_id, &state.version);
    let settles = request.lookup_keys.iter().any(|key| key.settles);
    let mut matches = Matches::default();
    // An account without a commit has no clients.
    if version.last_commit_at > Timestamp::from_micros(0) {
        let cached = cache.map(|cache| cache.find(version, &request.lookup_keys, settles)).unwrap_or_default();
        let uncached = request
            .lookup_keys
            .iter()
            .enumerate()
            .filter(|(index, _)| cached.binary_search_by_key(index, |(of, _)| *of).is_err());
        let keys = distinct_external_ids(uncached);
        matches.read(driver, &by_external_id(account, settles, &keys), request, &keys).await?;
        if let Some(cache) = cache {
            cache.add(version, &mut matches.as_sent());
        }
        matches.clients.extend(cached.into_iter().map(|(_, client)| (client.id, client)));
        if version.last_alias_at.is_some() {
            let known = matches.external_ids();
            let unknown = request.lookup_keys.iter().enumerate();
            let unknown = unknown.filter(|(_, key)| key.external_id.as_ref().is_some_and(|id| !known.contains(id)));
            let keys = distinct_external_ids(unknown);
            let batch = by_alias(request, Some(account), settles, &keys);
            if !batch.is_empty() {
                driver.read(&batch, |_, values| matches.add_by_alias(request, &keys, RowRef::of(values))).await?;
            }
        }
        let known = matches.external_ids();
        let unknown = request.lookup_keys.iter().enumerate();
        let unknown = unknown.filter(|(_, key)| key.external_id.as_ref().is_none_or(|id| !known.contains(id)));
        let keys = distinct_persons(unknown);
        let batch = by_person(request, Some(account), &keys);
        matches.read(driver, &batch, request, &keys).await?;
    }
    if version.last_erasure_at.is_some() {
        let batch = tombstone_statements(request, Some(account));
        if !batch.is_empty() {
            driver.read(&batch, |_, values| matches.add_tombstone(RowRef::of(values))).await?;
        }
    }
    if state.keeps_review {
        let batch = review::waiting(request, Some(account));
        if !batch.is_empty() {
            driver.read(&batch, |_, values| matches.add_waiting(RowRef::of(values))).await?;
        }
    }
    Ok(Some(matches.into_result(state)))
}

/// Reads who changes, the clients and what is hinted at in one batch; `None` for an authority that opens nothing.
async fn read_together<D: Driver>(
    driver: &D,
    request: &ChangeRequest,
    keys: &[Key<'_>],
    clients: Vec<Statement>,
    hint: Hint,
    account: Option<i64>,
) -> Result<Option<(ChangeState, Matches)>, StoreError> {
    let tombstones = if hint.tombstones { tombstone_statements(request, account) } else { Vec::new() };
    let waiting = if hint.review { review::waiting(request, account) } else { Vec::new() };
    let settles = request.lookup_keys.iter().any(|key| key.settles);
    let aliases = if hint.aliases { by_alias(request, account, settles, keys) } else { Vec::new() };
    let clients_end = clients.len();
    let aliases_end = clients_end + aliases.len();
    let tombstones_end = aliases_end + tombstones.len();
    let batch = [vec![change_state::statement(request)], clients, aliases, tombstones, waiting].concat();
    let (mut state, mut matches) = (None, Matches::default());
    let read = driver.read(&batch, |statement, values| {
        let row = RowRef::of(values);
        match statement {
            0 => state = Some(change_state::read(request, row.into_row())?),
            place if place <= clients_end => drop(matches.add_client(request, keys, row)?),
            place if place <= aliases_end => matches.add_by_alias(request, keys, row)?,
            place if place <= tombstones_end => matches.add_tombstone(row)?,
            _ => matches.add_waiting(row)?,
        }
        Ok(())
    });
    read.await?;
    Ok(state.map(|state| (state, matches)))
}

/// Where others may write between two batches, the lookup is one batch. So it has to say beforehand whether it asks for
/// tombstones and for what waits for review, and whether keys may match several clients by name. Where it should have
/// asked and did not, which is rare, it is repeated.
async fn lookup_in_one_batch<D: Driver>(
    driver: &D,
    hints: &LookupHints,
    api_key: &KeyDigest,
    request: &ChangeRequest,
) -> Result<Option<LookupResult>, StoreError> {
    let settles = request.lookup_keys.iter().any(|key| key.settles);
    let keys = distinct(&request.lookup_keys);
    let mut hint = hints.of(api_key);
    let mut with_all_namesakes = false;
    loop {
        let clients = together(request, settles, &keys, with_all_namesakes);
        let read = read_together(driver, request, &keys, clients, hint, None).await?;
        let Some((state, matches)) = read else { return Ok(None) };
        let found = state.hint();
        let lacks_namesakes = !with_all_namesakes && matches.has_more;
        if found != hints.of(api_key) {
            hints.set(api_key, found);
        }
        if hint.and(found) == hint && !lacks_namesakes {
            return Ok(Some(matches.into_result(state)));
        }
        hint = hint.and(found);
        with_all_namesakes |= lacks_namesakes;
    }
}
