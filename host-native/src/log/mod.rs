//! The log: one line an event on stderr, as text or as one JSON object (docs/deploy-native.md, "Log").
//!
//! A line costs a thread that answers requests little: it is written with the others that the thread has
//! by the time it rests.

mod kept;

use std::io::IsTerminal as _;

pub(crate) use kept::write_kept;

use crate::settings::LogFormat;

/// Writes every event from now on.
pub(crate) fn start(format: LogFormat) {
    let is_terminal = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt().with_writer(|| kept::Line).with_target(false).with_ansi(is_terminal);
    match format {
        LogFormat::Json => log.json().flatten_event(true).init(),
        LogFormat::Text => log.init(),
    }
}
