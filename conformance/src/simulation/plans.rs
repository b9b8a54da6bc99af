//! Checks of plans (rules X14 to X18): a dry run saves nothing, and a request with its plan is done exactly if its
//! results are those of the dry run.

use serde_json::Value;

use super::{
    Failure,
    asked::{Asked, Plan},
    ledger::{Ledger, Outcome},
    referee::{Answered, Referee},
    universe::Draft,
};

/// For how long a plan is good.
const GOOD_MICROS: i64 = 15 * 60 * 1_000_000;

impl Plan {
    /// Whether it is too old for a request of that time.
    pub(super) const fn is_old(&self, now: i64) -> bool {
        now > self.made_at + GOOD_MICROS
    }

    /// Whether outcomes are those of the dry run. Ids of new clients are not in it.
    pub(super) fn is_for(&self, ledger: &Ledger, outcomes: &[Outcome]) -> bool {
        self.results.len() == outcomes.len()
            && self.results.iter().zip(outcomes).all(|(result, outcome)| *result == of_dry_run(ledger, outcome, result))
    }
}

/// The result of an outcome as a dry run shows it, with the index and the message of another.
fn of_dry_run(ledger: &Ledger, outcome: &Outcome, like: &Value) -> Value {
    let mut result = like.clone();
    let (status, id) = match outcome {
        Outcome::Created(_) => ("created", None),
        Outcome::Updated(id) => ("updated", Some(id).filter(|id| ledger.people.contains_key(id))),
        Outcome::Conflict => ("conflict", None),
        Outcome::Nameless => ("error", None),
    };
    if let Some(members) = result.as_object_mut() {
        members.insert("status".to_owned(), status.into());
        members.remove("id");
        members.extend(id.map(|id| ("id".to_owned(), id.to_string().into())));
    }
    result
}

/// An answer without the ids of clients that did not exist before.
fn without_new(answered: &Answered, ledger: &Ledger) -> Answered {
    let mut body = answered.body.clone();
    for result in body["results"].as_array_mut().into_iter().flatten() {
        let id = result["id"].as_str().and_then(|id| id.parse().ok());
        if id.is_some_and(|id| !ledger.people.contains_key(&id))
            && let Some(members) = result.as_object_mut()
        {
            members.remove("id");
        }
    }
    Answered { status: answered.status, headers: answered.headers.clone(), body }
}

/// Whether the results of a dry run, or of a refused plan, are those that a batch would have.
fn is_preview(answered: &Answered, ledger: &Ledger, drafts: &[Draft]) -> bool {
    let (_, outcomes) = ledger.decide(drafts, false);
    let results = answered.body["results"].as_array().cloned().unwrap_or_default();
    let plan = Plan { text: String::new(), made_at: 0, results, is_foreign: false };
    plan.is_for(ledger, &outcomes)
}

impl Referee {
    /// A dry run shows what the batch would come to, and gives a plan.
    pub(super) fn previewed(
        &mut self,
        label: u32,
        asked: &Asked,
        drafts: &[Draft],
        answered: &Answered,
        open: &[usize],
    ) -> Result<(), Failure> {
        let timeline = &self.timelines[asked.account()];
        let is_true = open.iter().any(|version| is_preview(answered, timeline.at(*version), drafts));
        let text = answered.body["plan"].as_str();
        let (Some(text), 200, true) = (text, answered.status, is_true) else {
            return Err(Failure::new("plans", "a dry run shows what would not happen"));
        };
        let results = answered.body["results"].as_array().cloned().unwrap_or_default();
        if let Some(known) = self.asked.get_mut(&label) {
            known.plan = Some(Plan { text: text.to_owned(), made_at: asked.now, results, is_foreign: false });
        }
        Ok(())
    }

    /// A request with a plan: `Some` where it was refused because of it, as it should be.
    pub(super) fn planned(
        &self,
        asked: &Asked,
        (drafts, plan): (&[Draft], &Plan),
        answered: &Answered,
        open: &[usize],
    ) -> Result<Option<()>, Failure> {
        let untrue = |sentence: &str| Err(Failure::new("plans", sentence));
        if plan.is_foreign {
            return if answered.status == 400 { Ok(Some(())) } else { untrue("another account's plan is taken") };
        }
        let timeline = &self.timelines[asked.account()];
        let is_old = plan.is_old(asked.now);
        match answered.status {
            409 if asked.applied.is_some() => untrue("it was done, and its plan is refused"),
            409 if !open.iter().any(|version| is_preview(answered, timeline.at(*version), drafts)) => {
                untrue("the results of now are not those of now")
            }
            409 if !is_old && answered.body["results"].as_array() == Some(&plan.results) => {
                untrue("a plan is refused whose results are the same")
            }
            409 => Ok(Some(())),
            200 if is_old => untrue("a plan is taken that is too old"),
            200 => {
                let is_same = |version: &usize| {
                    let shown = without_new(answered, timeline.at(*version));
                    shown.body["results"].as_array() == Some(&plan.results)
                };
                let before = asked.applied_at.map(|at| at - 1);
                let is_kept = before.iter().chain(open).any(is_same);
                if is_kept { Ok(None) } else { untrue("a plan is taken whose results are others") }
            }
            _ => Ok(None),
        }
    }

    /// Whether a request with a plan may change anything.
    pub(super) fn check_plan(plan: &Plan, asked: &Asked, before: &Ledger, outcomes: &[Outcome]) -> Result<(), Failure> {
        if plan.is_foreign || plan.is_old(asked.now) || !plan.is_for(before, outcomes) {
            return Err(Failure::new("plans", "it was done, though its results are not those of its plan"));
        }
        Ok(())
    }
}
