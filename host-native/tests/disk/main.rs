//! The service on a disk that fails, fills, or loses power: a 500 and nothing half-saved, service again
//! without a restart once there is room, and whatever was answered 200 is there after the power comes back
//! (design section 8).
//!
//! The disk is a library that is loaded into the service before its own, so Linux is needed.

#![cfg(target_os = "linux")]

#[path = "../support/mod.rs"]
mod support;

mod full;
mod library;
mod power;
