#![doc = include_str!("../README.md")]
#![deny(missing_debug_implementations)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic))]

mod request_body;
mod response_body;
mod service;

pub use response_body::ResponseBody;
pub use service::{ApiService, BODY_TIMEOUT};
