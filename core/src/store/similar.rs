//! Pairs of saved clients that may be one person, and what was decided about them (S38, S39).

use std::fmt;

use uuid::Uuid;

use crate::{client::Client, similar::SimilarReason, time::Timestamp};

/// The most undecided pairs that an account keeps.
pub const SIMILAR_PAIRS_MAX: usize = 10_000;

/// The most possible duplicates of a client that an explanation names.
pub const SIMILAR_SHOWN_MAX: usize = 20;

/// The most clients of one page that a comparison reads.
pub const COMPARED_PAGE_MAX: usize = 1_000;

/// Two clients of an account, the smaller id first.
///
/// ```
/// use matterbook_core::{store::ClientPair, uuid::Uuid};
/// let [one, other] = [1, 2].map(Uuid::from_u128);
/// assert_eq!(ClientPair::of(one, other), ClientPair::of(other, one));
/// assert_eq!(ClientPair::of(other, one).ids(), [one, other]);
/// assert_eq!(ClientPair::of(other, one).other_than(one), Some(other));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClientPair {
    client: Uuid,
    other: Uuid,
}

impl ClientPair {
    /// The pair of two clients, in whatever order they are named.
    #[must_use]
    pub fn of(one: Uuid, other: Uuid) -> Self {
        Self { client: one.min(other), other: one.max(other) }
    }

    /// Both ids, the smaller one first.
    #[must_use]
    pub const fn ids(self) -> [Uuid; 2] {
        [self.client, self.other]
    }

    /// The one that is not this client; `None` where this is neither.
    #[must_use]
    pub fn other_than(&self, client: Uuid) -> Option<Uuid> {
        if client == self.client {
            return Some(self.other);
        }
        (client == self.other).then_some(self.client)
    }
}

impl fmt::Display for ClientPair {
    /// Both ids with a space between them.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.client, self.other)
    }
}

/// What a person says about a pair (rule Y6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimilarDecision {
    /// They are one person, who gets letters only if both records do.
    Same,
    /// They are two people.
    Different,
}

impl SimilarDecision {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Same, Self::Different];

    /// The name in JSON.
    ///
    /// ```
    /// use matterbook_core::store::SimilarDecision;
    /// assert_eq!(SimilarDecision::ALL.map(SimilarDecision::name), ["same", "different"]);
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Different => "different",
        }
    }

    /// The decision with a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|decision| decision.name() == name)
    }
}

/// A pair that a comparison found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FoundPair {
    /// The clients.
    pub pair: ClientPair,
    /// Why they may be one person, at least one reason, in the order of [`SimilarReason`].
    pub reasons: Vec<SimilarReason>,
}

impl FoundPair {
    /// The reasons as a text: their names with commas between them.
    #[must_use]
    pub fn reasons_text(&self) -> String {
        self.reasons.iter().map(|reason| reason.name()).collect::<Vec<_>>().join(",")
    }

    /// The reasons of such a text. Names that are unknown are left out.
    ///
    /// ```
    /// use matterbook_core::{similar::SimilarReason, store::FoundPair};
    /// let reasons = FoundPair::reasons_of("same_email,unit");
    /// assert_eq!(reasons, [SimilarReason::SameEmail, SimilarReason::Unit]);
    /// ```
    #[must_use]
    pub fn reasons_of(text: &str) -> Vec<SimilarReason> {
        text.split(',').filter_map(SimilarReason::of_name).collect()
    }
}

/// A client, and another one that may be the same person (S40).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimilarClient {
    /// The client.
    pub client: Uuid,
    /// The other one.
    pub other: Uuid,
    /// Why they may be one person.
    pub reasons: Vec<SimilarReason>,
}

/// A pair that is kept.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimilarPair {
    /// Both clients as they are now, the smaller id first.
    pub clients: [Client; 2],
    /// Why they may be one person.
    pub reasons: Vec<SimilarReason>,
    /// When a comparison found it first.
    pub found_at: Timestamp,
    /// What was decided; `None` while nothing is.
    pub decided: Option<DecidedPair>,
}

/// A decision about a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecidedPair {
    /// What it is.
    pub decision: SimilarDecision,
    /// When.
    pub at: Timestamp,
    /// Who: the login's email, or the operator's actor.
    pub by: String,
}

/// Which pairs a list shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimilarFilter {
    /// Those with a decision; otherwise those without one.
    pub decided: bool,
    /// Only those of which one client gets letters and the other does not, that are not decided to be
    /// [`Different`](SimilarDecision::Different). Without `decided`, those that are decided to be one person, too.
    pub letters: bool,
}

impl SimilarFilter {
    /// Whether the list shows a pair.
    #[must_use]
    pub fn admits(self, pair: &SimilarPair) -> bool {
        let [one, other] = &pair.clients;
        let decision = pair.decided.as_ref().map(|decided| decided.decision);
        let is_same = decision == Some(SimilarDecision::Same);
        let is_listed = if self.decided { decision.is_some() } else { decision.is_none() || self.letters && is_same };
        let has_letters =
            || decision != Some(SimilarDecision::Different) && one.fields.do_not_mail != other.fields.do_not_mail;
        is_listed && (!self.letters || has_letters())
    }
}

/// A page of pairs, in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimilarPage {
    /// The pairs.
    pub pairs: Vec<SimilarPair>,
    /// When the account was compared last.
    pub compared_at: Option<Timestamp>,
    /// The last pair of the page, if more follow.
    pub next: Option<ClientPair>,
}

/// What a comparison begins with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComparisonStart {
    /// The account's last commit.
    pub last_commit_at: Timestamp,
    /// The pairs with a decision, in ascending order. They are not found again.
    pub decided: Vec<ClientPair>,
    /// The first pairs without a decision, in ascending order, of clients with one name of which one has an address that
    /// the other had before (S41). At most [`SIMILAR_PAIRS_MAX`].
    pub moved: Vec<ClientPair>,
}
