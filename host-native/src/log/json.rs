//! An event as a JSON object: its time and level, then its fields in their order.

use std::fmt::Debug;

use matterbook_core::time::Timestamp;
use serde::{Serialize, Serializer as _, ser::SerializeMap};
use tracing::{
    Event,
    field::{Field, Visit},
};

use super::LINE_BYTES;

/// The line of an event.
pub(super) fn line(now: Timestamp, event: &Event<'_>) -> Vec<u8> {
    let mut line = Vec::with_capacity(LINE_BYTES);
    // Nothing of this can fail: it writes to memory, and every value has a JSON form.
    if let Ok(members) = serde_json::Serializer::new(&mut line).serialize_map(None) {
        let mut members = Members(members);
        members.add("timestamp", &now);
        members.add("level", event.metadata().level().as_str());
        event.record(&mut members);
        let _ = members.0.end();
    }
    line.push(b'\n');
    line
}

/// The members of an object under way.
struct Members<M>(M);

impl<M: SerializeMap> Members<M> {
    fn add(&mut self, name: &str, value: &(impl Serialize + ?Sized)) {
        let _ = self.0.serialize_entry(name, value);
    }
}

impl<M: SerializeMap> Visit for Members<M> {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field.name(), &value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field.name(), &value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field.name(), &value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field.name(), &value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field.name(), value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.add(field.name(), &format_args!("{value:?}"));
    }
}
