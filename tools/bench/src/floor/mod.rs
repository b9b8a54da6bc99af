//! The floors, each in its own process: a bare loop over rusqlite, a bare warp, bare sockets.

mod client_rows;
mod loops;
mod order;
mod pages;
mod schema;
mod sockets;
mod tables;
mod web;

pub use client_rows::{ClientRow, client_rows};
pub use loops::{BareBatch, Way, post_batches};
pub use order::{BareTables, Order, Taken, serve_orders};
pub use pages::Page;
pub use schema::{Tuning, open};
pub use sockets::{BareSockets, serve_sockets};
pub use tables::INSERT_CLIENT;
pub use web::{BareWeb, serve_web};
