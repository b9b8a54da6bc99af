//! The shape of the log's lines. Each event is one line and one `write`, so lines of two threads never mix.

use std::{io, sync::Arc};

use matterbook::{log::subscriber, settings::LogFormat};
use parking_lot::Mutex;

/// The bytes of each call of `write`.
#[derive(Clone, Default)]
struct Writes(Arc<Mutex<Vec<String>>>);

impl io::Write for Writes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().push(String::from_utf8_lossy(bytes).into_owned());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The writes for a request and for a failure whose cause has two lines and quotes, without their times.
fn writes(format: LogFormat) -> Vec<String> {
    let writes = Writes::default();
    let writer = writes.clone();
    tracing::subscriber::with_default(subscriber(format, move || writer.clone()), || {
        let (account, absent) = (Some("a-1"), None::<&str>);
        tracing::info!(account, absent, status = 200_u16, duration_ms = 0.125, "request");
        tracing::error!(route = %"/a", cause = "a \"b\"\nc", "request failed");
        tracing::debug!("not logged");
    });
    let lines = writes.0.lock();
    let without_time = |line: &String| {
        let (before, rest) = line.split_once("20").expect("a year");
        let (_, after) = rest.split_once('Z').expect("the end of a time in UTC");
        format!("{before}{after}")
    };
    lines.iter().map(without_time).collect()
}

#[test]
fn an_event_is_one_json_object_on_one_line_by_one_write() {
    let expected = [
        r#"{"timestamp":"","level":"INFO","message":"request","account":"a-1","status":200,"duration_ms":0.125}"#,
        r#"{"timestamp":"","level":"ERROR","message":"request failed","route":"/a","cause":"a \"b\"\nc"}"#,
    ];
    assert_eq!(writes(LogFormat::Json), expected.map(|line| format!("{line}\n")));
}

#[test]
fn an_event_is_one_line_of_text_by_one_write() {
    let expected = [
        r#"  INFO request account="a-1" status=200 duration_ms=0.125"#,
        r#" ERROR request failed route=/a cause="a \"b\"\nc""#,
    ];
    assert_eq!(writes(LogFormat::Text), expected.map(|line| format!("{line}\n")));
}
