//! The one write of client data: what a request looks up, and what it decides (S3–S7).

use smol_str::SmolStr;
use uuid::Uuid;

use crate::{
    client::{Client, ClientFields, Fingerprint, Settlement},
    json::push_escaped,
    matching::{MatchKey, PersonHash, erased_identities},
    plan::MatchedBy,
    store::{Authority, ChangeOwner, Retention, ReviewChange, SimilarClient, review_ids},
    time::Timestamp,
};
use chrono::NaiveDate;

/// A conflict counts the clients in the way up to this number, and an explanation names as many. Of more it says
/// that there are more.
pub const NAMESAKES_SHOWN: usize = 20;

/// A change to an account's clients.
pub struct ChangeRequest {
    /// By whose right; resolved again in the unit that writes (S1).
    pub authority: Authority,
    /// The account of the authority: for fair queueing, and the salt of identities. No write trusts it.
    pub account_hint: Uuid,
    /// The id of the request: the same for every attempt, kept with the commit (S14).
    pub request_id: Uuid,
    /// The time of the request.
    pub now: Timestamp,
    /// How long `GET /clients` hides a change.
    pub client_delay_seconds: u32,
    /// How long earlier states and the record of the commit are kept.
    pub retention: Retention,
    /// What the decision needs to see: one key for each readable item.
    pub lookup_keys: Vec<LookupKey>,
    /// Whether the answer names possible duplicates of the clients that the keys match (S40).
    pub names_similar: bool,
    /// The idempotency key of the request, if it has one (S11).
    pub idempotency_key: Option<String>,
    /// The decision.
    pub decide: Decide,
}

impl std::fmt::Debug for ChangeRequest {
    /// Shows nothing of clients or of the key.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("ChangeRequest")
            .field("account_hint", &self.account_hint)
            .field("request_id", &self.request_id)
            .field("now", &self.now)
            .field("client_delay_seconds", &self.client_delay_seconds)
            .field("lookup_keys", &self.lookup_keys.len())
            .finish_non_exhaustive()
    }
}

impl ChangeRequest {
    /// How many clients one key is shown of those that it matches by name: so many without an `external_id`, and
    /// so many with one (S3).
    ///
    /// No decision depends on the others. Each item changes at most one client, so at least [`NAMESAKES_SHOWN`]
    /// that no earlier item has changed remain in a group that was cut. Among them is the oldest of the group, and
    /// they are as many as a conflict counts and names.
    #[must_use]
    pub const fn namesakes_max(&self) -> usize {
        self.lookup_keys.len() + NAMESAKES_SHOWN
    }

    /// The digests of every item's identities, to be looked up among those of erased clients (S12).
    ///
    /// They cost up to three SHA-256 an item, so a store asks for them only where the account has erased a client.
    #[must_use]
    pub fn identities(&self) -> Vec<IdentityDigest> {
        let identities_of = |key: &LookupKey| {
            erased_identities(self.account_hint, key.external_id.as_deref(), &MatchKey::of(&key.fields))
        };
        self.lookup_keys.iter().flat_map(identities_of).collect()
    }

    /// The ids of the items that may wait for the request's clients (S20).
    ///
    /// They cost two SHA-256 an item, so a store asks for them only where something waits in the account.
    #[must_use]
    pub fn review_ids(&self) -> Vec<Uuid> {
        let ids = |key: &LookupKey| review_ids(self.account_hint, key.external_id.as_deref(), key.person);
        self.lookup_keys.iter().flat_map(ids).collect()
    }
}

/// A pure decision over a snapshot. It may be asked again when what it saw went stale, and
/// answers the same for the same snapshot. `Sync`, because a store holds on to its request while it waits for
/// the database.
pub type Decide = Box<dyn FnMut(&Snapshot) -> Decided + Send + Sync>;

