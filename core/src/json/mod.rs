//! JSON in and out.
//!
//! It is read where it stands: one pass, nothing copied, a number with every digit and a string
//! decoded only where it is wanted. `serde_json` reads a value into a type or drops it; a batch needs its
//! clients read one by one, each with its own errors, out of a body that is read once.

mod members;
mod rows;
mod scanner;
mod text;
mod write;

pub(crate) use members::{MemberOrder, Members, ObjectError, Values};
pub use rows::{RowReader, rows};
pub(crate) use scanner::{Malformed, Scanner};
pub(crate) use text::{Text, unescaped};
pub(crate) use write::push_optional_text;
pub use write::{push_escaped, push_text};
