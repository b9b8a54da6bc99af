//! The text format of Prometheus, version 0.0.4
//! (<https://prometheus.io/docs/instrumenting/exposition_formats/>).
//!
//! Names, labels and help are this program's own words. None has a line break, so quoting is all that they need.

use std::fmt::{Display, Write as _};

use super::histogram::Histogram;

/// What the answer says that it is.
pub(super) const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

const NANOSECONDS_PER_SECOND: f64 = 1e9;

/// A page of metrics under way.
#[derive(Default)]
pub(super) struct Text {
    lines: String,
    /// Of the samples that are written next.
    name: &'static str,
}

impl Text {
    /// Begins a family; what is written next belongs to it.
    pub(super) fn family(&mut self, name: &'static str, kind: &str, help: &str) {
        self.name = name;
        // Writing to memory cannot fail, here and below.
        let _ = writeln!(self.lines, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    /// A family with one sample.
    pub(super) fn gauge(&mut self, name: &'static str, help: &str, value: impl Display) {
        self.family(name, "gauge", help);
        self.sample(&[], value);
    }

    /// A sample of the family.
    pub(super) fn sample(&mut self, labels: &[(&str, &str)], value: impl Display) {
        self.line("", labels, None, value);
    }

    /// A histogram of durations in nanoseconds, as seconds.
    pub(super) fn durations(&mut self, labels: &[(&str, &str)], histogram: &Histogram) {
        self.histogram(labels, histogram, NANOSECONDS_PER_SECOND);
    }

    /// A histogram of numbers.
    pub(super) fn sizes(&mut self, labels: &[(&str, &str)], histogram: &Histogram) {
        self.histogram(labels, histogram, 1.0);
    }

    #[expect(clippy::cast_precision_loss, reason = "the format's numbers are floats")]
    fn histogram(&mut self, labels: &[(&str, &str)], histogram: &Histogram, unit: f64) {
        for (bound, count) in &histogram.at_most {
            self.line("_bucket", labels, Some(&(*bound as f64 / unit).to_string()), count);
        }
        self.line("_bucket", labels, Some("+Inf"), histogram.count);
        self.line("_sum", labels, None, histogram.sum as f64 / unit);
        self.line("_count", labels, None, histogram.count);
    }

    fn line(&mut self, ending: &str, labels: &[(&str, &str)], bound: Option<&str>, value: impl Display) {
        let _ = write!(self.lines, "{}{ending}", self.name);
        let all = labels.iter().copied().chain(bound.map(|bound| ("le", bound)));
        let mut before = '{';
        for (name, value) in all {
            let _ = write!(self.lines, "{before}{name}={value:?}");
            before = ',';
        }
        if before == ',' {
            self.lines.push('}');
        }
        let _ = writeln!(self.lines, " {value}");
    }

    pub(super) fn into_string(self) -> String {
        self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_written_as_the_format_has_them() {
        let mut text = Text::default();
        text.family("asked_total", "counter", "Questions.");
        text.sample(&[("of", "a"), ("route", "/b/{c}")], 3);
        text.gauge("room_bytes", "Room.", 7);
        text.family("took_seconds", "histogram", "Time.");
        let histogram = Histogram { at_most: vec![(100_000, 1), (2_500_000_000, 2)], count: 4, sum: 12_500_000_000 };
        text.durations(&[("verb", "look")], &histogram);
        let expected = "\
# HELP asked_total Questions.
# TYPE asked_total counter
asked_total{of=\"a\",route=\"/b/{c}\"} 3
# HELP room_bytes Room.
# TYPE room_bytes gauge
room_bytes 7
# HELP took_seconds Time.
# TYPE took_seconds histogram
took_seconds_bucket{verb=\"look\",le=\"0.0001\"} 1
took_seconds_bucket{verb=\"look\",le=\"2.5\"} 2
took_seconds_bucket{verb=\"look\",le=\"+Inf\"} 4
took_seconds_sum{verb=\"look\"} 12.5
took_seconds_count{verb=\"look\"} 4
";
        assert_eq!(text.into_string(), expected);
    }
}
