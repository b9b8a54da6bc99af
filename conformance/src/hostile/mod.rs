//! Requests that mean harm, as bytes on a connection, and what a service makes of them: the same list for
//! every host, whose own tests say what each of them comes to there.
//!
//! Not here: who answers what, and within how long.

mod caller;
mod console;
mod run;
mod shapes;
mod slow_readers;

pub use caller::Caller;
pub use console::*;
pub use run::{Outcome, begins_session, bodies, heads, statuses};
pub use shapes::*;
pub use slow_readers::SlowReaders;

use std::time::Duration;

/// A way to do harm over one connection.
///
/// ```
/// use std::time::Duration;
///
/// use matterbook_conformance::hostile::{Caller, HALF_OPEN_WITHIN_A_HEAD, SocketAction};
///
/// let address = ([127, 0, 0, 1], 8080).into();
/// let (key, session) = (String::new(), String::new());
/// let caller = Caller { address, key, session, patience: Duration::ZERO, pause: Duration::ZERO };
/// let steps = (HALF_OPEN_WITHIN_A_HEAD.sends)(&caller);
/// assert!(matches!(steps.as_slice(), [SocketAction::Send(_), SocketAction::ShutDown]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// In a caller's words.
    pub name: &'static str,
    /// What it sends.
    pub sends: fn(&Caller) -> Vec<SocketAction>,
}

/// A part of what is sent.
#[derive(Clone, Debug)]
pub enum SocketAction {
    /// These bytes, once.
    Send(Vec<u8>),
    /// These bytes again and again, so long apart, until the service has had enough.
    Trickle(Vec<u8>, Duration),
    /// Nothing more comes, and says so.
    ShutDown,
}
