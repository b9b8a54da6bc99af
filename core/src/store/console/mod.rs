//! What the firm's console asks of storage (rules S30 to S37 of [`crate::store`], rules of group G).
//!
//! A person comes with a session, and each request resolves it in the atomic unit that reads or writes. A
//! [`ConsoleRequest`] is a [`ConsoleCommand`] with its session and its time. The store answers with the
//! [`SessionOwner`] of that unit and a [`ConsoleAnswer`]. What a role may do is one pure function,
//! [`ConsoleCommand::check`], which the store calls in that unit.
//!
//! ```
//! use matterbook_core::{
//!     memory::MemoryStore,
//!     sign_in::{SessionDigest, new_token},
//!     store::{ConsoleCommand, ConsoleRequest, ConsoleStore, Retention},
//!     time::Timestamp,
//!     uuid::Uuid,
//! };
//!
//! # use std::{future::Future, pin::pin, task::{Context, Poll, Waker}};
//! # async fn example() -> Result<(), matterbook_core::store::StoreError> {
//! let request = ConsoleRequest {
//!     session: SessionDigest::of(&new_token([7; 32])),
//!     now: Timestamp::from_micros(1_767_225_600_000_000),
//!     entry_id: Uuid::from_u128(1),
//!     request_id: Uuid::from_u128(2),
//!     retention: Retention::default(),
//!     command: ConsoleCommand::Session,
//! };
//! // No session has this token.
//! assert_eq!(MemoryStore::default().console(request).await?, None);
//! # Ok(())
//! # }
//! # match pin!(example()).poll(&mut Context::from_waker(Waker::noop())) {
//! #     Poll::Ready(outcome) => outcome.unwrap(),
//! #     Poll::Pending => panic!("a store in memory waits"),
//! # }
//! ```

mod answer;
mod client_search;
mod command;
mod import;
mod overview;
mod permission;
mod prospect_search;
mod sign_in;

pub use answer::{
    CANDIDATES_COMPARED, CHANGES_SHOWN, ClientOrigin, ClientRecord, ConsoleAnswer, ConsoleRefusal, LettersOn,
    OriginKind,
};
pub use client_search::{ClientSearch, SearchText};
pub use command::{ConsoleCommand, Download, MAIL_ON_REASON_MAX};
pub use import::{IMPORTS_KEPT, ImportCounts, ImportProgress, ImportRecord, ImportState, NewImport};
pub use overview::{DayCounts, DaySource, Overview, OverviewQuery, SourceCounts, SourceKind};
pub use prospect_search::ProspectSearch;
pub use sign_in::{
    LinkOwner, NewPasskey, NewSession, Passkey, PasskeyRecord, SessionOwner, SessionRecord, SignIn, SignInAnswer,
    SignInCommand, SignInRefusal,
};

use uuid::Uuid;

use super::{Retention, StoreError};
use crate::{sign_in::SessionDigest, time::Timestamp};

/// What a person asks with a session.
#[derive(Clone, Debug)]
pub struct ConsoleRequest {
    /// The digest of the browser's session.
    pub session: SessionDigest,
    /// The time of the request.
    pub now: Timestamp,
    /// The id of the log entry that a change leaves.
    pub entry_id: Uuid,
    /// The id of the request.
    pub request_id: Uuid,
    /// How long entries of the log are kept.
    pub retention: Retention,
    /// What is asked.
    pub command: ConsoleCommand,
}

/// What a live session is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsoleResponse {
    /// Who asks, as of the unit that answered.
    pub owner: SessionOwner,
    /// The answer.
    pub answer: ConsoleAnswer,
}

/// Storage of the console. The documentation of [`crate::store`] has the rules (S30 to S37).
#[expect(async_fn_in_trait, reason = "Send is inferred at the concrete call; the Worker has none")]
pub trait ConsoleStore {
    /// One step of signing in, which needs no session yet (S30, S31).
    ///
    /// # Errors
    /// When storage does not answer. Nothing is done then, except perhaps with [`StoreError::Unknown`].
    async fn sign_in(&self, sign_in: SignIn) -> Result<SignInAnswer, StoreError>;

    /// Answers a request of a session; `None` for one that does not live (S32 to S36).
    ///
    /// # Errors
    /// When storage does not answer. Nothing is done then, except perhaps with [`StoreError::Unknown`].
    async fn console(&self, request: ConsoleRequest) -> Result<Option<ConsoleResponse>, StoreError>;

    /// Records that a session was used. Called at most every ten minutes for each session
    /// ([`SessionOwner::is_use_old`]).
    ///
    /// # Errors
    /// When storage does not answer. The caller continues without it.
    async fn record_session_use(&self, session: &SessionDigest, now: Timestamp) -> Result<(), StoreError>;
}
