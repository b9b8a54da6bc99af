//! The service on a disk that fails, fills up or loses power. The request gets a 500 and no partial commit
//! (rule U7). The service recovers without a restart once the disk has room. After a power loss, the data
//! of every 200 is there.
//!
//! A preloaded library simulates the disk, or the disk is a small one in memory, so the tests need Linux.

#![cfg(target_os = "linux")]

mod full;
mod library;
mod log;
mod power;
mod small;
mod sync;
