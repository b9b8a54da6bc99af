//! Matterbook on one machine: warp in front, one SQLite file behind, and the command line.
//!
//! The rules are in `matterbook-core`, the SQL in `matterbook-store-sql`. Here is what they leave
//! to a host: the socket, the file, the clock, the rate limit's memory and the log. Nothing here
//! matches a path, parses a body, chooses a status or writes a query. The commands for callers of the
//! API are here too: they read files of clients and speak to a service as any caller does.

mod api_client;
mod claim;
pub mod cli;
pub mod database;
mod durable_file;
pub mod gate;
mod log;
mod mapping;
pub mod metrics;
pub mod platform;
mod pull;
mod push;
mod records;
pub mod server;
pub mod service;
pub mod settings;
