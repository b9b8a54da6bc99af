//! What the answer to a write is held to: it says what was done, what there was to do, or what was answered
//! before under the same `Idempotency-Key`.

use serde_json::{Value, json};

use super::{
    Failure,
    asked::{Asked, Doing},
    ledger::Outcome,
    referee::{Answered, Referee},
};

impl Referee {
    /// The answer of a write is what was done, what there was to do, or what was answered before.
    pub(super) fn saved(
        &mut self,
        label: u32,
        asked: &Asked,
        answered: &Answered,
        open: &[usize],
    ) -> Result<(), Failure> {
        let Doing::Write { drafts, is_settling, plan, batch, .. } = &asked.doing else { return Ok(()) };
        let untrue = |sentence: &str| Err(Failure::new("true answers", sentence));
        if *is_settling && !drafts.iter().all(|draft| draft.can_settle()) {
            return if answered.status == 400 { Ok(()) } else { untrue("a case that says too little is not refused") };
        }
        let is_it = |outcomes: &[Outcome]| says(answered, outcomes, *is_settling);
        let timeline = &self.timelines[asked.account()];
        let came_to = |asked: &Asked, version: usize| {
            // A batch of an import always changes the import.
            let Doing::Write { caller, drafts, is_settling, batch: None, .. } = &asked.doing else { return None };
            let before = timeline.at(version);
            let (after, outcomes) = before.decide(drafts, *is_settling);
            (before.admits(caller.1) && after.is_like(before)).then_some(outcomes)
        };
        if let (409, Some(batch)) = (answered.status, batch) {
            let is_elsewhere = |version: &usize| timeline.at(*version).sent_rows(batch.import) != batch.from;
            let is_true = asked.applied.is_none() && open.iter().any(is_elsewhere);
            return if is_true { Ok(()) } else { untrue("an import is where the batch begins, and it is refused") };
        }
        let is_replay = answered.headers.contains_key("idempotent-replayed");
        if let Some(plan) = plan
            && !is_replay
            && answered.status != 422
            && self.planned(asked, (drafts, plan), answered, open)?.is_some()
        {
            return Ok(());
        }
        if is_replay || answered.status == 422 {
            if asked.applied.is_some() {
                return untrue("it was done, and is answered as if it had been before");
            }
            let same_key = || self.same_key(label, asked).filter(|(_, other)| Self::may_be_kept(asked, other));
            let is_same = |other: &Asked| match (&other.doing, &asked.doing) {
                (
                    Doing::Write { drafts: one, is_settling: this, .. },
                    Doing::Write { drafts: other, is_settling: that, .. },
                ) => one == other && this == that,
                _ => false,
            };
            let is_true = if is_replay {
                same_key().filter(|(_, other)| is_same(other)).any(|(_, other)| match &other.applied {
                    Some(outcomes) => {
                        let names_erased = outcomes.iter().any(|outcome| match outcome {
                            Outcome::Created(id) | Outcome::Updated(id) => timeline.is_erased(*id, asked.begun),
                            _ => false,
                        });
                        is_it(outcomes) && !names_erased
                    }
                    None => other
                        .seen
                        .iter()
                        .filter_map(|version| came_to(other, *version))
                        .any(|outcomes| is_it(&outcomes)),
                })
            } else {
                same_key().any(|(_, other)| !is_same(other))
            };
            return if is_true { Ok(()) } else { untrue("no request under its key was answered so") };
        }
        let outcomes = match &asked.applied {
            Some(outcomes) => Some(outcomes.clone()).filter(|outcomes| is_it(outcomes)),
            None => open.iter().filter_map(|version| came_to(asked, *version)).find(|outcomes| is_it(outcomes)),
        };
        if outcomes.is_none() {
            return Err(Failure::new("true answers", format!("it came to {:?}", asked.applied)));
        }
        if let Some(asked) = self.asked.get_mut(&label) {
            asked.answered = outcomes;
        }
        Ok(())
    }
}

/// Whether an answer says these outcomes.
fn says(answered: &Answered, outcomes: &[Outcome], is_settling: bool) -> bool {
    let result = |(index, outcome): (usize, &Outcome)| match outcome {
        Outcome::Created(id) => json!({"index": index, "status": "created", "id": id.to_string()}),
        Outcome::Updated(id) => json!({"index": index, "status": "updated", "id": id.to_string()}),
        Outcome::Conflict => json!({"index": index, "status": "conflict"}),
        Outcome::Nameless => json!({"index": index, "status": "error"}),
    };
    let is = |shown: &Value, expected: &Value| {
        let mut shown = shown.clone();
        shown.as_object_mut().map(|members| members.remove("message"));
        shown == *expected
    };
    let mut expected = outcomes.iter().enumerate().map(result);
    if is_settling {
        let status = match outcomes.first() {
            Some(Outcome::Conflict) => 409,
            Some(Outcome::Nameless) => 404,
            _ => 200,
        };
        let shown = &answered.body["result"];
        return answered.status == status && (status == 404 || expected.all(|expected| is(shown, &expected)));
    }
    let shown = answered.body["results"].as_array().cloned().unwrap_or_default();
    answered.status == 200
        && shown.len() == outcomes.len()
        && shown.iter().zip(expected).all(|(shown, expected)| is(shown, &expected))
}
