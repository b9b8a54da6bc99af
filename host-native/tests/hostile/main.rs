//! Clients that mean harm, over raw sockets, against the whole service on a file: each is answered or cut
//! off within a stated time, others are served meanwhile, and the memory stays within a stated bound
//! (rules W1 to W5).
//!
//! The table, against the program with its own limits, in some five minutes:
//!
//! ```sh
//! cargo test --release -p matterbook --test hostile -- --ignored --nocapture table
//! ```

#[path = "../support/mod.rs"]
mod support;

mod attack;
mod cases;
mod memory;
mod target;
