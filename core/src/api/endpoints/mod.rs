//! One endpoint a file.

mod cases_settled;
mod health;
mod list_clients;
mod list_prospects;
mod me;
mod open_api;
mod post_clients;
mod upsert_result;

pub(super) use health::health;
pub(super) use open_api::open_api;
pub use upsert_result::UpsertStatus;
