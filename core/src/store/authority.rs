//! By whose right a change is made (S1, S32).

#[cfg(feature = "console")]
use uuid::Uuid;

#[cfg(feature = "console")]
use super::console::{ImportState, SessionOwner};
#[cfg(feature = "console")]
use crate::sign_in::SessionDigest;
use crate::{account::KeyOwner, key::KeyDigest};

/// By whose right a change is made. A store resolves it in the unit that writes.
///
/// ```
/// use matterbook_core::{key::KeyDigest, store::Authority};
/// let key = KeyDigest::of("mtb_a");
/// assert_eq!(Authority::Key(key).key(), Some(&key));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authority {
    /// An API key.
    Key(KeyDigest),
    /// A person with a session in the console.
    #[cfg(feature = "console")]
    Session(SessionAuthority),
}

impl Authority {
    /// The key. A store without the console answers `None` to a change without one.
    #[must_use]
    pub const fn key(&self) -> Option<&KeyDigest> {
        match self {
            Self::Key(key) => Some(key),
            #[cfg(feature = "console")]
            Self::Session(_) => None,
        }
    }
}

/// A session that changes clients.
#[cfg(feature = "console")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionAuthority {
    /// The digest of the browser's session.
    pub session: SessionDigest,
    /// The import that the change is a batch of. The commit keeps its id.
    pub import: Option<Uuid>,
}

/// Who makes a change, as of the unit that decides it.
///
/// Its `Debug` form shows addresses of people: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeOwner {
    /// The owner of the key.
    Key(KeyOwner),
    /// The person of the session, and how far the account's import with that id is, if there is one.
    #[cfg(feature = "console")]
    Session(Box<SessionOwner>, Option<ImportState>),
}
