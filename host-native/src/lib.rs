//! Matterbook on one machine: the service, with warp in front of one SQLite file, and the command line.
//!
//! The rules are in `matterbook-core`, the SQL in `matterbook-store-sql`. This package adds what they leave
//! to a host: `http` the sockets, `database` the file, `cli` the commands, and the clock, the rate limiter's
//! memory, the log and the metrics. The package matches no path, parses no body, chooses no status and
//! writes no query.

mod api_client;
mod cli;
mod comparison;
pub mod database;
mod durable_file;
pub mod http;
mod in_process;
mod instance_lock;
pub mod key_secret_file;
pub mod log;
pub mod metrics;
pub mod platform;
pub mod private_file;
mod pull;
mod push;
pub mod rate_limiter;
mod request_body;
mod service;
pub mod settings;
mod visible;

pub use cli::run;
pub use in_process::InProcess;
pub use service::{Service, StartError, require_room};

use service::NativeApi;
