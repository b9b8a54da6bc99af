//! Maps the columns of a file to the fields of a client or a prospect (rules F8 to F11 and P23).
//!
//! A column is recognized by its header, compared with the names that exports use (`synonyms/`) without
//! letter case, spaces and punctuation. Only whole names count: an unrecognized column is shown and left out,
//! which does less harm than a wrong mapping. If several columns fit one field, the best is used; for phones
//! and email addresses, the first that is not empty. `--map` overrides all of this.

mod advice;
mod assign;
#[cfg(test)]
mod crash_layouts;
mod explicit;
mod kept;
mod list_kind;
mod prospect_field;
mod synonyms;
mod target;

pub use assign::{Column, Mapping, Use, joined_with, where_empty};
pub use explicit::{HeaderMapping, MapError, listed};
pub use kept::KeptMapping;
pub use list_kind::ListKind;
pub use prospect_field::ProspectField;
pub(crate) use synonyms::is_recognized;
pub use target::Target;
