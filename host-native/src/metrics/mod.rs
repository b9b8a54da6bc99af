//! What an operator may watch of a running service, as numbers (docs/operating.md, "Metrics").
//!
//! What answers requests counts in [`RequestMetrics`], what reads and writes the file in [`StoreMetrics`], by
//! relaxed additions. [`Page`] reads them, and asks the file and the system, only when it is scraped. Labels
//! are the program's own words, from tables that are here or in the core; nothing that a caller sent
//! becomes one.

mod histogram;
mod listener;
mod page;
mod process;
mod requests;
mod store;
mod text;

pub use listener::MetricsListener;
pub use page::Page;
pub use requests::RequestMetrics;
pub use store::StoreMetrics;
