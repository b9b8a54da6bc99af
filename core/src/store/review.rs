//! What waits for review: clients of a request that were not saved (S20).

use std::fmt;

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::ChangeAuthor;
use crate::{client::sent_values, matching::PersonHash, time::Timestamp};

/// The most items that one account keeps. Past it, those that were seen the longest ago go.
pub const REVIEW_ITEMS_MAX: usize = 10_000;

/// An item that comes with the same content again is written again only after so many seconds: a nightly sync writes
/// it once a day.
pub const REVIEW_SEEN_EVERY_SECONDS: i64 = 20 * 60 * 60;

/// What a request does to what waits for review. It is applied with the rest of its change set, and alone it is no
/// commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewChange {
    /// Clients that were not saved, each once.
    pub items: Vec<NewReviewItem>,
    /// Items that go, because their client came well.
    pub gone: Vec<Uuid>,
}

impl ReviewChange {
    /// Whether there is nothing to write.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty() && self.gone.is_empty()
    }
}

/// A client that was not saved.
///
/// Its `Debug` form shows its id and its status.
#[derive(Clone, PartialEq, Eq)]
pub struct NewReviewItem {
    /// The id of the item: the same whenever the same client of the account is not saved ([`review_ids`]).
    pub id: Uuid,
    /// Why it was not saved.
    pub status: ReviewStatus,
    /// The message of its result.
    pub message: String,
    /// What was sent, as a JSON object; `None` where that is not kept.
    pub sent: Option<String>,
    /// Equal for equal content.
    pub content: Uuid,
    /// The clients in the way, oldest first.
    pub candidates: Vec<Uuid>,
    /// The hash of the folded name. Erasing a client of that name removes the item.
    pub name_hash: Option<i64>,
}

impl fmt::Debug for NewReviewItem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (id, status) = (&self.id, &self.status);
        formatter.debug_struct("NewReviewItem").field("id", id).field("status", status).finish_non_exhaustive()
    }
}

impl NewReviewItem {
    /// What was sent, in the order of fields, each with its name: values that are texts, numbers or flags.
    ///
    /// ```
    /// use matterbook_core::{store::{NewReviewItem, ReviewStatus}, uuid::Uuid};
    /// let item = NewReviewItem {
    ///     id: Uuid::nil(),
    ///     status: ReviewStatus::Error,
    ///     message: String::new(),
    ///     sent: Some(r#"{"zip":"021","external_id":7}"#.to_owned()),
    ///     content: Uuid::nil(),
    ///     candidates: Vec::new(),
    ///     name_hash: None,
    /// };
    /// assert_eq!(item.values(), [("zip", "021".to_owned()), ("external_id", "7".to_owned())]);
    /// ```
    #[must_use]
    pub fn values(&self) -> Vec<(&'static str, String)> {
        self.sent.as_deref().map(sent_values).unwrap_or_default()
    }
}

/// Why a client was not saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewStatus {
    /// It may be one of several clients, or another person.
    Conflict,
    /// It cannot be read, or it has no name and matches no client.
    Error,
}

impl ReviewStatus {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Conflict, Self::Error];

    /// The name in JSON, as in a result.
    ///
    /// ```
    /// use matterbook_core::store::ReviewStatus;
    /// assert_eq!(ReviewStatus::ALL.map(ReviewStatus::name), ["conflict", "error"]);
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Conflict => "conflict",
            Self::Error => "error",
        }
    }

    /// The status with a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// What a person decides about an item (rules J5 to J7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewDecision {
    /// It is the same person as this client, which gets what was sent.
    Same(Uuid),
    /// It is another person, who is created.
    Another,
    /// It is left, and waits again once its content changes.
    Leave,
}

/// An item that waits for review.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewItem {
    /// What was sent, and why it was not saved.
    pub item: NewReviewItem,
    /// Who sent it last.
    pub by: ChangeAuthor,
    /// The request that sent it last.
    pub request_id: Uuid,
    /// The import of that request.
    pub import_id: Option<Uuid>,
    /// When this content came first.
    pub first_seen_at: Timestamp,
    /// When it came last, to the day or so.
    pub last_seen_at: Timestamp,
}

/// The ids of the items of a client: by its `external_id`, and by its name, street and ZIP if it has all three. The item
/// of a client that is not saved has the first of them. The account's id salts them.
///
/// ```
/// use matterbook_core::{matching::PersonHash, store::review_ids, uuid::Uuid};
/// let person = PersonHash { name: Some(1), street: Some(2), unit: 0, zip5: Some(62_704) };
/// let ids = |account, external_id| review_ids(account, external_id, person);
/// assert_eq!(ids(Uuid::nil(), Some("7")).len(), 2);
/// assert_eq!(ids(Uuid::nil(), Some("7"))[1], ids(Uuid::nil(), None)[0]);
/// assert_ne!(ids(Uuid::nil(), Some("7")), ids(Uuid::max(), Some("7")));
/// assert!(review_ids(Uuid::nil(), None, PersonHash { street: None, ..person }).is_empty());
/// ```
#[must_use]
pub fn review_ids(account: Uuid, external_id: Option<&str>, person: PersonHash) -> Vec<Uuid> {
    let by_external_id = external_id.map(|external_id| digest(account, b"external_id", external_id.as_bytes()));
    let by_person = match person {
        PersonHash { name: Some(name), street: Some(street), unit, zip5: Some(zip5) } => {
            let bytes: Vec<u8> = [name, street, unit, zip5].into_iter().flat_map(i64::to_be_bytes).collect();
            Some(digest(account, b"person", &bytes))
        }
        _ => None,
    };
    by_external_id.into_iter().chain(by_person).collect()
}

/// The first half of a digest, salted with the account.
pub(crate) fn digest(account: Uuid, kind: &[u8], bytes: &[u8]) -> Uuid {
    let digest: [u8; 32] =
        Sha256::new().chain_update(account).chain_update(kind).chain_update([0]).chain_update(bytes).finalize().into();
    Uuid::from_bytes(std::array::from_fn(|place| digest.get(place).copied().unwrap_or_default()))
}
