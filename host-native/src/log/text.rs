//! An event as text for people: its time, level and message, then its fields.

use std::{fmt::Debug, io::Write as _};

use matterbook_core::time::Timestamp;
use tracing::{
    Event,
    field::{Field, Visit},
};

use super::LINE_BYTES;

/// The line of an event.
pub(super) fn line(now: Timestamp, event: &Event<'_>) -> Vec<u8> {
    let mut words = Words(Vec::with_capacity(LINE_BYTES));
    // Writing to memory cannot fail.
    let _ = write!(words.0, "{now} {:>5}", event.metadata().level().as_str());
    event.record(&mut words);
    words.0.push(b'\n');
    words.0
}

/// The words of a line under way.
struct Words(Vec<u8>);

impl Visit for Words {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = match field.name() {
            "message" => write!(self.0, " {value:?}"),
            name => write!(self.0, " {name}={value:?}"),
        };
    }
}
