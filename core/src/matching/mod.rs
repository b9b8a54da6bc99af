//! Whether two records are one person: what is compared, and in which form (rules M1 to M25).
//!
//! The facts are folded from a record's fields: a name, a street, the first five digits of a ZIP.
//! Stores index two 53-bit hashes of them, which are exact in a JavaScript number. A hash only
//! finds candidates. The rules compare the folded texts themselves.
//!
//! Merging two different people is the worst error, so doubtful cases do not match.

mod facts;
mod fold;
mod hash;
mod identity;
mod street;

pub use facts::{Facts, same_person};
pub use fold::fold_name;
pub use hash::PersonHash;
pub use identity::identities;
pub use street::fold_street;

pub(crate) use fold::is_apostrophe;
