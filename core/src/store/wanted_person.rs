//! Whom a want is about.

use std::{fmt, sync::Arc};

use crate::{matching::PersonHash, plan::BatchClients};

/// The hashes of the name and the place of a request's item. To make them takes long, so those of a batch are made
/// when they are first asked for: a store asks where no client has the item's `external_id`.
///
/// ```
/// use matterbook_core::{matching::PersonHash, store::WantedPerson};
/// let hash = PersonHash { name: Some(7), place: None };
/// assert_eq!(WantedPerson::from(hash).hash(), hash);
/// assert_eq!(WantedPerson::default().hash(), PersonHash::default());
/// ```
#[derive(Clone)]
pub struct WantedPerson(Source);

#[derive(Clone)]
enum Source {
    Made(PersonHash),
    OfBatch(Arc<BatchClients>, usize),
}

impl WantedPerson {
    /// The person of the client at a place of a batch.
    pub(crate) const fn of(clients: Arc<BatchClients>, place: usize) -> Self {
        Self(Source::OfBatch(clients, place))
    }

    /// The hashes.
    #[must_use]
    pub fn hash(&self) -> PersonHash {
        match &self.0 {
            Source::Made(hash) => *hash,
            Source::OfBatch(clients, place) => clients.hash(*place),
        }
    }
}

impl From<PersonHash> for WantedPerson {
    fn from(hash: PersonHash) -> Self {
        Self(Source::Made(hash))
    }
}

impl Default for WantedPerson {
    fn default() -> Self {
        PersonHash::default().into()
    }
}

impl PartialEq for WantedPerson {
    fn eq(&self, other: &Self) -> bool {
        self.hash() == other.hash()
    }
}

impl Eq for WantedPerson {}

impl fmt::Debug for WantedPerson {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.hash().fmt(formatter)
    }
}
