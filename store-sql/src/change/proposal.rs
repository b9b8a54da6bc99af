//! A change that was decided beside the writer, on the last commit: the writer only has to write it, if what
//! the decision saw is still there (S5).

use matterbook_core::store::{Answer, ChangeRequest, SavedAnswer, StoreError};
use uuid::Uuid;

use super::{Looked, RecentChanges, apply::Rows, change, look, recent::Note};
use crate::{
    SeenErasures,
    commit::Commit,
    driver::{Driver, Isolation},
    guard::Guard,
    holder::{self, KeyHolder},
    read::Results,
};

/// A change on its way to the writer, decided already or not.
pub struct Proposal {
    request: ChangeRequest,
    decided: Option<Decided>,
}

/// What was decided on what a look saw.
struct Decided {
    /// Who held the key.
    found: KeyHolder,
    saved_answer: Option<SavedAnswer>,
    /// What the decision depends on.
    depends_on: Vec<Note>,
    /// What it changes.
    changes: Vec<Note>,
    rows: Rows,
    answer: Answer,
}

impl From<ChangeRequest> for Proposal {
    fn from(request: ChangeRequest) -> Self {
        Self { request, decided: None }
    }
}

impl Proposal {
    /// Whose account it is about, for fair queueing.
    #[must_use]
    pub const fn account(&self) -> Uuid {
        self.request.account_hint
    }

    /// How many clients it is about.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.request.wants.len()
    }
}

/// Decides a change on what is there, and writes nothing.
pub(crate) async fn propose<D: Driver>(
    driver: &D,
    erasures: &SeenErasures,
    mut request: ChangeRequest,
) -> Result<Looked, StoreError> {
    let Some(seen) = look::look(driver, erasures, &request).await?.filter(|seen| seen.found.is_live) else {
        return Ok(Looked::Answered(None));
    };
    let decided = (request.decide)(&seen.snapshot);
    let (change_set, answer) = (decided.change_set, decided.answer);
    if change_set.is_empty() || seen.found.earlier_attempt.is_some() {
        return Ok(Looked::Answered(Some(answer)));
    }
    let ground = &seen.found.ground;
    let depends_on = Note::seen(ground, &request, &seen.snapshot);
    let changes = Note::changed(ground, &change_set);
    let rows = Rows::of(&Commit::of(&request, &seen.found, 1, driver.isolation()), &request, change_set);
    let decided =
        Decided { found: seen.found, saved_answer: seen.snapshot.saved_answer, depends_on, changes, rows, answer };
    Ok(Looked::ToWrite(Box::new(Proposal { request, decided: Some(decided) })))
}

/// Writes a change within a transaction that excludes other writers, and decides it there unless what was
/// decided still stands.
pub(crate) async fn write<D: Driver>(
    driver: &D,
    erasures: &SeenErasures,
    recent: &mut RecentChanges,
    proposal: &mut Proposal,
) -> Result<Option<Answer>, StoreError> {
    let Proposal { request, decided } = proposal;
    if let Some(decided) = decided.as_mut().filter(|_| driver.isolation() != Isolation::Batch) {
        let mut results = Results::of(driver, &[holder::statement_of(request)]).await?;
        let Some(row) = results.row() else { return Ok(None) };
        let found = holder::read(row)?;
        let (before, now) = (&decided.found.ground, &found.ground);
        if decided.has_same_holder(&found) && recent.are_none_of(&decided.depends_on, before, now) {
            let commit = Commit::of(request, &found, 1, driver.isolation());
            recent.note(now, commit.time(), &decided.changes);
            decided.rows.set_time(&commit);
            decided.rows.enclose(&commit, Guard::none());
            driver.run(&decided.rows.statements).await?;
            return Ok(Some(std::mem::take(&mut decided.answer)));
        }
    }
    change(driver, erasures, Some(recent), request).await
}

impl Decided {
    /// Whether all but the account's clients is as the look saw it: the key is live, who may call with it,
    /// no client was erased, and the request left nothing behind meanwhile.
    fn has_same_holder(&self, found: &KeyHolder) -> bool {
        let (before, now) = (&self.found.holder, &found.holder);
        found.is_live
            && (before.account, before.flags, before.role) == (now.account, now.flags, now.role)
            && before.email == now.email
            && self.found.ground.last_erasure_at == found.ground.last_erasure_at
            && found.earlier_attempt.is_none()
            && self.saved_answer == found.saved_answer
    }
}
