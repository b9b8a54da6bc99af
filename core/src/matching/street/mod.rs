//! Streets as they are compared: in their USPS Publication 28 form, for comparing only (design
//! section 5).
//!
//! A word is replaced by its standard abbreviation only where it cannot be anything else: a suffix
//! only at the end of the street, a directional only where a street name remains, a unit's
//! designator only before its number. Words never change places, and none is dropped but the
//! number sign beside a designator. So two streets become equal only by spelling.

mod delivery;
mod designator;
mod directional;
mod line;
mod suffix;
mod table;
mod unit;
mod word;
mod words;

use smol_str::SmolStr;

use super::fold::text;

/// A street address as it is compared: in lower case, in its USPS Publication 28 form. It is empty
/// when nothing remains.
///
/// ```
/// use matterbook_core::matching::fold_street;
/// assert_eq!(fold_street("77 North Main Street, Apartment #4"), "77 n main st apt 4");
/// assert_eq!(fold_street("P.O. Box 12"), fold_street("Post Office Box 12"));
/// assert_ne!(fold_street("123 E St"), fold_street("123 East St"));
/// assert_ne!(fold_street("112-10 Bronx Rd"), fold_street("11210 Bronx Rd"));
/// ```
#[must_use]
pub fn fold_street(address: &str) -> SmolStr {
    let mut street = Vec::with_capacity(address.len() + 4);
    fold_street_into(address, &mut Vec::with_capacity(address.len() + 4), &mut street);
    text(&street)
}

/// Adds the folded street to `street`, which is empty; `room` is where its words are made.
pub(super) fn fold_street_into(address: &str, room: &mut Vec<u8>, street: &mut Vec<u8>) {
    room.clear();
    words::add_plain(address, room);
    let mut words = words::split(room);
    if !delivery::standardize(&mut words) {
        line::standardize(&mut words);
    }
    for word in words {
        if !street.is_empty() {
            street.push(b' ');
        }
        street.extend_from_slice(word.text);
    }
}
