//! `matterbook doctor`: each finding, by making what it finds; and that it changes nothing (docs/operating.md,
//! "Doctor").

mod examined;
mod files;
mod inside;
mod services;
mod settings;
