//! The log: one line an event on stderr, as text or as one JSON object (docs/deploy-native.md, "Log").
//!
//! A line costs a thread that answers requests little: it is put together at once, and written with the
//! others that the thread has by the time it rests.

mod kept;
mod line;

use tracing::{
    Event, Metadata, Subscriber,
    level_filters::LevelFilter,
    span::{Attributes, Id, Record},
};

pub(crate) use kept::write_kept;

use crate::settings::LogFormat;

/// Writes every event from now on.
pub(crate) fn start(format: LogFormat) {
    // Only where the program that this is a part of has a log already; then it is that one's.
    let _ = tracing::subscriber::set_global_default(Lines { format });
}

/// Every event of the service's own and of what it is made of, from `INFO` up.
struct Lines {
    format: LogFormat,
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && *metadata.level() <= LevelFilter::INFO
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::INFO)
    }

    fn event(&self, event: &Event<'_>) {
        kept::keep(|bytes| line::push(bytes, self.format, event));
    }

    // Nothing here has spans: a request's facts are together in its one event.
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}
