//! A client: its fields, and the rule of each (group N).

mod builder;
mod fields;
mod fingerprint;
mod input;
mod parse_error;
mod repair;
#[cfg(feature = "serde")]
mod serde_fields;

pub use builder::ClientFieldsBuilder;
pub use fields::{ClientFieldsOf, Field, UnknownField};
pub use fingerprint::Fingerprint;
pub use input::ClientInput;
pub use parse_error::{DO_NOT_MAIL_NOT_SAVED, Member, ParseError};
pub use repair::{Repair, SentValue, StoredValue, repair, stored_text, stored_value};

use smol_str::SmolStr;

/// The normalized fields of a client that owns its texts.
pub type ClientFields = ClientFieldsOf<SmolStr>;
