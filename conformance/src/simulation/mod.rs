//! A simulation of the whole service: several machines with clocks of their own answer several firms over one
//! store, and every call of the store may fail, be lost, land late or be held up.
//!
//! A list of [`Step`]s says everything that happens, down to which request makes its next call of the store
//! and what befalls that call, so that a list is the same run on every machine. Lists are drawn from seeds
//! ([`draw_steps`]), run ([`run`]), and made short where they break a promise ([`shrink`]).
//!
//! What is held against what:
//!
//! - `ledger` is a small model of an account, written from the reference for few people. After each
//!   call that ran, what the store holds is looked at, and has to be what it was, or what the model makes of
//!   the request whose call it was: all of it, in its own account, once.
//! - `timeline` keeps every state, and says what each page has to show, by the clock of who asks.
//! - `undo` says what an undo gives back and what it leaves, from those states.
//! - `referee`, `pages`, `histories`, `plans` and `saved` hold each answer to what was done, or was there at one of the moments at which its request
//!   looked. A request that failed may have been done or not, unless it was said that nothing was saved.
//! - `waiting` is the model of what waits for review, and of the decisions about it.
//!
//! Not here: prospects and the operator's log, which the store suite has models and cases for; the rate
//! limit; sockets.

mod any_store;
mod asked;
mod auditor;
mod decisions;
mod draw;
mod histories;
mod imports;
mod ledger;
mod pages;
mod plans;
mod refer;
mod referee;
mod run;
mod saved;
mod shrink;
mod step;
mod store;
mod stores;
mod timeline;
mod undo;
mod universe;
mod waiting;
mod writes;

pub use any_store::AnyConsoleStore;
pub use draw::draw_steps;
pub use run::{Simulated, Tally, run};
pub use shrink::shrink;
pub use step::{Ask, Caller, Fault, Step, Verdict, read_steps, write_steps};
pub use store::Meeting;
pub use stores::{InBatches, Whole};
pub use universe::Draft;

/// A promise that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Which, in a word or two.
    pub promise: &'static str,
    /// How.
    pub sentence: String,
}

impl Failure {
    fn new(promise: &'static str, sentence: impl Into<String>) -> Self {
        Self { promise, sentence: sentence.into() }
    }

    /// The failure, with what it was about.
    fn about(self, what: String) -> Self {
        Self { sentence: format!("{}\n  {what}", self.sentence), ..self }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}", self.promise, self.sentence)
    }
}
