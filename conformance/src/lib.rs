//! The suite that defines Matterbook: what every host answers on the wire.
//!
//! Not here: the rules themselves, and how a host is started.

pub mod wire;
