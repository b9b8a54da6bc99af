//! Cursors: a position in a listing as opaque, URL-safe text (rules C1 to C8).
//!
//! A cursor carries its listing, its account, its filters and a checksum, in one canonical
//! spelling, so an altered or foreign cursor is detected. It needs no secret and no state: it never
//! expires and survives a restart and a move between machines. It grants no access: every query is
//! bound to the account of the key.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use smol_str::SmolStr;
use uuid::Uuid;

use crate::{
    account::Grant,
    json::Scanner,
    normalize::FieldValue,
    order,
    store::{ClientFilter, ClientPair, Position, SimilarFilter},
    time::Timestamp,
};

/// Which listing a cursor belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    /// `GET /clients`.
    Clients,
    /// `GET /prospects`.
    Prospects,
    /// The operator's accounts.
    Accounts,
    /// The operator's settlements feed.
    Settlements,
    /// The operator's log.
    Log,
    /// The operator's list of clients.
    FoundClients,
    /// The history of a client.
    History,
    /// What waits for review.
    Review,
    /// Possible duplicates.
    Similar,
}

impl Listing {
    const fn tag(self) -> &'static str {
        match self {
            Self::Clients => "c",
            Self::Prospects => "p",
            Self::Accounts => "a",
            Self::Settlements => "s",
            Self::Log => "l",
            Self::FoundClients => "f",
            Self::History => "h",
            Self::Review => "r",
            Self::Similar => "d",
        }
    }
}

/// A position in one listing of one account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Which listing.
    pub listing: Listing,
    /// The account; nil in the operator's listings that span accounts.
    pub account: Uuid,
    /// After which row.
    pub position: Position,
    /// Of `GET /clients`, the moment that the last page showed. The next page shows no earlier one (rule V5).
    pub seen_until: Option<Timestamp>,
    /// The `updated_since` filter of `GET /clients`.
    pub updated_since: Option<Timestamp>,
    /// The filters of a list of clients, but for `id`, which no cursor has.
    pub filter: ClientFilter,
    /// The fingerprint of the account's grants, of `GET /prospects`.
    pub grants: Option<String>,
}

/// The text is not a cursor of that listing and account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cursor is not one that this listing of this account gave; start again without a cursor")]
pub struct CursorError;

#[derive(Serialize)]
struct Wire(String, Uuid, i64, Uuid, Option<i64>, Option<i64>, Filters, Option<String>);

/// `external_id`, `email`, `phone` and `name`; nothing where none is given.
type Filters = Option<[Option<SmolStr>; 4]>;

const CHECKSUM_BYTES: usize = 12;

/// The filters of the list of possible duplicates.
const PAIR_FLAGS: [(&str, SimilarFilter); 4] = [
    ("open", SimilarFilter { decided: false, letters: false }),
    ("open letters", SimilarFilter { decided: false, letters: true }),
    ("decided", SimilarFilter { decided: true, letters: false }),
    ("decided letters", SimilarFilter { decided: true, letters: true }),
];

impl Cursor {
    /// A cursor without filters.
    #[must_use]
    pub fn new(listing: Listing, account: Uuid, position: Position) -> Self {
        let filter = ClientFilter::default();
        Self { listing, account, position, seen_until: None, updated_since: None, filter, grants: None }
    }

    /// A cursor of the list of possible duplicates: after a pair, with the list's filter. The position has the first
    /// client, and the filter of clients the second one and the flags.
    #[must_use]
    pub fn of_pair(account: Uuid, pair: ClientPair, filter: SimilarFilter) -> Self {
        let [client, other] = pair.ids();
        let flags =
            SmolStr::new_static(PAIR_FLAGS.iter().find(|(_, flags)| *flags == filter).map_or("", |(name, _)| *name));
        let filter = ClientFilter {
            external_id: Some(SmolStr::new(other.to_string())),
            name: Some(flags),
            ..ClientFilter::default()
        };
        let position = Position { at: Timestamp::default(), id: client };
        Self { filter, ..Self::new(Listing::Similar, account, position) }
    }

    /// The pair and the filter of a cursor that [`Cursor::of_pair`] made.
    ///
    /// ```
    /// use matterbook_core::{cursor::Cursor, store::{ClientPair, SimilarFilter}, uuid::Uuid};
    /// let (pair, filter) = (ClientPair::of(Uuid::nil(), Uuid::max()), SimilarFilter { letters: true, decided: false });
    /// assert_eq!(Cursor::of_pair(Uuid::nil(), pair, filter).pair(), Some((pair, filter)));
    /// ```
    #[must_use]
    pub fn pair(&self) -> Option<(ClientPair, SimilarFilter)> {
        let other = Uuid::try_parse(self.filter.external_id.as_deref()?).ok()?;
        let (_, filter) = PAIR_FLAGS.iter().find(|(name, _)| Some(*name) == self.filter.name.as_deref())?;
        Some((ClientPair::of(self.position.id, other), *filter))
    }

