//! Clients that mean harm, over raw sockets, against the whole service on a file: each is answered or cut
//! off within a stated time, others are served meanwhile, and the memory stays within a stated bound
//! (rules W1 to W5, W15 and W16).
//!
//! The table, against the program with its own limits, in some five minutes:
//!
//! ```sh
//! cargo test --release -p matterbook --test native hostile::cases -- --ignored --nocapture
//! ```
//!
//! The slow readers for three minutes, where the gate has some seconds:
//!
//! ```sh
//! SLOW_READERS_SECONDS=180 cargo test --release -p matterbook --test native hostile::slow_readers -- --nocapture
//! ```

mod attack;
mod cases;
mod meanwhile;
mod memory;
mod slow_readers;
mod target;
