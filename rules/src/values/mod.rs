//! Values as types: a [`Zip`] is a ZIP code in its stored form, and nothing else.
//!
//! Each is made by the rule of its field, so it needs no further check. The texts are those of the rules,
//! without another allocation.
//!
//! ```
//! use matterbook_rules::{Phone, UsState, Zip};
//! let zip: Zip = "02134 1001".parse()?;
//! assert_eq!((zip.five_digits(), zip.plus_four()), ("02134", Some("1001")));
//! assert_eq!(UsState::try_from("W. Va.")?.name(), "West Virginia");
//! assert_eq!(Phone::read(6175550142_u64)?.unwrap().as_str(), "+16175550142");
//! # Ok::<(), matterbook_rules::normalize::Problem>(())
//! ```

mod text_value;
mod texts;
mod us_state;

pub use texts::{Email, ExternalId, Phone, Zip};
pub use us_state::UsState;
