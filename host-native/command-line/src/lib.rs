//! The command line of Matterbook.
//!
//! `serve` starts the service of `matterbook-service`; the operator's commands are requests of its API,
//! in this process or over HTTP. The commands for callers are here too: they read files of clients and
//! speak to a service as any caller does. Of what runs for each request nothing is here: this package is
//! compiled to be small.

mod api_client;
mod cli;
mod durable_file;
mod mapping;
mod pull;
mod push;
mod records;

pub use cli::run;
