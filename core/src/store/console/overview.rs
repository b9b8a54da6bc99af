//! What the first page of the console counts (S35).

use chrono::{DateTime, Datelike as _, NaiveDate};

use crate::{account::KeyRecord, store::Retention, time::Timestamp};

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// What an overview counts, and from when on. Days are those of UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverviewQuery {
    /// The days, oldest first, each with its first moment and that of the day after it.
    pub days: Vec<(NaiveDate, Timestamp, Timestamp)>,
    /// The first moment of the month.
    pub month_start: Timestamp,
    /// Seven days before the request.
    pub week_start: Timestamp,
    /// Ninety days before the request: a key that was not used since is named.
    pub unused_since: Timestamp,
    /// What waits for review counts if it was seen since this time.
    pub review_since: Timestamp,
    /// How long a new prospect is hidden.
    pub prospect_delay_seconds: u32,
    /// The time of the request.
    pub now: Timestamp,
}

impl OverviewQuery {
    /// The days of an overview, today included.
    pub const DAYS: i64 = 30;

    /// The query at a time.
    ///
    /// ```
    /// use matterbook_core::{store::{OverviewQuery, Retention}, time::Timestamp};
    /// let now = Timestamp::parse_rfc3339("2026-03-02T15:00:00Z").unwrap_or_default();
    /// let query = OverviewQuery::at(now, 3_600, Retention::default());
    /// assert_eq!(query.days.len(), 30);
    /// assert_eq!(query.days.first().map(|day| day.0.to_string()), Some("2026-02-01".to_owned()));
    /// assert_eq!(query.month_start.to_string(), "2026-03-01T00:00:00.000000Z");
    /// ```
    #[must_use]
    pub fn at(now: Timestamp, prospect_delay_seconds: u32, retention: Retention) -> Self {
        let date = |time: Timestamp| {
            DateTime::from_timestamp_micros(time.micros()).map_or(NaiveDate::MIN, |time| time.date_naive())
        };
        let midnight = Timestamp::from_micros(now.micros() - now.micros().rem_euclid(DAY_SECONDS * 1_000_000));
        let day = |back: i64| {
            let start = midnight.plus_seconds(-back * DAY_SECONDS);
            (date(start), start, start.plus_seconds(DAY_SECONDS))
        };
        Self {
            days: (0..Self::DAYS).rev().map(day).collect(),
            month_start: midnight.plus_seconds(-i64::from(date(now).day0()) * DAY_SECONDS),
            week_start: now.plus_seconds(-7 * DAY_SECONDS),
            unused_since: now.plus_seconds(-90 * DAY_SECONDS),
            review_since: retention.review_since(now),
            prospect_delay_seconds,
            now,
        }
    }

    /// Whether a key is named as unused.
    #[must_use]
    pub fn is_unused(&self, key: &KeyRecord) -> bool {
        let is_live = key.revoked_at.is_none() && key.ends_at.is_none_or(|end| end > self.now);
        is_live && key.created_at <= self.unused_since && key.last_used_at.is_none_or(|time| time <= self.unused_since)
    }
}

/// The counts of the first page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overview {
    /// What came in on each day of the query.
    pub days: Vec<DayCounts>,
    /// Settlements that began in the month, up to 10,000, whose client gets letters.
    pub settlements_with_letters: u32,
    /// The others of them, whose client asked for none.
    pub settlements_without_letters: u32,
    /// Prospects that were added in the week and that the account sees, up to 10,000.
    pub new_prospects: u32,
    /// What waits for review, up to 10,000.
    pub waiting: u32,
    /// Undecided pairs of clients that may be one person.
    pub similar: u32,
    /// Live keys that were not used for ninety days, oldest first.
    pub unused_keys: Vec<KeyRecord>,
}

/// What came in on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayCounts {
    /// The day.
    pub day: NaiveDate,
    /// Each source of which something came, in the order of kinds and names.
    pub sources: Vec<DaySource>,
}

/// What came in from one source on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DaySource {
    /// What kind of source it is.
    pub kind: SourceKind,
    /// The label of the key, or the end of a key without one; the name of the file; the email of the person. `None` for
    /// the operator, and where the import or login is gone.
    pub name: Option<String>,
    /// What came.
    pub counts: SourceCounts,
}

/// From where clients come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceKind {
    /// An API key.
    Key,
    /// A file that a person sent.
    Import,
    /// A person in the console.
    Person,
    /// The operator.
    Operator,
}

impl SourceKind {
    /// Every kind, in the order in which a day shows them.
    pub const ALL: [Self; 4] = [Self::Key, Self::Import, Self::Person, Self::Operator];
}

/// How many clients one source created and changed. A client that changes twice counts twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceCounts {
    /// New clients.
    pub created: u32,
    /// Changes of clients.
    pub changed: u32,
}
