//! The rule of each field, from the value sent to the value stored (rules N1 to N37).
//!
//! Each function takes a [`FieldValue`] and returns the normalized value, `None` for a blank one
//! (missing, `null`, empty, or only white space), or a [`Problem`]. A normalized value normalizes to
//! itself. No rule depends on a clock, a time zone or a locale.
//!
//! ```
//! use matterbook_rules::normalize::{self, FieldValue};
//! let zip = normalize::zip(&FieldValue::from(2134_i64));
//! assert_eq!(zip, Ok(Some("02134".into())));
//! ```

mod blank;
mod boolean;
mod dash;
mod date;
mod digits;
mod email;
mod external_id;
mod iso_date;
mod json_string;
mod phone;
mod problem;
#[cfg(feature = "serde")]
mod serde_value;
mod state;
mod state_table;
mod text;
mod value;
mod value_from;
mod zip;

pub use crate::client::Field;
pub use blank::trim;
pub use boolean::boolean;
pub use date::date;
pub use email::email;
pub use external_id::external_id;
pub use iso_date::{iso_date, parse_iso_date};
pub use phone::phone;
pub use problem::{Problem, ProblemKind};
pub use state::state;
pub use state_table::CODES as STATE_CODES;
#[cfg(feature = "proptest")]
pub(crate) use state_table::NAMES as STATE_NAMES;
pub use text::{address, text};
pub use value::FieldValue;
pub use zip::zip;

pub(crate) use dash::is_dash;
pub(crate) use state::listed_state;
