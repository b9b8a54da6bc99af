//! The one write of client data (S1–S7, S11, S14): look up, decide, apply.
//!
//! A host with one writer [prepares](prepare) a change on a reader and [writes](write) it in the writer's
//! transaction, where the decision holds as long as the account has the version that it was made on. Nothing
//! read in that transaction can go stale.
//!
//! Where others may write between two batches (D1), the batch that applies a decision is guarded
//! ([`crate::guard`]). A batch that a constraint refused was stale: it is looked up and decided again. A batch
//! that failed may have been applied all the same: the commit's record, written in the batch under the
//! request's id, tells which. A batch that lands late fails on that record.

mod apply;
mod lookup;
mod prepare;
mod similar;

pub use prepare::{Preparation, Prepared};

use matterbook_core::store::{ChangeRequest, Decided, StoreError, StoredResponse};

use lookup::{LookupResult, lookup};

use crate::{
    CacheUpdate, LookupHints,
    change_state::ChangeState,
    commit::{ATTEMPTS_MAX, Commit, READ_ATTEMPTS_MAX},
    driver::{Driver, DriverError, Isolation},
    fingerprint_cache::ClientCache,
    guard::Guard,
};

/// What a change within a transaction did.
#[derive(Default)]
pub struct Written {
    /// The answer; none for a key that is not live, or a session that is not open.
    pub response: Option<StoredResponse>,
    /// What the cache has to learn once the transaction is committed.
    pub cache_update: Option<CacheUpdate>,
}

/// Changes clients; `None` for a key that is not live, or a session that is not open.
pub(crate) async fn change<D: Driver>(
    driver: &D,
    hints: &LookupHints,
    request: &mut ChangeRequest,
) -> Result<Option<StoredResponse>, StoreError> {
    match driver.isolation() {
        Isolation::Transaction => Ok(change_in_transaction(driver, hints, request).await?.response),
        Isolation::Batch => change_in_batches(driver, hints, request).await,
    }
}

/// Changes clients within a transaction that excludes other writers.
async fn change_in_transaction<D: Driver>(
    driver: &D,
    hints: &LookupHints,
    request: &mut ChangeRequest,
) -> Result<Written, StoreError> {
    match decide(driver, hints, None, request).await? {
        Some((state, decided)) => apply_in_transaction(driver, request, &state, decided).await,
        None => Ok(Written::default()),
    }
}

/// Decides a request, and tells the state of the key or session and its account that it was decided on;
/// `None` for a key that is not live, or a session that is not open.
async fn decide<D: Driver>(
    driver: &D,
    hints: &LookupHints,
    cache: Option<&dyn ClientCache>,
    request: &mut ChangeRequest,
) -> Result<Option<(ChangeState, Decided)>, StoreError> {
    let found = lookup(driver, hints, cache, request).await?.filter(|found| found.state.is_live);
    let Some(LookupResult { state, mut snapshot }) = found else { return Ok(None) };
    similar::add(driver, &state, &mut snapshot).await;
    let decided = (request.decide)(&snapshot);
    Ok(Some((state, decided)))
}

/// Writes what was decided on this state of the key or session and its account.
async fn apply_in_transaction<D: Driver>(
    driver: &D,
    request: &ChangeRequest,
    state: &ChangeState,
    Decided { change_set, response }: Decided,
) -> Result<Written, StoreError> {
    let mut cache_update = None;
    // A request that was applied before is not applied again (S14).
    if change_set.is_commit() && state.earlier_attempt.is_none() {
        let commit = Commit::of(request, state, 1, Isolation::Transaction);
        cache_update = Some(CacheUpdate::of(&state.version, commit.time(), &change_set));
        driver.run(&apply::batch(&commit, request, change_set, Guard::none())).await?;
    } else if !change_set.review.is_empty() && state.earlier_attempt.is_none() {
        driver.run(&apply::review_alone(request, state, change_set)).await?;
    }
    Ok(Written { response: Some(response), cache_update })
}

/// Changes clients by guarded batches, with bounded retries.
async fn change_in_batches<D: Driver>(
    driver: &D,
    hints: &LookupHints,
    request: &mut ChangeRequest,
) -> Result<Option<StoredResponse>, StoreError> {
    // The answers of attempts whose outcome is not known, each with its attempt.
    let mut unknown: Vec<(u32, StoredResponse)> = Vec::new();
    let mut attempt = 0;
    loop {
        attempt += 1;
        let failure = match lookup(driver, hints, None, request).await {
            Err(error) => error,
            Ok(None) => return Ok(None),
            Ok(Some(LookupResult { state, mut snapshot })) => {
                if let Some(response) = answer_of_earlier(&state, &mut unknown) {
                    return Ok(Some(response));
                }
                if !state.is_live {
                    return Ok(None);
                }
                similar::add(driver, &state, &mut snapshot).await;
                let Decided { change_set, response } = (request.decide)(&snapshot);
                // A request that was applied before this call is not applied again (S14).
                if change_set.is_empty() || state.earlier_attempt.is_some() {
                    return Ok(Some(response));
                }
                // Review alone is no commit. It is written the same each time, so its outcome need not be found out, but
                // only on what it was decided on: what lands late must not name clients that were erased meanwhile.
                let is_commit = change_set.is_commit();
                let commit = Commit::of(request, &state, attempt, Isolation::Batch);
                let guard = apply::guard(&commit, request, &snapshot, &change_set);
                let batch = if is_commit {
                    apply::batch(&commit, request, change_set, guard)
                } else {
                    [guard.alone(), apply::review_alone(request, &state, change_set)].concat()
                };
                match driver.run(&batch).await {
                    Ok(_) => return Ok(Some(response)),
                    Err(DriverError::Constraint(cause)) => StoreError::Contended { cause },
                    Err(error) => {
                        if is_commit && matches!(error, DriverError::Failed(_)) {
                            unknown.push((attempt, response));
                        }
                        StoreError::from(error)
                    }
                }
            }
        };
        let is_final = match &failure {
            StoreError::Contended { .. } => false,
            StoreError::ReadOnly => true,
            StoreError::Overloaded { .. } => unknown.is_empty(),
            // The first lookup began nothing whose outcome has to be found out, so it is repeated a few times only.
            StoreError::Failed { .. } | StoreError::Unknown { .. } => {
                unknown.is_empty() && attempt >= READ_ATTEMPTS_MAX
            }
        };
        if is_final || attempt >= ATTEMPTS_MAX || !driver.back_off(attempt).await {
            let landed = match unknown.is_empty() {
                true => None,
                false => lookup(driver, hints, None, request).await.ok().flatten(),
            };
            return match landed.and_then(|found| answer_of_earlier(&found.state, &mut unknown)) {
                Some(response) => Ok(Some(response)),
                None if unknown.is_empty() => Err(failure),
                // A lookup that found nothing does not show that no attempt lands later.
                None => Err(StoreError::Unknown { cause: failure.to_string() }),
            };
        }
    }
}

/// The answer of the attempt that was applied after all.
fn answer_of_earlier(state: &ChangeState, unknown: &mut Vec<(u32, StoredResponse)>) -> Option<StoredResponse> {
    let applied = state.earlier_attempt?;
    let place = unknown.iter().position(|(attempt, _)| i64::from(*attempt) == applied)?;
    Some(unknown.swap_remove(place).1)
}