/// What one item of a request looks up. A client matches a key when
///
/// - both have the same `external_id`, or the client has the key's as an alias; or, where no client has the key's,
/// - the key's person [matches](PersonHash::matches) the client's. Where the key lacks a street or a ZIP and has
///   an `external_id`, only clients without one match: two different ones tell people apart.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LookupKey {
    /// The item's `external_id`.
    pub external_id: Option<SmolStr>,
    /// The item's name, street and ZIP.
    pub person: PersonHash,
    /// The item carries a settled date, so the settlements of the clients it matches are needed too.
    pub settles: bool,
    /// The fields that the item gives.
    pub fields: ClientFields,
    /// The fingerprint of `fields`. A client with the same one has exactly these fields, so a store need not
    /// read them. `None` compares with no client.
    pub fingerprint: Option<Fingerprint>,
}

/// The digest of an identity that an erased client had, salted with its account. See
/// [`crate::matching`] for how it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IdentityDigest(pub [u8; 32]);

/// A further external id of a client (S21).
///
/// Its `Debug` form shows the client's id.
#[derive(Clone, PartialEq, Eq)]
pub struct Alias {
    /// The client.
    pub client: Uuid,
    /// The id by which it is found too.
    pub external_id: SmolStr,
}

impl std::fmt::Debug for Alias {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Alias").field("client", &self.client).finish_non_exhaustive()
    }
}

/// What remains of an erased client: a digest of one identity, and its `do_not_mail`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tombstone {
    /// The digest.
    pub identity: IdentityDigest,
    /// Whether letters to this person were stopped when it was erased.
    pub do_not_mail: bool,
}

/// One consistent view of an account, read for a decision (S3).
///
/// Its `Debug` form shows an earlier answer: never log it.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Who asks, in this unit.
    pub owner: ChangeOwner,
    /// The clients that the lookup keys match, each once, in no particular order. Of many that one key matches by
    /// name, the first [`ChangeRequest::namesakes_max`] without an `external_id` and as many with one.
    pub clients: Vec<Client>,
    /// Every settlement of the clients that a settling key matches, each once.
    pub settlements: Vec<Settlement>,
    /// Tombstones of the request's identities.
    pub tombstones: Vec<Tombstone>,
    /// Those of the request's external ids that clients have as aliases (S21).
    pub aliases: Vec<Alias>,
    /// Where the request [names](ChangeRequest::names_similar) them, the clients that may be the same person as one of
    /// the clients, by the ids of both. A pair of two of these is there twice, once for each (S40).
    pub similar: Vec<SimilarClient>,
    /// The answer saved under the request's idempotency key, if it is under 24 hours old.
    pub idempotency_record: Option<IdempotencyRecord>,
    /// Those of the request's [`review_ids`](ChangeRequest::review_ids) that the account keeps an item of, in no
    /// particular order.
    pub waiting: Vec<Uuid>,
}

/// An answer kept under an idempotency key (S11).
///
/// Its `Debug` form shows the answer, which may name clients: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// Digest of the request that it answered: 43 characters of base64url.
    pub request_digest: String,
    /// The answer.
    pub response: StoredResponse,
}

impl IdempotencyRecord {
    /// Stands in each answer that tells values as they were sent (the repairs of an explanation), and in no
    /// other: within a text the quotes would be escaped. Such values may be those of any client, also of one
    /// whom the answer does not name, so erasing a client drops each answer of its account that holds it
    /// (S12).
    pub const TELLS_VALUES: &str = "\"from\":";

    /// The texts by which a saved answer names a client: its id, and its `external_id` as a
    /// conflict quotes it, both as JSON has them. Erasing a client drops the answers that hold one
    /// (S12).
    ///
    /// ```
    /// use matterbook_core::{store::IdempotencyRecord, uuid::Uuid};
    /// let (id, external_id) = IdempotencyRecord::texts_naming(Uuid::from_u128(7), Some("A \"1\""));
    /// assert_eq!(id, "00000000-0000-0000-0000-000000000007");
    /// assert_eq!(external_id.as_deref(), Some(r#"\"A \"1\"\""#));
    /// ```
    #[must_use]
    pub fn texts_naming(client: Uuid, external_id: Option<&str>) -> (String, Option<String>) {
        let quoted = external_id.map(|external_id| {
            // Without the quotes of the JSON string itself: the text stands within a message.
            let mut quoted = String::new();
            push_escaped(&mut quoted, &format!("\"{external_id}\""));
            quoted
        });
        (client.to_string(), quoted)
    }
}

