//! One endpoint a file.

mod cases_settled;
mod health;
mod list_clients;
mod list_prospects;
mod me;
mod post_clients;
mod upsert_result;

pub(super) use health::health;
