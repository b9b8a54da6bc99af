//! One file, from its columns to its last answered row.

use std::{fmt, path::PathBuf};

use matterbook_import::{
    check::{ROWS, grouped},
    push::{Arrangement, Counts, Queue, Survey},
    records::{self, FileKind, Options, ReadError, Record, Records},
};
use serde_json::{Value, json};

use crate::{
    columns::columns,
    forecast::Forecast,
    preview::Preview,
    refused::{self, RefusedRow},
    report::Report,
    sending::{Purpose, Sending},
    settings::Settings,
    source::Source,
    words::without_flags,
};

/// Why something cannot be done, as a sentence for the person at the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem(pub(crate) String);

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Problem {}

impl From<ReadError> for Problem {
    fn from(error: ReadError) -> Self {
        Self(without_flags(&error.to_string()))
    }
}

/// How often a reading tells how far it is, in rows.
const PROGRESS_ROWS: u64 = 2_000;

/// One file of clients.
pub struct Import {
    name: PathBuf,
    source: Source,
    settings: Settings,
    /// The order of the rows, once they are checked.
    arrangement: Option<Arrangement>,
    sending: Option<Sending>,
}

impl Import {
    /// A file by its name, which says its kind.
    #[must_use]
    pub fn new(name: &str, source: Source) -> Self {
        Self { name: name.into(), source, settings: Settings::default(), arrangement: None, sending: None }
    }

