//! Reads and writes JSON.
//!
//! The reader makes one pass and copies nothing. It keeps every digit of a number and decodes a string
//! only when asked. `serde_json` reads a value into a type or skips it. A batch needs its clients read
//! one by one, each with its own errors, out of one body.

mod members;
mod scanner;
mod text;
mod write;

pub(crate) use members::{MemberOrder, Members, ObjectError, Values};
pub use scanner::{Malformed, Scanner};
pub(crate) use text::Text;
pub use write::push_text;
pub(crate) use write::{push_escaped, push_optional_text};
