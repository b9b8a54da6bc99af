//! `prospect import`: sends the rows of a file in batches.

use std::{fmt::Write as _, path::PathBuf};

use indicatif::HumanCount;
use matterbook_import::{
    check::{ProblemKind, Problems, ProspectCheck, Status},
    push::Refused,
    records::{FileKind, Record, Records, is_standard_input},
};
use serde_json::{Value, json, value::RawValue};

use super::arguments::{ImportArguments, today};
use crate::{
    cli::{
        check::Progress,
        operator::{Call, Operator},
        outcome::{Failure, Shown},
        terminal,
    },
    push::{ErrorFile, Form, PushError, default_path},
    visible::visible,
};

/// The operator API accepts at most this many prospects in one request (rule P10).
const BATCH_ROWS: usize = 500;
/// The approximate size of a request, well below the smallest usual body limit.
const BATCH_BYTES: usize = 4 * 1_024 * 1_024;
/// The width of a row's number before its problem.
const LEAD: usize = 9;

pub(super) fn run(arguments: &ImportArguments, records: Records, operator: &Operator) -> Result<Shown, Failure> {
    let columns: Vec<String> = records.mapping().columns().iter().map(|column| column.header.clone()).collect();
    let is_table = records.kind() != FileKind::JsonLines;
    let form = Form { columns: is_table.then_some(columns.as_slice()), has_safe_cells: arguments.safe_cells };
    let default = (!is_standard_input(&arguments.file)).then(|| default_path(&arguments.file, records.kind(), false));
    let path = arguments.errors.clone().or(default);
    let errors = match &path {
        Some(path) => Some(ErrorFile::begin(path, form).map_err(unwritable)?),
        None => None,
    };
    let mut import = Import { operator, records, errors, batch: Vec::new(), bytes: 0, done: Done::default() };
    let outcome = import.send_all();
    let written = import.errors.as_ref().map(ErrorFile::finish).transpose();
    let written = written.map_err(unwritable)?.flatten();
    if let Some(errors) = &import.errors {
        errors.tidy();
    }
    import.done.shown(outcome.err(), written)
}

fn unwritable(error: PushError) -> Failure {
    match error {
        PushError::Errors(path, error) => Failure::Refused(format!(
            "The refused rows cannot be written to {}: {error}. Fix that, and import the file again, which is safe.",
            path.display()
        )),
        other => Failure::refused(other),
    }
}

/// An import under way.
struct Import<'a> {
    operator: &'a Operator,
    records: Records,
    errors: Option<ErrorFile<'a>>,
    /// Rows with their prospects, which are sent next.
    batch: Vec<(Record, Box<RawValue>)>,
    bytes: usize,
    done: Done,
}

/// What was done so far.
#[derive(Default)]
struct Done {
    created: u64,
    updated: u64,
    refused: Vec<(u64, String)>,
    problems: Problems,
}

impl Import<'_> {
    fn send_all(&mut self) -> Result<(), Failure> {
        let mut check = ProspectCheck::new(today());
        let mut progress = Progress::new(false);
        while let Some(record) = self.records.next() {
            progress.show(check.summary().rows, self.records.progress());
            let record = record?;
            let prospect = check.judge(&record).map(|json| RawValue::from_string(json.to_owned()));
            match prospect {
                Ok(Ok(prospect)) => {
                    let bytes = prospect.get().len();
                    if self.batch.len() == BATCH_ROWS || self.bytes + bytes > BATCH_BYTES {
                        self.send()?;
                    }
                    self.bytes += bytes;
                    self.batch.push((record, prospect));
                }
                Ok(Err(error)) => self.refuse(&[(&record, format!("The row cannot be sent: {error}."))])?,
                Err(reason) => self.refuse(&[(&record, reason)])?,
            }
        }
        progress.clear();
        self.send()
    }

    fn send(&mut self) -> Result<(), Failure> {
        let batch = std::mem::take(&mut self.batch);
        self.bytes = 0;
        if batch.is_empty() {
            return Ok(());
        }
        let prospects: Vec<&RawValue> = batch.iter().map(|(_, prospect)| &**prospect).collect();
        let body = serde_json::to_value(&prospects).map_err(Failure::refused)?;
        let answer = self.operator.send(Call::post(&["prospects"], json!({"prospects": body})))?;
        let mut refused = Vec::new();
        for ((record, _), result) in batch.iter().zip(answer["results"].as_array().into_iter().flatten()) {
            match result["status"].as_str() {
                Some("created") => self.done.created += 1,
                Some("updated") => self.done.updated += 1,
                _ => refused.push((record, result["message"].as_str().unwrap_or_default().to_owned())),
            }
        }
        self.refuse(&refused)
    }

    /// Keeps rows that are not imported, each with its reason.
    fn refuse(&mut self, refused: &[(&Record, String)]) -> Result<(), Failure> {
        for (record, reason) in refused {
            self.done.problems.add(Status::Error, record, reason, self.records.mapping());
            self.done.refused.push((record.number, reason.clone()));
        }
        let rows =
            refused.iter().map(|(row, reason)| Refused { row, status: Status::Error.name(), reason: reason.clone() });
        match &mut self.errors {
            Some(errors) => errors.append(&rows.collect::<Vec<_>>()).map_err(unwritable),
            None => Ok(()),
        }
    }
}

impl Done {
    /// The result. After a failed request it still reports what was imported before.
    fn shown(mut self, failure: Option<Failure>, errors: Option<PathBuf>) -> Result<Shown, Failure> {
        self.refused.sort_by_key(|(row, _)| *row);
        let Self { created, updated, refused, problems } = self;
        let number = u64::try_from(refused.len()).unwrap_or(u64::MAX);
        let file = errors.as_ref().map(|path| {
            let path = path.display();
            format!(" {path} has them, each with its reason. Fix them there and import that file.")
        });
        let refusal = match failure {
            Some(Failure::Refused(sentence)) if created + updated > 0 => {
                Some(format!("{sentence} The import stopped there. Import the file again to continue."))
            }
            Some(failure) => return Err(failure),
            None if refused.is_empty() => None,
            None => {
                let (of, were) = (created + updated + number, if number == 1 { "was" } else { "were" });
                let of = if of == 1 { "1 row".to_owned() } else { format!("{} rows", HumanCount(of)) };
                Some(format!("{} of {of} {were} refused.{}", HumanCount(number), file.unwrap_or_default()))
            }
        };
        let mut text = format!("created {created}, updated {updated}, refused {number}\n");
        let width = terminal::width(std::io::stdout());
        for kind in problems.kinds() {
            let _ = writeln!(text, "{}", line(kind, width));
        }
        if problems.others > 0 {
            let _ = writeln!(text, "{:>7}  {} more, of other kinds", "", HumanCount(problems.others));
        }
        let rows: Vec<Value> =
            refused.into_iter().map(|(row, message)| json!({"row": row, "message": message})).collect();
        let json = json!({"prospects": {
            "created": created, "updated": updated, "refused": rows,
            "errors_file": errors.as_ref().map(|path| path.display().to_string()),
        }});
        Ok(Shown { refusal, ..Shown::new(json, text) })
    }
}

fn line(kind: &ProblemKind, width: Option<usize>) -> String {
    format!("{:>7}  {}", kind.row, terminal::wrapped(&visible(&kind.text()), LEAD, width))
}
