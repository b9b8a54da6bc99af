//! Pages of clients and of prospects: what is asked, what comes back (S8–S10).

use smol_str::SmolStr;
use uuid::Uuid;

use super::{Store, StoreError};
use crate::{
    account::{Grant, Holder},
    client::{Client, ClientRef},
    key::KeyDigest,
    prospect::Prospect,
    time::Timestamp,
};

/// A place in a listing: after the row with this time and id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// `updated_at` of a client's state, `added_at` of a prospect, `changed_at` of a settlement.
    pub at: Timestamp,
    /// The row's id; orders rows of one commit.
    pub id: Uuid,
}

/// How much a reader sees: everything as it stood a delay ago.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The time of the request.
    pub now: Timestamp,
    /// The delay; with 0 every committed change is visible at once.
    pub delay_seconds: u32,
}

impl View {
    /// A commit this far ahead of the reader's clock shows that a clock was wrong; a skew of a few
    /// seconds between machines is normal.
    pub const CLOCK_TOLERANCE_SECONDS: i64 = 30;

    /// The time whose state is shown: rows changed later are shown as they were then.
    ///
    /// `last_commit_at` is that of the account's (or, for prospects, the import's) last commit.
    /// Commit times only grow, so one made by a clock far ahead would hide everything after it
    /// until the right clocks catch up. A reader that sees such a commit does not delay at all:
    /// since no later commit can land before a row that was shown, nothing is skipped.
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

/// A page of clients that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientPageQuery {
    /// Whose moment is shown.
    pub view: View,
    /// Rows after this place only.
    pub after: Option<Position>,
    /// The [`ClientPage::seen_until`] of the page before, of which this one goes on.
    pub seen_until: Option<Timestamp>,
    /// Rows whose state changed at or after this time only.
    pub updated_since: Option<Timestamp>,
    /// The client with exactly this `external_id` only.
    pub external_id: Option<SmolStr>,
    /// The most rows to return, 1 to 100.
    pub limit: u32,
}

impl ClientPageQuery {
    /// The time whose state is shown: [`View::horizon`], and no earlier than what the page before has
    /// shown.
    ///
    /// Clocks of machines differ. If a page were read at an earlier moment than the one before it, a
    /// client that changed between the two moments would be in its earlier place, which the walk has
    /// passed, and no longer in the later one.
    ///
    /// ```
    /// use matterbook_core::{store::{ClientPageQuery, View}, time::Timestamp};
    /// let view = View { now: Timestamp::from_micros(100_000_000), delay_seconds: 60 };
    /// let first = ClientPageQuery { view, after: None, seen_until: None, updated_since: None, external_id: None, limit: 50 };
    /// let last_commit_at = Timestamp::from_micros(50_000_000);
    /// assert_eq!(first.horizon(last_commit_at), Timestamp::from_micros(40_000_000));
    /// let next = ClientPageQuery { seen_until: Some(Timestamp::from_micros(42_000_000)), ..first };
    /// assert_eq!(next.horizon(last_commit_at), Timestamp::from_micros(42_000_000));
    /// ```
    #[must_use]
    pub fn horizon(&self, last_commit_at: Timestamp) -> Timestamp {
        self.view.horizon(last_commit_at).max(self.seen_until.unwrap_or_default())
    }

    /// What a page that is read now has seen: nothing is later than the last commit, and what comes after
    /// that commit is not seen yet.
    #[must_use]
    pub fn seen_until(&self, last_commit_at: Timestamp) -> Timestamp {
        self.horizon(last_commit_at).min(last_commit_at)
    }
}

/// Takes the clients of a page one after the other, each as it stood at the horizon. They are
/// borrowed, so that a page which is only written out need not keep any text of them.
pub type ShowClient<'a> = dyn FnMut(ClientRef<'_>) + Send + 'a;

/// How a page of clients ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientPageEnd {
    /// Who holds the key in this unit.
    pub holder: Holder,
    /// The moment whose state is shown, no later than the account's last commit.
    pub seen_until: Timestamp,
    /// Where to go on; `None` when nothing follows.
    pub next: Option<Position>,
}

/// A page of clients that keeps them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientPage {
    /// Who holds the key in this unit.
    pub holder: Holder,
    /// The rows, each client as it stood at the horizon.
    pub clients: Vec<Client>,
    /// The moment whose state is shown, no later than the account's last commit.
    pub seen_until: Timestamp,
    /// Where to go on; `None` when nothing follows.
    pub next: Option<Position>,
}

impl ClientPage {
    /// Reads a page and keeps its clients; `None` for a key that is unknown or revoked.
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
        Ok(end.map(|ClientPageEnd { holder, seen_until, next }| Self { holder, clients, seen_until, next }))
    }

    /// Shows the clients that it keeps.
    pub fn show(self, show: &mut ShowClient<'_>) -> ClientPageEnd {
        let Self { holder, clients, seen_until, next } = self;
        clients.iter().for_each(|client| show(client.borrowed()));
        ClientPageEnd { holder, seen_until, next }
    }
}

/// Which end of the prospects is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProspectOrder {
    /// From the oldest, after a place.
    Oldest {
        /// Rows after this place only.
        after: Option<Position>,
    },
    /// From the newest, added at or after a time; no place to go on from.
    Newest {
        /// Thirty days before the request.
        added_since: Timestamp,
    },
}

/// A page of prospects that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProspectPageQuery {
    /// Whose moment is shown.
    pub view: View,
    /// Which end, from where.
    pub order: ProspectOrder,
    /// The most rows to return: 1 to 100, with `Newest` up to 500.
    pub limit: u32,
}

/// A page of prospects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProspectPage {
    /// Who holds the key in this unit.
    pub holder: Holder,
    /// The account's grants in this unit, by FIPS code.
    pub grants: Vec<Grant>,
    /// The rows in the order asked for.
    pub prospects: Vec<Prospect>,
    /// Where to go on; `None` when nothing follows, and always with `Newest`.
    pub next: Option<Position>,
}
