//! Pages of clients and of prospects: queries and results (S8–S10).

use uuid::Uuid;

use super::{ClientFilter, Store, StoreError};
use crate::{
    account::{Grant, KeyOwner},
    client::{Client, ClientRef},
    key::KeyDigest,
    prospect::Prospect,
    time::Timestamp,
};

/// A position in a listing: after the row with this time and id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// `updated_at` of a client's state, `added_at` of a prospect, `changed_at` of a settlement.
    pub at: Timestamp,
    /// The row's id; orders rows of one commit.
    pub id: Uuid,
}

/// The delayed view of a reader (rule V2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The time of the request.
    pub now: Timestamp,
    /// The delay. With 0 every committed change is visible at once (rule V6).
    pub delay_seconds: u32,
}

impl View {
    /// A commit this far ahead of the reader's clock shows that a clock was wrong. A skew of a few
    /// seconds between machines is normal.
    pub const CLOCK_TOLERANCE_SECONDS: i64 = 30;

    /// The time whose state is shown.
    ///
    /// `last_commit_at` is that of the account's (or, for prospects, the import's) last commit.
    /// Commit times only grow. So a commit of a clock far ahead would hide all later commits until the right
    /// clocks catch up. A reader that sees such a commit applies no delay (rule V7). No later commit has an
    /// earlier position, so a walk skips nothing.
    ///
    /// ```
    /// use matterbook_core::{store::View, time::Timestamp};
    /// let view = View { now: Timestamp::from_micros(100_000_000), delay_seconds: 60 };
    /// assert_eq!(view.horizon(Timestamp::default()), Timestamp::from_micros(40_000_000));
    /// let a_year_ahead = view.now.plus_seconds(31_536_000);
    /// assert_eq!(view.horizon(a_year_ahead), Timestamp::MAX);
    /// ```
    #[must_use]
    pub fn horizon(&self, last_commit_at: Timestamp) -> Timestamp {
        if self.delay_seconds == 0 || last_commit_at > self.now.plus_seconds(Self::CLOCK_TOLERANCE_SECONDS) {
            Timestamp::MAX
        } else {
            self.now.plus_seconds(-i64::from(self.delay_seconds))
        }
    }
}

/// The query of a page of clients.
///
/// Its `Debug` form shows what a caller searches for: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientPageQuery {
    /// The view.
    pub view: View,
    /// Only rows after this position.
    pub after: Option<Position>,
    /// The [`ClientPage::seen_until`] of the page before.
    pub seen_until: Option<Timestamp>,
    /// Only rows whose state changed at or after this time.
    pub updated_since: Option<Timestamp>,
    /// Only clients that this filter admits in the state that is shown.
    pub filter: ClientFilter,
    /// The most rows to return, 1 to 100.
    pub limit: u32,
}

impl ClientPageQuery {
    /// The time whose state is shown: [`View::horizon`], but no earlier than that of the page before.
    ///
    /// The clocks of machines differ. If a page showed an earlier moment than the page before it, a walk could
    /// miss a client that changed between the two moments: it would be at its earlier position, which the walk
    /// has passed.
    ///
    /// ```
    /// use matterbook_core::{store::{ClientFilter, ClientPageQuery, View}, time::Timestamp};
    /// let view = View { now: Timestamp::from_micros(100_000_000), delay_seconds: 60 };
    /// let filter = ClientFilter::default();
    /// let first = ClientPageQuery { view, after: None, seen_until: None, updated_since: None, filter, limit: 50 };
    /// let last_commit_at = Timestamp::from_micros(50_000_000);
    /// assert_eq!(first.horizon(last_commit_at), Timestamp::from_micros(40_000_000));
    /// let next = ClientPageQuery { seen_until: Some(Timestamp::from_micros(42_000_000)), ..first };
    /// assert_eq!(next.horizon(last_commit_at), Timestamp::from_micros(42_000_000));
    /// ```
    #[must_use]
    pub fn horizon(&self, last_commit_at: Timestamp) -> Timestamp {
        self.view.horizon(last_commit_at).max(self.seen_until.unwrap_or_default())
    }

    /// The moment that a page shows if it is read now. It is not later than the last commit, because later
    /// commits are not in it.
    #[must_use]
    pub fn seen_until(&self, last_commit_at: Timestamp) -> Timestamp {
        self.horizon(last_commit_at).min(last_commit_at)
    }
}

/// Gets the clients of a page in order, each in its state at the horizon. They are borrowed, so that a page
/// can be written without copies of its texts.
pub type ShowClient<'a> = dyn FnMut(ClientRef<'_>) + Send + 'a;

/// The end of a page of clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientPageEnd {
    /// The owner of the key in this unit.
    pub key_owner: KeyOwner,
    /// The moment whose state is shown, no later than the account's last commit.
    pub seen_until: Timestamp,
    /// Where to continue; `None` if nothing follows.
    pub next: Option<Position>,
}

/// A page of clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientPage {
    /// The owner of the key in this unit.
    pub key_owner: KeyOwner,
    /// The clients, each in its state at the horizon.
    pub clients: Vec<Client>,
    /// The moment whose state is shown, no later than the account's last commit.
    pub seen_until: Timestamp,
    /// Where to continue; `None` if nothing follows.
    pub next: Option<Position>,
}

impl ClientPage {
    /// Reads a page; `None` for a key that is unknown or revoked.
    ///
    /// # Errors
    /// As [`Store::clients`].
    pub async fn read<S: Store>(
        store: &S,
        key: &KeyDigest,
        query: &ClientPageQuery,
    ) -> Result<Option<Self>, StoreError> {
        let mut clients = Vec::new();
        let end = store.clients(key, query, &mut |client| clients.push(client.to_client())).await?;
        Ok(end.map(|ClientPageEnd { key_owner, seen_until, next }| Self { key_owner, clients, seen_until, next }))
    }

    /// Passes its clients to `show`.
    pub fn show(self, show: &mut ShowClient<'_>) -> ClientPageEnd {
        let Self { key_owner, clients, seen_until, next } = self;
        clients.iter().for_each(|client| show(client.borrowed()));
        ClientPageEnd { key_owner, seen_until, next }
    }
}

/// The order of prospects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProspectOrder {
    /// Oldest first, after a position.
    Oldest {
        /// Only rows after this position.
        after: Option<Position>,
    },
    /// Newest first, added at or after a time; without a next page.
    Newest {
        /// Thirty days before the request.
        added_since: Timestamp,
    },
}

/// The query of a page of prospects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProspectPageQuery {
    /// The view.
    pub view: View,
    /// The order, and where to start.
    pub order: ProspectOrder,
    /// The most rows to return: 1 to 100, with `Newest` up to 500.
    pub limit: u32,
}

/// A page of prospects.
///
/// Its `Debug` form shows people: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProspectPage {
    /// The owner of the key in this unit.
    pub key_owner: KeyOwner,
    /// The account's grants in this unit, by FIPS code.
    pub grants: Vec<Grant>,
    /// The prospects, in the order of the query.
    pub prospects: Vec<Prospect>,
    /// Where to continue; `None` if nothing follows, and always with `Newest`.
    pub next: Option<Position>,
}
