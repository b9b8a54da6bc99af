//! A change that was decided beside the writer, on the last commit: the writer only has to write it, if what
//! the decision saw is still there (S5).

use matterbook_core::store::{Answer, ChangeRequest, SavedAnswer, StoreError};
use uuid::Uuid;

use super::{
    RecentChanges,
    apply::Rows,
    change, look,
    recent::{Changes, Note},
    roster::{Left, Roster},
};
use crate::{
    SeenErasures, SqlStore,
    commit::Commit,
    driver::{Driver, Isolation},
    guard::Guard,
    holder::{self, KeyHolder},
    read::Results,
};

/// What a change comes to when it is only looked at.
pub enum Looked {
    /// Nothing has to be written; no answer for a key that is not live.
    Answered(Option<Answer>),
    /// Something has to.
    ToWrite(Box<Proposal>),
}

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
    changes: Changes,
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

impl<D: Driver> SqlStore<D> {
    /// Decides a change on what is there, without writing anything. For a host whose readers do not wait
    /// for its writer: most of what a nightly sync posts changes nothing, and is answered by a reader then;
    /// of the rest the writer has to do only what is left. The driver's batches see one state of the
    /// database. `roster` is that of the writer's [`RecentChanges`].
    ///
    /// # Errors
    /// As [`Store::change`](matterbook_core::store::Store::change).
    pub async fn propose(&self, roster: &Roster, request: ChangeRequest) -> Result<Looked, StoreError> {
        propose(&self.driver, &self.erasures, roster, request).await
    }

    /// Changes clients as [`Store::change`](matterbook_core::store::Store::change) does, by the writer of a host
    /// that has only one: of a proposal the decision is taken as it is where nothing that it saw was changed since.
    /// `recent` is what this writer changed lately; after an error, or before the transaction is rolled back, it has
    /// to be cleared.
    ///
    /// # Errors
    /// As [`Store::change`](matterbook_core::store::Store::change).
    pub async fn write(
        &self,
        recent: &mut RecentChanges,
        proposal: &mut Proposal,
    ) -> Result<Option<Answer>, StoreError> {
        write(&self.driver, &self.erasures, recent, proposal).await
    }
}

/// Decides a change on what is there, and writes nothing.
async fn propose<D: Driver>(
    driver: &D,
    erasures: &SeenErasures,
    roster: &Roster,
    mut request: ChangeRequest,
) -> Result<Looked, StoreError> {
    let Some(seen) = look::look(driver, erasures, roster, &request).await?.filter(|seen| seen.found.is_live) else {
        return Ok(Looked::Answered(None));
    };
    // What the roster cannot take now, since a later commit is noted, the writer notes.
    let left = if roster.note_seen(&seen.found.ground, &seen.left) { Left::default() } else { seen.left };
    let decided = (request.decide)(&seen.snapshot);
    let (change_set, answer) = (decided.change_set, decided.answer);
    if change_set.is_empty() || seen.found.earlier_attempt.is_some() {
        return Ok(Looked::Answered(Some(answer)));
    }
    let ground = &seen.found.ground;
    let depends_on = Note::seen(ground, &request, &seen.snapshot);
    let changes = Changes::of(ground, &change_set, left);
    let rows = Rows::of(&Commit::of(&request, &seen.found, 1, driver.isolation()), &request, change_set);
    let decided =
        Decided { found: seen.found, saved_answer: seen.snapshot.saved_answer, depends_on, changes, rows, answer };
    Ok(Looked::ToWrite(Box::new(Proposal { request, decided: Some(decided) })))
}

/// Writes a change within a transaction that excludes other writers, and decides it there unless what was
/// decided still stands.
async fn write<D: Driver>(
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
    change(driver, erasures, recent, request).await
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
