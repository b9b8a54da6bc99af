//! Folds streets to their USPS Publication 28 form, for comparison only (rules M12 to M25 and M35).
//!
//! A word is replaced by its standard abbreviation only where it is unambiguous: a suffix after the first word
//! of the name, a directional where a street name remains, a unit's designator before its
//! number. Words keep their order, and only the number sign after a designator is dropped. So two
//! different streets never become equal.

mod delivery;
mod designator;
mod directional;
mod highway;
mod line;
mod parts;
mod suffix;
mod table;
mod unit;
mod word;
mod words;

pub(crate) use parts::standard_unit;
pub use parts::{StreetParts, unit_of_line2};

use alloc::vec::Vec;

use smol_str::SmolStr;

use super::fold::text;
use word::Word;

/// A street address as it is compared: in lower case, in its USPS Publication 28 form. It is empty
/// when nothing remains.
///
/// ```
/// use matterbook_rules::matching::fold_street;
/// assert_eq!(fold_street("77 North Main Street, Apartment #4"), "77 n main st apt 4");
/// assert_eq!(fold_street("P.O. Box 12"), fold_street("Post Office Box 12"));
/// assert_ne!(fold_street("123 E St"), fold_street("123 East St"));
/// assert_ne!(fold_street("112-10 Bronx Rd"), fold_street("11210 Bronx Rd"));
/// ```
#[must_use]
#[doc(alias = "normalize address")]
#[doc(alias = "standardize address")]
#[doc(alias = "USPS Publication 28")]
pub fn fold_street(address: &str) -> SmolStr {
    let mut plain = Vec::with_capacity(address.len() + 4);
    words::add_plain(address, true, &mut plain);
    let mut words = words::split(&plain);
    standardize(&mut words);
    joined(words.iter())
}

/// Standardizes the words of an address. Returns the number of words before its units.
fn standardize(words: &mut Vec<Word<'_>>) -> usize {
    if delivery::standardize(words) { words.len() } else { line::standardize(words) }
}

/// The words as one text.
fn joined<'a>(words: impl Iterator<Item = &'a Word<'a>>) -> SmolStr {
    let mut joined = Vec::with_capacity(64);
    for word in words {
        if !joined.is_empty() {
            joined.push(b' ');
        }
        joined.extend_from_slice(word.text);
    }
    text(&joined)
}
