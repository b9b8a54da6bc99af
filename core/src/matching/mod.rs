//! Whether two records are one person: what is compared, and in which form (design section 5).
//!
//! The facts are folded from a record's fields: a name, a street, the first five digits of a ZIP.
//! Stores index two 53-bit hashes of them, which stay exact in a JavaScript number; a hash only
//! finds candidates, and the rules compare the folded texts themselves.

use crate::client::ClientFields;

/// The folded facts of one record, for comparing only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Facts {
    /// First and last name, each folded, in their own places; `None` when both fold to nothing.
    pub name: Option<String>,
    /// The street in its USPS Publication 28 form; `None` when it folds to nothing.
    pub street: Option<String>,
    /// The first five digits of the ZIP.
    pub zip5: Option<String>,
}

/// The two hashes under which a store finds a record again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PersonHash {
    /// Hash of the name, 0 to 2^53 − 1; `None` without a name.
    pub name: Option<i64>,
    /// Hash of street and ZIP, 0 to 2^53 − 1; `None` when either is missing.
    pub place: Option<i64>,
}
