//! Whether two records are one person: what is compared, and in which form (design section 5).
//!
//! The facts are folded from a record's fields: a name, a street, the first five digits of a ZIP.
//! Stores index two 53-bit hashes of them, which stay exact in a JavaScript number; a hash only
//! finds candidates, and the rules compare the folded texts themselves.
//!
//! To take two people for one is the worst error there is, so whatever is in doubt stays different.

mod facts;
mod fold;
mod hash;
mod identity;
mod room;
mod street;

pub use facts::{Facts, same_person};
pub use fold::fold_name;
pub use hash::PersonHash;
pub use identity::identities;
pub use street::fold_street;

pub(crate) use fold::is_apostrophe;
pub(crate) use room::Room;
