//! Fuzzes cursors: any text is refused or is the canonical form of a cursor; every cursor is read back.

use matterbook_core::{
    cursor::{Cursor, Listing},
    store::{ClientFilter, Position},
    time::Timestamp,
};
use uuid::Uuid;

const LISTINGS: [Listing; 5] =
    [Listing::Clients, Listing::Prospects, Listing::Accounts, Listing::Settlements, Listing::Log];

/// Parses the bytes as a cursor, and makes a cursor of them.
///
/// # Panics
/// When an accepted text is not canonical, or when a cursor is not read back, is accepted for another listing
/// or account, or is accepted after one of its characters changed.
///
/// ```
/// matterbook_fuzz::cursor(b"WyJjIiwi");
/// ```
pub fn cursor(bytes: &[u8]) {
    if let Ok(text) = str::from_utf8(bytes) {
        for listing in LISTINGS {
            if let Ok(cursor) = Cursor::parse(text, listing, Uuid::nil()) {
                assert_eq!(cursor.to_text(), text);
            }
        }
    }
    let Some((numbers, rest)) = bytes.split_at_checked(24) else { return };
    let whole =
        |from: usize| numbers.get(from..from + 8).and_then(|bytes| bytes.try_into().ok()).map_or(0, i64::from_le_bytes);
    let choice = usize::from(numbers.first().copied().unwrap_or_default());
    let listing = LISTINGS.get(choice % LISTINGS.len()).copied().unwrap_or(Listing::Clients);
    let place = Position { at: Timestamp::from_micros(whole(0)), id: Uuid::from_u128(whole(8).unsigned_abs().into()) };
    let account = Uuid::from_u128(7);
    let made = Cursor {
        updated_since: (choice & 1 == 0).then(|| Timestamp::from_micros(whole(16))),
        filter: ClientFilter {
            external_id: str::from_utf8(rest).ok().filter(|_| choice & 2 == 0).map(Into::into),
            ..ClientFilter::default()
        },
        grants: str::from_utf8(rest).ok().filter(|_| choice & 4 == 0).map(Into::into),
        ..Cursor::new(listing, account, place)
    };
    let text = made.to_text();
    assert_eq!(Cursor::parse(&text, listing, account).as_ref(), Ok(&made));
    assert!(Cursor::parse(&text, listing, Uuid::nil()).is_err(), "another account's cursor is read");
    for other in LISTINGS.into_iter().filter(|other| *other != listing) {
        assert!(Cursor::parse(&text, other, account).is_err(), "another listing's cursor is read");
    }
    let changed = choice % text.len();
    let altered: String = text
        .char_indices()
        .map(|(at, kept)| {
            if at != changed {
                kept
            } else if kept == 'A' {
                'B'
            } else {
                'A'
            }
        })
        .collect();
    assert!(Cursor::parse(&altered, listing, account).is_err(), "an altered cursor is read");
}
