//! An event as a line.

use std::{
    fmt::{self, Debug, Write as _},
    io::Write as _,
};

use matterbook_core::platform::Platform as _;
use tracing::{
    Event,
    field::{Field, Visit},
};

use crate::{platform::SystemPlatform, settings::LogFormat};

/// Appends the line of an event, its end included.
pub(super) fn push(bytes: &mut Vec<u8>, format: LogFormat, event: &Event<'_>) {
    let (now, level) = (SystemPlatform::default().now(), event.metadata().level());
    // Writing to bytes in memory cannot fail, here and below.
    let _ = match format {
        LogFormat::Json => write!(bytes, "{{\"timestamp\":\"{now}\",\"level\":\"{level}\""),
        LogFormat::Text => write!(bytes, "{now} {level:>5}"),
    };
    event.record(&mut Fields { bytes, format });
    bytes.extend_from_slice(match format {
        LogFormat::Json => b"}\n",
        LogFormat::Text => b"\n",
    });
}

/// The fields of an event, the message first.
struct Fields<'b> {
    bytes: &'b mut Vec<u8>,
    format: LogFormat,
}

impl Fields<'_> {
    fn name(&mut self, field: &Field) {
        let name = field.name().as_bytes();
        match self.format {
            LogFormat::Json => {
                self.bytes.extend_from_slice(b",\"");
                self.bytes.extend_from_slice(name);
                self.bytes.extend_from_slice(b"\":");
            }
            LogFormat::Text => {
                self.bytes.push(b' ');
                if name != b"message" {
                    self.bytes.extend_from_slice(name);
                    self.bytes.push(b'=');
                }
            }
        }
    }

    /// A number or a truth value.
    fn plain(&mut self, field: &Field, value: impl fmt::Display) {
        self.name(field);
        let _ = write!(self.bytes, "{value}");
    }

    fn quoted(&mut self, value: fmt::Arguments<'_>) {
        self.bytes.push(b'"');
        let _ = Escaped { bytes: self.bytes, escapes_quotes: true }.write_fmt(value);
        self.bytes.push(b'"');
    }
}

impl Visit for Fields<'_> {
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.plain(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.plain(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.plain(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        // JSON has no other numbers.
        if value.is_finite() {
            self.plain(field, value);
        } else {
            self.plain(field, "null");
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.name(field);
        self.quoted(format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.name(field);
        match self.format {
            LogFormat::Json => self.quoted(format_args!("{value:?}")),
            LogFormat::Text => {
                let _ = write!(Escaped { bytes: self.bytes, escapes_quotes: false }, "{value:?}");
            }
        }
    }
}

/// A text that cannot end its line, nor, within quotes, its string.
struct Escaped<'b> {
    bytes: &'b mut Vec<u8>,
    escapes_quotes: bool,
}

impl fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let needs_escape = |byte: u8| byte < b' ' || (self.escapes_quotes && matches!(byte, b'"' | b'\\'));
        let mut rest = text;
        while let Some((plain, escaped)) = rest.bytes().position(needs_escape).and_then(|at| rest.split_at_checked(at))
        {
            self.bytes.extend_from_slice(plain.as_bytes());
            let mut characters = escaped.chars();
            let _ = match characters.next() {
                Some(character @ ('"' | '\\')) => write!(self.bytes, "\\{character}"),
                Some('\n') => write!(self.bytes, "\\n"),
                Some(control) => write!(self.bytes, "\\u{:04x}", u32::from(control)),
                None => Ok(()),
            };
            rest = characters.as_str();
        }
        self.bytes.extend_from_slice(rest.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tracing::{
        Metadata, Subscriber,
        span::{Attributes, Id, Record},
    };

    use super::*;

    /// Collects lines instead of writing them.
    struct Collected(LogFormat, Arc<Mutex<Vec<u8>>>);

    impl Subscriber for Collected {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn event(&self, event: &Event<'_>) {
            push(&mut self.1.lock().unwrap(), self.0, event);
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    /// The lines of what is logged within `work`, each without its time.
    fn lines(format: LogFormat, work: impl FnOnce()) -> Vec<String> {
        let bytes = Arc::default();
        tracing::subscriber::with_default(Collected(format, Arc::clone(&bytes)), work);
        let text = String::from_utf8(bytes.lock().unwrap().clone()).unwrap();
        assert!(text.ends_with('\n'));
        let without_time = |line: &str| {
            let at = line.find("Z").unwrap() - "2026-01-05T08:00:00.000000".len();
            format!("{}{}", &line[..at], &line[at + "2026-01-05T08:00:00.000000Z".len()..])
        };
        text.lines().map(without_time).collect()
    }

    fn log_some() {
        tracing::info!(%true, number = -1, status = 200_u64, took = 0.25, lost = f64::NAN, none = None::<u64>, "request");
        tracing::error!(cause = "a \"word\"\nand \\ another\u{1}", "failed: {}", "said\ntwice");
        tracing::warn!(error = %"not \"this\"", method = Some("GET"));
    }

    #[test]
    fn an_event_is_one_json_object_whatever_its_words() {
        assert_eq!(
            lines(LogFormat::Json, log_some),
            [
                r#"{"timestamp":"","level":"INFO","message":"request","true":"true","number":-1,"status":200,"took":0.25,"lost":null}"#,
                r#"{"timestamp":"","level":"ERROR","message":"failed: said\ntwice","cause":"a \"word\"\nand \\ another\u0001"}"#,
                r#"{"timestamp":"","level":"WARN","error":"not \"this\"","method":"GET"}"#,
            ]
        );
    }

    #[test]
    fn an_event_is_one_line_for_people_whatever_its_words() {
        assert_eq!(
            lines(LogFormat::Text, log_some),
            [
                r#"  INFO request true=true number=-1 status=200 took=0.25 lost=null"#,
                r#" ERROR failed: said\ntwice cause="a \"word\"\nand \\ another\u0001""#,
                r#"  WARN error=not "this" method="GET""#,
            ]
        );
    }
}
