//! Running cases and keeping what came of each.

use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

use super::{Case, Failure, Service};

/// What came of one case.
pub struct Verdict {
    /// Which case.
    pub case: &'static Case,
    /// Why it failed, if it did.
    pub failure: Option<Failure>,
    /// How long it took.
    pub took: Duration,
}

impl Verdict {
    /// Nothing when the case held.
    ///
    /// # Errors
    /// Its name, its rules and why it failed, for a person.
    pub fn held(&self) -> Result<(), String> {
        match &self.failure {
            None => Ok(()),
            Some(failure) => Err(format!("{} ({})\n{failure}", self.case.name, self.case.rules)),
        }
    }
}

/// Runs one case. A panic in it is a failure of it.
#[must_use]
pub fn run(case: &'static Case, service: &dyn Service) -> Verdict {
    let began = Instant::now();
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| (case.run)(service)))
        .unwrap_or_else(|_| Err(Failure::new(case.name, "an outcome", "a panic")));
    Verdict { case, failure: outcome.err(), took: began.elapsed() }
}

/// Runs cases, some at once, and hands the verdicts back in the order of the cases. Most of a
/// case's time on a real clock is waiting, so many run at once.
#[must_use]
pub fn run_all(cases: &[&'static Case], service: &dyn Service, at_once: usize) -> Vec<Verdict> {
    let waiting = Mutex::new(cases.iter().copied().enumerate());
    let verdicts = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..at_once.max(1) {
            scope.spawn(|| {
                loop {
                    let next = waiting.lock().ok().and_then(|mut waiting| waiting.next());
                    let Some((index, case)) = next else { return };
                    let verdict = run(case, service);
                    if let Ok(mut verdicts) = verdicts.lock() {
                        verdicts.push((index, verdict));
                    }
                }
            });
        }
    });
    let mut verdicts = verdicts.into_inner().unwrap_or_default();
    verdicts.sort_by_key(|(index, _)| *index);
    verdicts.into_iter().map(|(_, verdict)| verdict).collect()
}
