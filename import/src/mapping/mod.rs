//! Which column of a file is which field of a client.
//!
//! The header tells: it is compared without letter case, spaces and punctuation with the names that
//! exports use ([`synonyms`]). Only whole names count, never parts of them: a column that is not
//! recognized is shown and left out, which costs less than one that is recognized wrongly. Where
//! several columns could be one field, the best one is used; of phones and email addresses the first
//! that is not empty. What a person says with `--map` comes before all that.

mod assign;
mod explicit;
mod synonyms;
mod target;

pub use assign::{Column, Mapping, Use};
pub use explicit::{HeaderMapping, MapError, listed};
pub(crate) use synonyms::is_recognized;
pub use target::Target;
