//! Reading JSON where it stands: one pass, nothing copied, a number with every digit and a string
//! decoded only where it is wanted. `serde_json` reads a value into a type or drops it; a batch needs its
//! clients read one by one, each with its own errors, out of a body that is read once.

mod members;
mod rows;
mod scanner;
mod text;

pub(crate) use members::{MemberOrder, Members, ObjectError, Values};
pub use rows::rows;
pub(crate) use scanner::{Malformed, Scanner};
pub(crate) use text::{Text, json_text, unescaped};
