//! What a change touched, as a store finds it.

use uuid::Uuid;

use crate::{
    client::{Client, ClientFields},
    matching::{MatchKey, PersonHash},
    store::{AliasChange, ChangeAuthor},
    time::Timestamp,
};

/// The record of a commit that is to be undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The request that made it.
    pub request_id: Uuid,
    /// The import that it is a batch of, where that is what is undone.
    pub import_id: Option<Uuid>,
    /// The time of its commit.
    pub at: Timestamp,
    /// Who made it.
    pub by: ChangeAuthor,
    /// The clients that it created.
    pub created: u32,
    /// The clients that it changed.
    pub changed: u32,
}

/// A client that the change created or changed.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The client as it is now.
    pub now: Client,
    /// Its states, the latest first: the present one, each down to the first of the change, and the one before where
    /// it is kept.
    pub states: Vec<TouchedState>,
}

/// One state of a client that a change touched.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TouchedState {
    /// The commit that made it.
    pub at: Timestamp,
    /// Another batch of the import that is undone made it.
    pub is_of_import: bool,
    /// The client began with it, or came back with it.
    pub is_first: bool,
    /// The client that has its `external_id` now.
    pub holder: Option<Uuid>,
    /// The fields.
    pub fields: ClientFields,
}

/// A client that the change removed: it was an undo.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    /// The client as it was.
    pub client: Client,
    /// The client that has its `external_id` now.
    pub holder: Option<Uuid>,
    /// A client that changed since is the one that a post of this one would find, or cannot be told apart from it
    /// ([`is_sent_again`]).
    pub is_sent_again: bool,
}

/// An item of review about which the change decided, and what an undo makes of it (rule J8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnedItem {
    /// The item.
    pub id: Uuid,
    /// Whether it waits again. Where the change itself was the undo of a decision, the item no longer waits.
    pub waits: bool,
}

/// Whether a post of a removed client would meet another client: find it, or not be able to tell it apart (rules M26 to
/// M29). `other` is what that client is compared by.
///
/// ```
/// use matterbook_core::{client::ClientFields, matching::MatchKey, undo::is_sent_again};
/// let named = |city: &str| ClientFields {
///     last_name: Some("Ray".into()),
///     city: Some(city.into()),
///     ..ClientFields::default()
/// };
/// assert!(is_sent_again(&named("Peoria"), &MatchKey::of(&named("Joliet")).hash(), false));
/// ```
#[must_use]
pub fn is_sent_again(removed: &ClientFields, other: &PersonHash, other_has_external_id: bool) -> bool {
    let person = MatchKey::of(removed).hash();
    let is_compared = !other_has_external_id || person.is_complete() || removed.external_id.is_none();
    is_compared && person.matches(other)
}

/// An alias that the change gave or took.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TouchedAlias {
    /// The client as it is now.
    pub now: Client,
    /// What the change did.
    pub change: AliasChange,
    /// Whether it is as the change left it.
    pub is_as_left: bool,
    /// The client that has the alias now, as its `external_id` or as an alias.
    pub holder: Option<Uuid>,
}