    /// The cursor as text.
    ///
    /// ```
    /// use matterbook_core::{cursor::{Cursor, Listing}, store::Position, time::Timestamp, uuid::Uuid};
    /// let place = Position { at: Timestamp::from_micros(5), id: Uuid::nil() };
    /// let cursor = Cursor::new(Listing::Clients, Uuid::nil(), place);
    /// let text = cursor.to_text();
    /// assert_eq!(Cursor::parse(&text, Listing::Clients, Uuid::nil()), Ok(cursor));
    /// assert!(Cursor::parse(&text, Listing::Prospects, Uuid::nil()).is_err());
    /// assert!(Cursor::parse(&text[1..], Listing::Clients, Uuid::nil()).is_err());
    /// ```
    #[must_use]
    pub fn to_text(&self) -> String {
        let wire = Wire(
            self.listing.tag().to_owned(),
            self.account,
            self.position.at.micros(),
            self.position.id,
            self.seen_until.map(Timestamp::micros),
            self.updated_since.map(Timestamp::micros),
            self.filters(),
            self.grants.clone(),
        );
        // Texts, numbers and ids always have a JSON form.
        let mut bytes = serde_json::to_vec(&wire).unwrap_or_default();
        bytes.extend(checksum(&bytes));
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a cursor of this listing and account.
    ///
    /// # Errors
    /// When the text is anything else, altered in any character, or belongs to another listing or
    /// account.
    pub fn parse(text: &str, listing: Listing, account: Uuid) -> Result<Self, CursorError> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| CursorError)?;
        let content_length = bytes.len().checked_sub(CHECKSUM_BYTES).ok_or(CursorError)?;
        let (content, sum) = bytes.split_at_checked(content_length).ok_or(CursorError)?;
        if checksum(content) != sum {
            return Err(CursorError);
        }
        let cursor = Self::read(content, listing, account).ok_or(CursorError)?;
        // Each cursor has one spelling, which also holds the listing and the account.
        if cursor.to_text() == text { Ok(cursor) } else { Err(CursorError) }
    }

    fn filters(&self) -> Filters {
        let ClientFilter { id: _, external_id, email, phone, name } = self.filter.clone();
        let filters = [external_id, email, phone, name];
        filters.iter().any(Option::is_some).then_some(filters)
    }

    fn read(content: &[u8], listing: Listing, account: Uuid) -> Option<Self> {
        let (mut values, mut filters) = (Vec::new(), Vec::new());
        let mut scanner = Scanner::new(str::from_utf8(content).ok()?);
        scanner
            .array(|scanner| {
                if scanner.peek() == Some(b'[') {
                    scanner.clone().array(|filter| {
                        filters.push(text(&filter.value()?).map(SmolStr::new));
                        Ok(())
                    })?;
                }
                values.push(scanner.value()?);
                Ok(())
            })
            .ok()?;
        let [_, _, at, id, seen_until, updated_since, _, grants] = <[_; 8]>::try_from(values).ok()?;
        let [external_id, email, phone, name] = filters.try_into().unwrap_or_default();
        Some(Self {
            listing,
            account,
            position: Position { at: time(&at)?, id: Uuid::try_parse(text(&id)?).ok()? },
            seen_until: time(&seen_until),
            updated_since: time(&updated_since),
            filter: ClientFilter { id: None, external_id, email, phone, name },
            grants: text(&grants).map(str::to_owned),
        })
    }
}

fn text<'v>(value: &'v FieldValue<'_>) -> Option<&'v str> {
    if let FieldValue::Text(text) = value { Some(text) } else { None }
}

fn time(value: &FieldValue<'_>) -> Option<Timestamp> {
    if let FieldValue::Number(token) = value { token.parse().ok().map(Timestamp::from_micros) } else { None }
}

/// A fingerprint of an account's grants. It changes with any change of them (rule C7).
#[must_use]
pub fn grants_fingerprint(grants: &[Grant]) -> String {
    let mut grants: Vec<_> = grants.iter().collect();
    order::sort_by(&mut grants, Ord::cmp);
    let mut digest = Sha256::new();
    for grant in grants {
        digest.update(format!("{} {};", grant.fips, grant.from_date));
    }
    URL_SAFE_NO_PAD.encode(digest.finalize().get(..CHECKSUM_BYTES).unwrap_or_default())
}

fn checksum(content: &[u8]) -> Vec<u8> {
    let mut digest = Sha256::new();
    digest.update(b"matterbook cursor\0");
    digest.update(content);
    digest.finalize().get(..CHECKSUM_BYTES).unwrap_or_default().to_vec()
}
