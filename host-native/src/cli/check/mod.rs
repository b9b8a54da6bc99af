//! `matterbook check FILE`: what a push would do with each row of a file, without a service.
//!
//! `matterbook-import` judges the rows. Only hashes of the rows are kept, so memory stays small for a million
//! rows.

mod json;
mod out_file;
mod progress;
mod prospects;
mod text_report;

use std::path::PathBuf;

use clap::Args;
use matterbook_import::{
    check::{Check, Finding, ROWS, grouped},
    mapping::Mapping,
    records::{Record, Records},
};

use super::{
    flags::Flags,
    outcome::{Failure, Shown},
    reading::{self, ReadingArguments},
};
use json::JsonReport;
use out_file::OutFile;
pub(super) use progress::Progress;
pub(super) use text_report::TextReport;

/// The arguments of `check`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(super) struct CheckArguments {
    /// The file: .csv, .tsv, .txt, .xlsx or .ndjson; - reads standard input
    file: PathBuf,
    #[command(flatten)]
    reading: ReadingArguments,
    /// Write all rows to this file, each with its result, so that you can fix them: an .xlsx
    /// or a .csv, or a .ndjson if the input is one
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Put an apostrophe before cells of that file that a spreadsheet would read as formulas
    #[arg(long, requires = "out")]
    safe_cells: bool,
    /// Print every finding, in the order of the rows
    #[arg(long)]
    all: bool,
}

const HELP: &str = "\
Nothing is sent, and no service is needed. Columns are recognized by their
headers; the report begins with the use of each column. --json prints every
finding. Fields: first_name, last_name, address_line1, address_line2, city,
state, zip, email, phone, case_type, opened_on, settled_on, external_id,
do_not_mail, new_settlement. What one column has together is split by
last_comma_first, first_last, city_state_zip and whole_address. Columns are
joined by \"House No + Street=address_line1\".

Exit status: 0 when every row would be saved, 1 when some would not or the file
cannot be read, 2 on a usage error.";

/// Receives the findings as they are made.
pub(super) trait Report {
    /// Called with the file before its first row.
    fn begin(&mut self, records: &Records);
    /// Called for each finding, in the order of the rows.
    fn finding(&mut self, finding: &Finding, record: &Record, mapping: &Mapping);
    /// Called after the last row; with a sentence if the file could not be read to its end.
    fn end(&mut self, records: &Records, check: &Check, broken_off: Option<&str>);
}

impl CheckArguments {
    pub(super) fn run(&self, flags: &Flags) -> Result<Shown, Failure> {
        let (options, mapping_file) = self.reading.options(&self.file)?;
        let mut records = reading::open(&self.file, &options)?;
        mapping_file.iter().for_each(|mapping_file| mapping_file.keep(&records));
        let mut out =
            self.out.as_deref().map(|path| OutFile::create(path, &self.file, &records, self.safe_cells)).transpose()?;
        let mut report: Box<dyn Report> = if flags.json {
            Box::new(JsonReport::new(&self.file))
        } else {
            Box::new(TextReport::new(&self.file, self.all))
        };
        report.begin(&records);
        let mut check = Check::with_possible_duplicates();
        let mut broken_off = None;
        let mut progress = Progress::new(self.all || flags.json);
        while let Some(record) = records.next() {
            progress.show(check.summary().rows, records.progress());
            match record {
                Ok(_) if check.summary().rows == ROWS => {
                    let most = grouped(ROWS);
                    broken_off = Some(format!("Nothing after the first {most} rows was checked: split the file."));
                    break;
                }
                Ok(record) => {
                    let judged = check.judge(&record);
                    let mapping = records.mapping();
                    judged.findings.iter().for_each(|finding| report.finding(finding, &record, mapping));
                    if let Some(out) = &mut out {
                        out.write(&record, &judged)?;
                    }
                }
                Err(error) => broken_off = Some(error.to_string()),
            }
        }
        progress.clear();
        if let Some(out) = out {
            out.finish()?;
        }
        let summary = check.summary();
        report.end(&records, &check, broken_off.as_deref());
        drop(report);
        let out = self.out.as_ref().filter(|_| broken_off.is_none());
        let hint = out.map(|path| format!("{} has every row, each with its status and reason.", path.display()));
        // The text report ends with the same numbers.
        let refusal = broken_off.or_else(|| summary.refusal().filter(|_| flags.json));
        Ok(Shown { hint, refusal, is_partial: summary.refusal().is_some(), ..Shown::default() })
    }
}
