//! Whether two records are one person: what is compared, and in which form (rules M1 to M25).
//!
//! A match key is folded from a record's fields: a name, a street, the first five digits of a ZIP.
//! Stores index 53-bit hashes of name and street, which are exact in a JavaScript number. A hash only
//! finds candidates. The rules compare the folded texts themselves.
//!
//! Merging two different people is the worst error, so doubtful cases do not match.

mod fold;
mod hash;
mod identity;
mod match_key;
mod street;

pub use fold::fold_name;
pub use hash::{PersonHash, hashes_of_full_name};
pub use identity::identities;
pub use match_key::{MatchKey, same_person};
pub use street::fold_street;

pub(crate) use fold::is_apostrophe;
