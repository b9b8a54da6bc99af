//! Whether two records are one person: [`matterbook_rules::matching`], and the digests that an erased client leaves.

mod identity;

pub use identity::{erased_identities, identities};
pub use matterbook_rules::matching::*;