/// An answer to a caller: a status and a JSON body.
///
/// Its `Debug` form shows the body, which may name clients: never log it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredResponse {
    /// HTTP status.
    pub status: u16,
    /// JSON text.
    pub body: String,
    /// It is the saved answer of an earlier request.
    pub replayed: bool,
}

/// What a decision came to.
///
/// Its `Debug` form shows the answer: never log it.
#[derive(Clone, Debug)]
pub struct Decided {
    /// What to save.
    pub change_set: ChangeSet,
    /// What to answer once it is saved.
    pub response: StoredResponse,
}

/// A declarative change, applied wholly or not at all (S4). Clients that nothing changes for are
/// not in it.
///
/// Its `Debug` form shows how many changes there are.
#[derive(Clone, Default)]
pub struct ChangeSet {
    /// New clients; their `created_at` and `updated_at` are the commit's time.
    pub created: Vec<NewClient>,
    /// Changed clients, each once; their `updated_at` becomes the commit's time.
    pub updated: Vec<ClientUpdate>,
    /// Settlements begun and corrected, in order.
    pub settlements: Vec<SettlementChange>,
    /// Aliases that clients of the change set get: at most one for each (S21).
    pub aliases: Vec<Alias>,
    /// The answer to keep under the request's idempotency key.
    pub idempotency_record: Option<IdempotencyRecord>,
    /// What waits for review from now on, and what no longer does (S20).
    pub review: ReviewChange,
    /// What a batch adds to its import (S37).
    #[cfg(feature = "console")]
    pub import: Option<super::ImportProgress>,
}

impl std::fmt::Debug for ChangeSet {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("ChangeSet")
            .field("created", &self.created.len())
            .field("updated", &self.updated.len())
            .field("settlements", &self.settlements.len())
            .field("review", &(self.review.items.len() + self.review.gone.len()))
            .finish_non_exhaustive()
    }
}

impl ChangeSet {
    /// Whether there is nothing to write (S7).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.review.is_empty() && !self.is_commit()
    }

    /// Whether it changes clients or keeps an answer. Review alone does not (S20).
    #[must_use]
    pub fn is_commit(&self) -> bool {
        #[cfg(feature = "console")]
        if self.import.is_some() {
            return true;
        }
        !self.created.is_empty()
            || !self.updated.is_empty()
            || !self.settlements.is_empty()
            || self.idempotency_record.is_some()
    }
}

/// A client to be created.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewClient {
    /// Minted once per request and item, the same for every attempt.
    pub id: Uuid,
    /// What is kept.
    pub fields: ClientFields,
    /// Hashes of `fields`.
    pub person: PersonHash,
    /// The fingerprint of `fields`.
    pub fingerprint: Fingerprint,
}

/// A client to be changed.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientUpdate {
    /// Whose.
    pub id: Uuid,
    /// What the snapshot held.
    pub before: Client,
    /// What it becomes.
    pub after: ClientFields,
    /// Hashes of `after`, where these or the external id are not those of `before`. `None` where the client is
    /// found as it was: what it is found by need not be written.
    pub new_hash: Option<PersonHash>,
    /// How the first item that changes the client found it; `None` where no item did.
    pub matched_by: Option<MatchedBy>,
}

/// A settlement begun or corrected. Times are the commit's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettlementChange {
    /// A new settlement of a client.
    Begun {
        /// Minted once per request and item.
        id: Uuid,
        /// The client, perhaps created in the same change set.
        client: Uuid,
        /// Its date.
        settled_on: NaiveDate,
        /// Dates it had within the same change set before this one.
        former_dates: Vec<NaiveDate>,
    },
    /// A settlement that gets another date; `former_dates` already holds the date it had.
    Corrected {
        /// Which.
        id: Uuid,
        /// Its client.
        client: Uuid,
        /// The right date.
        settled_on: NaiveDate,
        /// Every date it had before, oldest first.
        former_dates: Vec<NaiveDate>,
    },
}
