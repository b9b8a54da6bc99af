//! The endpoints, one in each file.

mod cases_settled;
pub(in crate::api) mod client_filter;
pub(in crate::api) mod client_history;
mod front_page;
mod health;
pub(in crate::api) mod list_clients;
mod list_prospects;
mod me;
mod post_clients;
mod results;
mod show_client;
mod upsert_status;

pub(super) use front_page::front_page;
pub(super) use health::health;
pub(super) use results::{ResultsWriter, message};
pub use upsert_status::UpsertStatus;
