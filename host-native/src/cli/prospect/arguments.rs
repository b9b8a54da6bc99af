//! The arguments of `prospect import`.

use std::path::PathBuf;

use clap::Args;
use matterbook_core::{
    chrono::{DateTime, NaiveDate},
    normalize,
    platform::Platform as _,
};
use matterbook_import::{
    mapping::{HeaderMapping, ListKind, MapError},
    records::{FileKind, Options, Records},
};

use crate::{
    cli::{
        outcome::Failure,
        reading::{self, RowArguments},
    },
    platform::SystemPlatform,
};

/// What to import, and how.
#[derive(Args, Debug)]
pub(in crate::cli) struct ImportArguments {
    /// The file: .csv, .tsv, .txt, .xlsx or .ndjson; - reads standard input
    pub(super) file: PathBuf,
    /// Use the column with this header as a field, such as --map "Occupant No=source_id"; "Header="
    /// leaves the column out. May be repeated
    #[arg(long = "map", value_name = "HEADER=FIELD", value_parser = prospect_mapping)]
    mappings: Vec<HeaderMapping>,
    #[command(flatten)]
    rows: RowArguments,
    /// The state of the crashes whose rows have none, such as IL
    #[arg(long, value_name = "STATE", value_parser = us_state)]
    crash_state: Option<String>,
    /// Show what each column is used as and what is wrong with which rows, and import nothing; no
    /// service is needed
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Write the rows that cannot be imported to this file [default: FILE.errors.xlsx for a
    /// workbook, FILE.errors.csv for text, if there are any]
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    pub(super) errors: Option<PathBuf>,
    /// Put an apostrophe before cells of a CSV of errors that a spreadsheet would read as formulas
    #[arg(long, conflicts_with = "dry_run")]
    pub(super) safe_cells: bool,
}

fn prospect_mapping(text: &str) -> Result<HeaderMapping, MapError> {
    HeaderMapping::parse(text, ListKind::Prospects)
}

fn us_state(text: &str) -> Result<String, String> {
    let state = normalize::state(&text.into()).map_err(|problem| format!("it {problem}"))?;
    state.map(String::from).ok_or_else(|| "it must be a state, such as IL".to_owned())
}

impl ImportArguments {
    /// Opens the file.
    ///
    /// # Errors
    /// When it cannot be read, or a column that every prospect needs is missing.
    pub(super) fn open(&self) -> Result<Records, Failure> {
        let records = self.open_any()?;
        match missing(&records) {
            Some(sentence) => Err(Failure::Refused(sentence)),
            None => Ok(records),
        }
    }

    /// Opens the file, whichever columns it has.
    pub(super) fn open_any(&self) -> Result<Records, Failure> {
        let options = Options {
            kind: ListKind::Prospects,
            crash_state: self.crash_state.clone(),
            mappings: self.mappings.clone(),
            ..self.rows.options()
        };
        Ok(reading::open(&self.file, &options)?)
    }
}

/// Why no row can be imported. In a file of objects any later line may have what is missing.
pub(super) fn missing(records: &Records) -> Option<String> {
    records.mapping().missing_of_prospects().filter(|_| records.kind() != FileKind::JsonLines)
}

/// The service's date.
pub(super) fn today() -> NaiveDate {
    let now = SystemPlatform::default().now();
    DateTime::from_timestamp_micros(now.micros()).map_or(NaiveDate::MAX, |time| time.date_naive())
}
