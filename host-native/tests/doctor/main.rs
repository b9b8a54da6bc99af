//! `matterbook doctor`: each finding, by making what it finds; and that it changes nothing (docs/operating.md,
//! "Doctor").

#[path = "../support/mod.rs"]
mod support;

mod examined;
mod files;
mod inside;
mod services;
mod settings;
