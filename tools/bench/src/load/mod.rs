//! Sending requests, at as little cost as can be: the bytes are ready before the clock runs, and are
//! looked at after it stopped.

mod answer;
mod channel;
mod flood;
mod request;

pub use answer::{Answer, Malformed, read_answer};
pub use channel::Channel;
pub use flood::{Flood, Sent, flood};
pub use request::{get, post, send};
