//! What the first reading of a file found, as `matterbook check` finds it.

use matterbook_import::{
    check::{Check, FindingKind, Judged, Kinds, Problems, Status, change, count},
    mapping::Mapping,
    records::{Record, Records},
};
use serde_json::{Value, json};

use crate::words::{label, plain};

/// How many clients with several settled dates are named.
const SHOWN: usize = 10;

/// Gathers the findings row by row.
#[derive(Debug, Default)]
pub(crate) struct Report {
    problems: Problems,
    repairs: Kinds,
}

impl Report {
    pub(crate) fn add(&mut self, record: &Record, judged: &Judged, mapping: &Mapping) {
        for finding in &judged.findings {
            match &finding.what {
                FindingKind::Repair(repair) => self.repairs.add(finding.row, repair),
                FindingKind::Error(message) | FindingKind::LeftOut(message) | FindingKind::Conflict { message, .. } => {
                    self.problems.add(finding.what.status(), record, message, mapping);
                }
                FindingKind::Duplicate { .. } | FindingKind::Similar { .. } | FindingKind::UpdateOnly => {}
            }
        }
    }

    /// `{"rows","lines":[[status, sentence]],"problems","more_problems","repairs","settled","several_dates","notes",
    /// "column_of_several_numbers","refused"}`
    pub(crate) fn json(mut self, check: &Check, records: &Records) -> Value {
        let summary = check.summary();
        let lines: Vec<Value> =
            summary.lines().into_iter().map(|(status, line)| json!([status.name(), line])).collect();
        let repairs = self.repairs.take().into_iter().flat_map(|(field, found)| {
            let field = label(matterbook_import::mapping::Target::Field(field));
            let others = (found.others > 0).then(|| json!({"field": field, "more": found.others}));
            let kind = move |kind: &matterbook_import::check::Kind| {
                json!({"field": field, "row": kind.row, "change": change(&kind.first), "more": kind.more})
            };
            found.kinds.iter().map(kind).collect::<Vec<_>>().into_iter().chain(others)
        });
        let settled = check.settled_dates().extent();
        let several = check.column_of_several_numbers(records.mapping());
        json!({
            "rows": summary.rows,
            "refused": summary.errors + summary.conflicts,
            "lines": lines,
            "problems": problems(&self.problems, records.mapping()),
            "more_problems": self.problems.others,
            "repairs": repairs.collect::<Vec<_>>(),
            "settled": settled.map(|(clients, first, last)| json!({"clients": clients, "first": first, "last": last})),
            "several_dates": check.settled_dates().lines(SHOWN),
            "notes": notes(check, records),
            "column_of_several_numbers": several.map(|(rows, header)| json!({"rows": rows, "header": header})),
        })
    }
}

/// The kinds of problems, errors first, each with the cells to correct.
pub(crate) fn problems(problems: &Problems, mapping: &Mapping) -> Vec<Value> {
    let of = |status: Status| problems.kinds().iter().filter(move |kind| kind.status == status);
    let kinds = [Status::Error, Status::Conflict, Status::Incomplete].into_iter().flat_map(of);
    kinds
        .map(|kind| {
            let column = kind.cells.first().map(|cell| cell.column);
            let header = column.and_then(|column| Some(mapping.columns().get(column)?.header.as_str()));
            let cells: Vec<Value> = kind.cells.iter().map(|cell| json!([cell.row, cell.column, cell.value])).collect();
            json!({
                "status": kind.status.name(),
                "sentence": plain(&kind.sentence),
                "row": kind.row,
                "rows": kind.more + 1,
                "field": kind.field.map(label),
                "header": header,
                "cells": cells,
            })
        })
        .collect()
}

fn notes(check: &Check, records: &Records) -> Vec<String> {
    let summary = check.summary();
    let mut notes = Vec::new();
    if summary.windows_1252_rows > 0 {
        let rows = count(summary.windows_1252_rows, "row was", "rows were");
        notes.push(format!("{rows} not UTF-8, and read as Windows-1252: look whether accents are right."));
    }
    if summary.short_rows > 0 {
        let rows = count(summary.short_rows, "row has", "rows have");
        notes.push(format!("{rows} fewer cells than the header: look whether a line was broken in two."));
    }
    if records.left_out().hidden > 0 {
        let rows = count(records.left_out().hidden, "row is", "rows are");
        notes.push(format!("{rows} hidden in the workbook. They are read, too."));
    }
    notes
}