    /// The SHA-256 of the file, in hexadecimal digits.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn sha256(&self) -> Result<String, Problem> {
        self.source.sha256().map_err(|error| ReadError::io(&self.name.display().to_string(), &error).into())
    }

    /// The columns of the file and what each is used as, as JSON.
    ///
    /// # Errors
    /// When the file cannot be read, or the settings exclude each other.
    pub fn columns(&mut self, settings: &str) -> Result<String, Problem> {
        self.settings = Settings::parse(settings)?;
        (self.arrangement, self.sending) = (None, None);
        let mut records = open(&self.name, &self.source, &self.settings.options())?;
        if records.kind() == FileKind::JsonLines {
            return Err(Problem("This file is no table. Choose a spreadsheet: CSV or XLSX.".to_owned()));
        }
        Ok(columns(&mut records).to_string())
    }

    /// Reads all rows, and says what is wrong with them, as JSON. `progress` gets the number of rows that were read,
    /// and a part of all from 0 to 1.
    ///
    /// # Errors
    /// When the file cannot be read to its end.
    pub fn check(&mut self, settings: &str, progress: &mut dyn FnMut(u64, f64)) -> Result<String, Problem> {
        self.settings = Settings::parse(settings)?;
        (self.arrangement, self.sending) = (None, None);
        let mut records = open(&self.name, &self.source, &self.settings.options())?;
        let (mut survey, mut report) = (Survey::default(), Report::default());
        while let Some(record) = records.next() {
            let record = record?;
            let rows = survey.check().summary().rows;
            if rows == ROWS {
                return Err(Problem(format!("The file has more than {} rows: split it.", grouped(ROWS))));
            }
            if rows.is_multiple_of(PROGRESS_ROWS) {
                progress(rows, part(records.progress()));
            }
            let judged = survey.judge(&record)?;
            report.add(&record, &judged, records.mapping());
        }
        let report = report.json(survey.check(), &records);
        // The memory of what the check needed is free for the preview.
        self.arrangement = Some(survey.into_arrangement());
        Ok(report.to_string())
    }

    /// Begins a pass over the rows whose answers are those of a dry run.
    ///
    /// # Errors
    /// When the file was not checked, or cannot be read again.
    pub fn begin_preview(&mut self) -> Result<(), Problem> {
        let purpose = Purpose::Preview(Box::default());
        self.sending = Some(Sending::new(self.queue()?, "preview", Counts::default(), purpose)?);
        Ok(())
    }

    /// What each row would become, as bytes, at the end of a preview.
    ///
    /// # Errors
    /// When there was no preview.
    pub fn forecast(&mut self) -> Result<Vec<u8>, Problem> {
        let sending = self.sending()?;
        let preview = sending.preview().ok_or_else(|| Problem("The rows were not compared.".to_owned()))?;
        Ok(preview.forecast().to_bytes())
    }

    /// Begins to send the rows after those of these counts, which are JSON. `base` is different for each import, and
    /// `forecast` is that of the preview.
    ///
    /// # Errors
    /// When the file was not checked, or cannot be read again.
    pub fn begin_sending(&mut self, base: &str, counts: &str, forecast: &[u8]) -> Result<(), Problem> {
        let counts = serde_json::from_str(counts).map_err(|error| Problem(format!("No counts: {error}.")))?;
        self.sending = Some(Sending::new(self.queue()?, base, counts, Purpose::Save(Forecast::of_bytes(forecast)))?);
        Ok(())
    }

    fn queue(&mut self) -> Result<Queue<'static>, Problem> {
        let arrangement =
            self.arrangement.clone().ok_or_else(|| Problem("The file was not checked yet.".to_owned()))?;
        let (name, source, options) = (self.name.clone(), self.source.clone(), self.settings.options());
        let rows = open(&name, &source, &options)?;
        let again = move || -> Result<Box<dyn Iterator<Item = Result<Record, ReadError>>>, ReadError> {
            Ok(Box::new(open(&name, &source, &options)?))
        };
        Ok(Queue::new(arrangement.arranged(rows, again, self.settings.settlements())))
    }

    fn sending(&mut self) -> Result<&mut Sending, Problem> {
        self.sending.as_mut().ok_or_else(|| Problem("Nothing is being sent.".to_owned()))
    }

    /// The body of the next request; `None` at the end of the file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn next_body(&mut self) -> Result<Option<Vec<u8>>, Problem> {
        Ok(self.sending()?.next()?.map(<[u8]>::to_vec))
    }

    /// The batch whose body was taken: its place, its rows and its `Idempotency-Key`, as JSON.
    ///
    /// # Errors
    /// When nothing is being sent.
    pub fn batch(&mut self) -> Result<String, Problem> {
        Ok(self.sending()?.batch_json())
    }

    /// Takes the service's answer to the batch. Returns the results so far and the rows that were refused, as JSON.
    ///
    /// # Errors
    /// When it does not have the results of the batch. The same batch is then the next one.
    pub fn answered(&mut self, body: &[u8]) -> Result<String, Problem> {
        let sending = self.sending()?;
        let refused = sending.answered(body)?;
        Ok(progress_json(sending, &refused).to_string())
    }

    /// Compares a dry run of the batch with the forecast; returns the rows that become something else, as JSON. The
    /// batch is still to be answered.
    ///
    /// # Errors
    /// When the answer does not have the results of the batch.
    pub fn differences(&mut self, body: &[u8]) -> Result<String, Problem> {
        Ok(self.sending()?.differences(body)?.to_string())
    }

    /// Takes what the rows of the batch become now for what was forecast.
    ///
    /// # Errors
    /// When nothing is being sent.
    pub fn accept(&mut self) -> Result<(), Problem> {
        self.sending()?.accept();
        Ok(())
    }

    /// Divides the batch, because the service refused it as too large.
    ///
    /// # Errors
    /// When nothing is being sent.
    pub fn too_large(&mut self) -> Result<String, Problem> {
        let sending = self.sending()?;
        let refused = sending.halve();
        Ok(progress_json(sending, &refused).to_string())
    }

    /// The workbook of refused rows, from the JSON array of those that [`Self::answered`] returned.
    ///
    /// # Errors
    /// When the file cannot be read again.
    pub fn refused_workbook(&self, refused: &str) -> Result<Vec<u8>, Problem> {
        let refused: Vec<RefusedRow> =
            serde_json::from_str(refused).map_err(|error| Problem(format!("No refused rows: {error}.")))?;
        let records = open(&self.name, &self.source, &self.settings.options())?;
        Ok(refused::workbook(records, refused))
    }
}

fn open(name: &std::path::Path, source: &Source, options: &Options) -> Result<Records, ReadError> {
    records::read(name, source.open(), options)
}

fn progress_json(sending: &Sending, refused: &[RefusedRow]) -> Value {
    json!({
        "counts": sending.counts(),
        "rows": sending.counts().rows(),
        "refused": refused,
        "settlements": sending.preview().map(Preview::settlements),
    })
}

/// How much was read, from 0 to 1.
fn part((read, total): (u64, Option<u64>)) -> f64 {
    total.filter(|total| *total > 0).map_or(0.0, |total| (read as f64 / total as f64).min(1.0))
}
