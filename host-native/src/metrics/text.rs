//! The text format of Prometheus, version 0.0.4
//! (<https://prometheus.io/docs/instrumenting/exposition_formats/>).
//!
//! Names, labels and help are this program's own words. None has a line break, so quoting is all that they need.

use std::{
    fmt::{Display, Write as _},
    sync::atomic::{AtomicU64, Ordering},
};

use super::histogram::Histogram;

/// What the answer says that it is.
pub(super) const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

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

    /// A family with one sample that only grows.
    pub(super) fn counter(&mut self, name: &'static str, help: &str, count: &AtomicU64) {
        self.family(name, "counter", help);
        self.sample(&[], count.load(Ordering::Relaxed));
    }

    /// A sample of the family.
    pub(super) fn sample(&mut self, labels: &[(&str, &str)], value: impl Display) {
        self.line("", labels, None, value);
    }

    /// The samples of a histogram of the family.
    #[expect(clippy::cast_precision_loss, reason = "the format's numbers are floats")]
    pub(super) fn histogram(&mut self, labels: &[(&str, &str)], histogram: &Histogram) {
        let unit = histogram.unit;
        let mut total = 0;
        for (bound, count) in histogram.cumulative() {
            let bound = bound.map_or_else(|| "+Inf".to_owned(), |bound| (bound as f64 / unit).to_string());
            self.line("_bucket", labels, Some(&bound), count);
            total = count;
        }
        self.line("_sum", labels, None, histogram.sum() as f64 / unit);
        self.line("_count", labels, None, total);
    }

    fn line(&mut self, ending: &str, labels: &[(&str, &str)], bound: Option<&str>, value: impl Display) {
        let labels = labels.iter().copied().chain(bound.map(|bound| ("le", bound)));
        let labels: Vec<_> = labels.map(|(name, value)| format!("{name}={value:?}")).collect();
        let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        let _ = writeln!(self.lines, "{}{ending}{labels} {value}", self.name);
    }

    pub(super) fn into_string(self) -> String {
        self.lines
    }
}
