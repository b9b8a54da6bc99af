//! The Matterbook service on one machine: warp in front, one SQLite file behind.
//!
//! The rules are in `matterbook-core`, the SQL in `matterbook-store-sql`. Here is what they leave
//! to a host: the socket, the file, the clock, the rate limit's memory and the log. Nothing here
//! matches a path, parses a body, chooses a status or writes a query. The commands, which start it and
//! speak to it, are the package `matterbook-command-line`.

mod claim;
pub mod database;
pub mod gate;
mod in_process;
pub mod log;
pub mod metrics;
pub mod platform;
pub mod private_file;
mod request_body;
pub mod server;
mod service;
pub mod settings;

pub use in_process::InProcess;
pub use service::{Service, StartError, require_room};

use service::NativeApi;
