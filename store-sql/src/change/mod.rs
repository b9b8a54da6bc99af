//! The one write of client data (S1–S7, S11, S14): look, decide, apply; and again when the ground
//! has moved.
//!
//! Where others may write between two batches, what the decision saw is guarded in the batch that
//! applies it ([`crate::guard`]). A batch that a constraint refused had stale ground: it is looked at
//! and decided again. A batch that failed may have been applied all the same: the commit's record,
//! written in the batch under the request's id, tells which, and a batch that lands late fails on it.
//!
//! Where there is one writer, a change may be decided beside it and only be written by it ([`proposal`]).

mod apply;
#[cfg(feature = "transactions")]
mod in_turn;
mod look;
#[cfg(feature = "transactions")]
mod proposal;
#[cfg(feature = "transactions")]
mod recent;
#[cfg(feature = "transactions")]
mod roster;
mod wanted;

#[cfg(feature = "transactions")]
pub use proposal::{Looked, Proposal};
#[cfg(feature = "transactions")]
pub use recent::RecentChanges;
#[cfg(feature = "transactions")]
pub use roster::Roster;

use foldhash::HashSet;
use matterbook_core::{
    client::Client,
    store::{Answer, ChangeRequest, ChangeSet, Snapshot, StoreError, Want},
    time::Timestamp,
};

use look::Seen;

use crate::{
    SeenErasures,
    commit::{ATTEMPTS_MAX, Commit},
    driver::{Driver, DriverError, Isolation},
    ground::Ground,
    holder::KeyHolder,
};

/// What a writer that excludes all others remembers of what it looks at and changes; others nothing.
pub(crate) trait Memory {
    #[cfg(feature = "transactions")]
    fn roster(&self) -> Option<&Roster> {
        None
    }

    fn note_seen(&self, _seen: &Seen) {}

    /// Notes what a commit at a time changes, which is about to be made on this ground.
    fn note_change(&mut self, _ground: &Ground, _at: Timestamp, _change_set: &ChangeSet) {}
}

impl Memory for () {}

/// Changes clients; `None` for a key that is not live.
pub(crate) async fn change<D: Driver>(
    driver: &D,
    erasures: &SeenErasures,
    memory: &mut impl Memory,
    request: &mut ChangeRequest,
) -> Result<Option<Answer>, StoreError> {
    // The answers of attempts whose outcome is not known, each with its attempt.
    let mut unknown: Vec<(u32, Answer)> = Vec::new();
    let mut attempt = 0;
    loop {
        attempt += 1;
        let looked = look::look(driver, erasures, memory, request).await;
        let failure = match looked {
            Err(error) => error,
            Ok(None) => return Ok(None),
            Ok(Some(seen)) => {
                if let Some(answer) = answer_of_earlier(&seen.found, &mut unknown) {
                    return Ok(Some(answer));
                }
                if !seen.found.is_live {
                    return Ok(None);
                }
                memory.note_seen(&seen);
                let decided = (request.decide)(&seen.snapshot);
                // A request that was applied before this call is not applied again (S14).
                if decided.change_set.is_empty() || seen.found.earlier_attempt.is_some() {
                    return Ok(Some(decided.answer));
                }
                let commit = Commit::of(request, &seen.found, attempt, driver.isolation());
                memory.note_change(&seen.found.ground, commit.time(), &decided.change_set);
                let batch = apply::batch(&commit, request, &seen.snapshot, decided.change_set);
                match driver.run(&batch).await {
                    Ok(_) => return Ok(Some(decided.answer)),
                    Err(DriverError::Constraint(cause)) if driver.isolation() == Isolation::Batch => {
                        StoreError::Contended { cause }
                    }
                    Err(error) => {
                        // What fails within one transaction is rolled back with it, by the host.
                        if driver.isolation() == Isolation::Batch && matches!(error, DriverError::Failed(_)) {
                            unknown.push((attempt, decided.answer));
                        }
                        StoreError::from(error)
                    }
                }
            }
        };
        let is_final = match &failure {
            StoreError::Contended { .. } => false,
            StoreError::Overloaded { .. } => unknown.is_empty(),
            // On the first look nothing was begun that would have to be found out about.
            StoreError::Failed { .. } | StoreError::Unknown { .. } => unknown.is_empty() && attempt == 1,
        };
        // In one transaction nothing goes stale and no outcome is unknown.
        let is_final = is_final || driver.isolation() != Isolation::Batch;
        if is_final || attempt >= ATTEMPTS_MAX || !driver.back_off(attempt).await {
            return match last_look(driver, erasures, request, &mut unknown).await {
                Some(answer) => Ok(Some(answer)),
                None if unknown.is_empty() => Err(failure),
                // Not even a look that found nothing shows that none of them lands yet.
                None => Err(StoreError::Unknown { cause: failure.to_string() }),
            };
        }
    }
}

/// The wants whose external id, if they have one, nobody has in a snapshot. Whom an external id found is found by it
/// whoever else has the name, so only these depend on names and places.
fn wants_of_strangers<'r>(request: &'r ChangeRequest, snapshot: &'r Snapshot) -> impl Iterator<Item = &'r Want> {
    let known = external_ids(&snapshot.clients);
    let is_known = move |external_id: &str| known.contains(external_id);
    request.wants.iter().filter(move |want| !want.external_id.as_deref().is_some_and(&is_known))
}

/// The external ids that clients have.
fn external_ids(clients: &[Client]) -> HashSet<&str> {
    clients.iter().filter_map(|client| client.fields.external_id.as_deref()).collect()
}

/// Where an outcome is unknown and patience is at its end: whether it was applied after all.
async fn last_look<D: Driver>(
    driver: &D,
    erasures: &SeenErasures,
    request: &ChangeRequest,
    unknown: &mut Vec<(u32, Answer)>,
) -> Option<Answer> {
    if unknown.is_empty() {
        return None;
    }
    let seen = look::look(driver, erasures, &(), request).await.ok().flatten()?;
    answer_of_earlier(&seen.found, unknown)
}

/// The answer of the attempt that was applied after all.
fn answer_of_earlier(found: &KeyHolder, unknown: &mut Vec<(u32, Answer)>) -> Option<Answer> {
    let applied = found.earlier_attempt?;
    let place = unknown.iter().position(|(attempt, _)| i64::from(*attempt) == applied)?;
    Some(unknown.swap_remove(place).1)
}
