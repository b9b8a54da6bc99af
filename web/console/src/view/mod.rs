//! The pages: pure functions from what a session sees to HTML.

pub mod account;
pub mod activity;
pub mod change;
pub mod client;
pub mod clients;
pub mod help;
pub mod imports;
pub mod keys;
pub mod layout;
pub mod message;
pub mod overview;
pub mod passkeys;
pub mod people;
pub mod prospects;
pub mod review;
pub mod sign_in;
pub mod similar;

pub use layout::{Frame, Notice, Section};
