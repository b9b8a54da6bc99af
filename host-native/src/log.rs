//! The log: one line an event on stderr, as text or as one JSON object (docs/operating.md, "Log").
//!
//! The thread that logs an event writes its line, by one `write`. A request's line is written before its
//! answer is sent, so the log of a killed process lacks no request that was answered.

use tracing::{Level, Subscriber};
use tracing_subscriber::fmt::MakeWriter;

use crate::settings::LogFormat;

/// Writes every event from now on.
pub fn start(format: LogFormat) {
    // It fails only where the process has a subscriber already, which takes the events then.
    let _ = tracing::subscriber::set_global_default(subscriber(format, std::io::stderr));
}

/// Makes a line of each event. A write that fails is ignored: the service goes on where its log is closed.
#[must_use]
pub fn subscriber<W>(format: LogFormat, writer: W) -> Box<dyn Subscriber + Send + Sync>
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt()
        .with_max_level(Level::INFO)
        .with_target(false)
        .log_internal_errors(false)
        .with_writer(writer);
    match format {
        LogFormat::Json => {
            Box::new(lines.json().flatten_event(true).with_current_span(false).with_span_list(false).finish())
        }
        LogFormat::Text => Box::new(lines.finish()),
    }
}
