//! The log: one line an event on stderr, as text or as one JSON object (docs/operating.md, "Log").
//!
//! A line costs a thread that answers requests little: it is written as the event comes, without the spans
//! and filters of a general subscriber, and goes out with the others that the thread has by the time it
//! rests.

mod json;
mod kept;
mod text;

use matterbook_core::platform::Platform as _;
use tracing::{Event, Level, Metadata, Subscriber, level_filters::LevelFilter, span};

pub use kept::write_kept;

use crate::{platform::SystemPlatform, settings::LogFormat};

/// The least of what is written down.
const LEVEL: Level = Level::INFO;
/// About the length of a request's line.
const LINE_BYTES: usize = 320;

/// Writes every event from now on.
pub fn start(format: LogFormat) {
    // Nothing else in this process takes events; where something does, it has them already.
    let _ = tracing::subscriber::set_global_default(Log { format });
}

/// Makes a line of each event.
struct Log {
    format: LogFormat,
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= LEVEL
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LEVEL.into())
    }

    fn event(&self, event: &Event<'_>) {
        let now = SystemPlatform::default().now();
        kept::keep(&match self.format {
            LogFormat::Json => json::line(now, event),
            LogFormat::Text => text::line(now, event),
        });
    }

    // No line says in which span it came.

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use matterbook_core::time::Timestamp;

    use super::*;

    /// Keeps what `write` makes of each event.
    struct Collected {
        write: fn(Timestamp, &Event<'_>) -> Vec<u8>,
        lines: Arc<Mutex<String>>,
    }

    impl Subscriber for Collected {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }
        fn event(&self, event: &Event<'_>) {
            let line = (self.write)(Timestamp::from_micros(1_700_000_000_000_001), event);
            self.lines.lock().unwrap().push_str(str::from_utf8(&line).unwrap());
        }
        fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
            span::Id::from_u64(1)
        }
        fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
        fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
        fn enter(&self, _: &span::Id) {}
        fn exit(&self, _: &span::Id) {}
    }

    /// The lines of a request and of a failure whose cause has two lines and quotes.
    fn lines(write: fn(Timestamp, &Event<'_>) -> Vec<u8>) -> String {
        let lines = Arc::<Mutex<String>>::default();
        tracing::subscriber::with_default(Collected { write, lines: Arc::clone(&lines) }, || {
            let (account, nobody) = (Some("a-1"), None::<&str>);
            tracing::info!(account, nobody, status = 200_u16, duration_ms = 0.125, "request");
            tracing::error!(route = %"/a", cause = "a \"b\"\nc", "request failed");
        });
        lines.lock().unwrap().clone()
    }

    #[test]
    fn an_event_is_one_json_object_on_one_line() {
        assert_eq!(
            lines(json::line),
            concat!(
                r#"{"timestamp":"2023-11-14T22:13:20.000001Z","level":"INFO","message":"request","account":"a-1","#,
                r#""status":200,"duration_ms":0.125}"#,
                "\n",
                r#"{"timestamp":"2023-11-14T22:13:20.000001Z","level":"ERROR","message":"request failed","#,
                r#""route":"/a","cause":"a \"b\"\nc"}"#,
                "\n",
            )
        );
    }

    #[test]
    fn an_event_is_one_line_of_text() {
        assert_eq!(
            lines(text::line),
            concat!(
                "2023-11-14T22:13:20.000001Z  INFO request account=\"a-1\" status=200 duration_ms=0.125\n",
                "2023-11-14T22:13:20.000001Z ERROR request failed route=/a cause=\"a \\\"b\\\"\\nc\"\n",
            )
        );
    }
}
