//! The Matterbook service on one machine.
fn main() {}
