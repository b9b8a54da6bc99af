//! The report of `--json`: one object, written while the file is read.

use std::{
    io::{BufWriter, StdoutLock, Write},
    path::Path,
};

use matterbook_core::{
    chrono::NaiveDate,
    client::{SentValue, StoredValue},
};
use matterbook_import::{
    check::{Check, Finding, FindingKind},
    mapping::{Column, Mapping, Use, joined_with, where_empty},
    records::{FileKind, Record, Records},
};
use serde_json::{Value, json};

use super::Report;

/// Writes `{"check":{"file",…,"findings":[…],"columns":[…],"summary":{…},"broken_off"}}`. The columns come
/// after the findings, because any line of a file of objects may add one.
pub(super) struct JsonReport<W: Write> {
    output: W,
    file: String,
    has_findings: bool,
}

impl JsonReport<BufWriter<StdoutLock<'static>>> {
    pub(super) fn new(file: &Path) -> Self {
        Self::to(BufWriter::new(std::io::stdout().lock()), file)
    }
}

impl<W: Write> JsonReport<W> {
    fn to(output: W, file: &Path) -> Self {
        Self { output, file: file.display().to_string(), has_findings: false }
    }
}

/// Write errors are ignored: the reader may have closed the pipe. The exit status still tells the result.
impl<W: Write> Report for JsonReport<W> {
    fn begin(&mut self, records: &Records) {
        let sheet = records.sheet().map(|sheet| sheet.name.as_str());
        let (file, kind) = (json!(self.file), json!(kind_name(records.kind())));
        let _ = write!(
            self.output,
            "{{\"check\":{{\"file\":{file},\"kind\":{kind},\"sheet\":{},\"rows_above_header\":{},\"findings\":[",
            json!(sheet),
            json!(records.titles()),
        );
    }

    fn finding(&mut self, finding: &Finding, _: &Record, _: &Mapping) {
        let separator = if std::mem::replace(&mut self.has_findings, true) { ",\n" } else { "\n" };
        let _ = write!(self.output, "{separator}{}", finding_json(finding));
    }

    fn end(&mut self, records: &Records, check: &Check, broken_off: Option<&str>) {
        let columns: Vec<Value> = records.mapping().columns().iter().map(column_json).collect();
        let _ = writeln!(
            self.output,
            "\n],\"columns\":{},\"several_settled_dates\":{},\"hidden_rows\":{},\"left_out_rows\":{},\
             \"summary\":{},\"broken_off\":{}}}}}",
            Value::from(columns),
            Value::from(check.settled_dates().several().map(|rows| several_json(&rows)).collect::<Vec<_>>()),
            records.left_out().hidden,
            records.left_out().rows(),
            check.summary().json(),
            json!(broken_off),
        );
        let _ = self.output.flush();
    }
}

const fn kind_name(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Delimited => "csv",
        FileKind::Workbook => "xlsx",
        FileKind::JsonLines => "ndjson",
    }
}

fn column_json(column: &Column) -> Value {
    let (field, use_name, note) = match &column.used_as {
        Use::Target(target) => (Some(target.name()), "field", None),
        Use::Fallback(target, better) => (Some(target.name()), "if_empty_before", Some(where_empty(better))),
        Use::Beaten(target, better) => (None, "other_column", Some(format!("{better} is used as {}", target.name()))),
        Use::Joined(target, others) => (Some(target.name()), "joined", Some(joined_with(others))),
        Use::Known(reason) => (None, "known", Some((*reason).to_owned())),
        Use::LeftOut => (None, "left_out", None),
        Use::Unknown => (None, "unknown", None),
    };
    json!({"header": column.header, "field": field, "use": use_name, "note": note})
}

fn several_json(dates: &[(u64, NaiveDate)]) -> Value {
    let (rows, dates): (Vec<u64>, Vec<String>) = dates.iter().map(|(row, date)| (*row, date.to_string())).unzip();
    json!({"rows": rows, "settled_on": dates})
}

fn finding_json(finding: &Finding) -> Value {
    let mut json = json!({"row": finding.row, "status": finding.what.status().name()});
    let mut add = |name: &str, value: Value| json[name] = value;
    match &finding.what {
        FindingKind::Repair(repair) => {
            add("field", repair.field.name().into());
            add(
                "from",
                match &repair.from {
                    SentValue::Text(text) => text.as_str().into(),
                    SentValue::Number(digits) => digits.as_str().into(),
                },
            );
            add(
                "to",
                match &repair.to {
                    StoredValue::Text(text) => text.as_str().into(),
                    StoredValue::Bool(value) => (*value).into(),
                },
            );
        }
        FindingKind::Duplicate { of_row, matched_by, line2_differs } => {
            add("with_row", (*of_row).into());
            add("matched_by", (*matched_by).into());
            if *line2_differs {
                add("note", "line 2 differs".into());
            }
        }
        FindingKind::Similar { to_row, reasons } => {
            add("similar_to_row", (*to_row).into());
            add("reasons", reasons.iter().map(|reason| reason.name()).collect());
        }
        FindingKind::UpdateOnly => {}
        FindingKind::Conflict { with_row, message } => {
            add("with_row", (*with_row).into());
            add("message", message.as_str().into());
        }
        FindingKind::LeftOut(message) | FindingKind::Error(message) => add("message", message.as_str().into()),
    }
    json
}
