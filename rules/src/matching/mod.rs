//! Whether two records are one person: what is compared, and in which form (rules M1 to M25).
//!
//! A match key is folded from a record's fields: a name, a street with its unit, the first five digits of a ZIP.
//! Stores index 53-bit hashes of name, street and unit, which are exact in a JavaScript number. A hash only
//! finds candidates. The rules compare the folded texts themselves.
//!
//! Merging two different people is the worst error, so doubtful cases do not match.

mod fold;
mod hash;
mod match_key;
mod street;

pub use fold::fold_name;
pub use hash::{PersonHash, hashes_of_full_name};
pub use match_key::{MatchKey, line2_differs, same_person};
pub use street::{StreetParts, fold_street, unit_of_line2};

pub(crate) use fold::is_apostrophe;
pub(crate) use match_key::fold_line2;
pub(crate) use street::standard_unit;
