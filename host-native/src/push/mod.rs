//! Sends the rows of a file as clients in batches, so that the same call resumes after any interruption
//! (rules F16 to F20).
//!
//! After each answered batch the refused rows are synced to disk, then the state. So a batch that the state
//! counts as done is complete. One batch may be answered but not yet in the state: it is sent again with the
//! same bytes and the same `Idempotency-Key`, and gets its saved response for 24 hours (rule I3). After that,
//! matching finds its clients; the only difference is that new ones count as updated.

mod error_file;
mod source;

pub(crate) use error_file::{ErrorFile, Form, default_path, first_file, workbook};
pub(crate) use source::Source;

use std::{
    io,
    path::{Path, PathBuf},
};

use matterbook_import::{
    check::{Problems, Status},
    mapping::Mapping,
    push::{
        BATCH_BYTES, BATCH_ROWS, Batch, Counts, Limits, Queue, Refused, State, Subject, Verdict, VerdictStatus,
        refused, verdicts,
    },
    records::{FileKind, ReadError, Record},
};

use crate::{
    api_client::{ApiClient, ApiError},
    durable_file,
    private_file::with_suffix,
};

/// What to push, and how.
#[derive(Clone, Debug)]
pub(crate) struct Push<'a> {
    /// The input file; the default paths of the state and error files derive from it.
    pub(crate) file: &'a Path,
    /// The column names of a table; `None` for a file of objects.
    pub(crate) columns: Option<&'a [String]>,
    /// The columns of the file, for examples.
    pub(crate) mapping: &'a Mapping,
    /// The kind of the file; its error file is of the same kind.
    pub(crate) kind: FileKind,
    /// Whether the cells of a CSV of errors are made safe for spreadsheets.
    pub(crate) has_safe_cells: bool,
    /// The file and the account; see [`Subject`].
    pub(crate) subject: &'a Subject,
    /// The state file; `None` for the default next to the input. A dry run has none.
    pub(crate) state: Option<&'a Path>,
    /// The error file; `None` for the default next to the input.
    pub(crate) errors: Option<&'a Path>,
    /// Whether the service only checks the rows (rule X1).
    pub(crate) is_dry_run: bool,
    /// Whether to ignore the state of an interrupted push.
    pub(crate) restarts: bool,
    /// The maximum number of rows in one request.
    pub(crate) batch_rows: usize,
}

/// The result of a push.
#[derive(Debug)]
pub(crate) struct Report {
    /// The results of the rows, including those of an interrupted run.
    pub(crate) counts: Counts,
    /// The number of rows that an interrupted run finished.
    pub(crate) rows_done_before: u64,
    /// The error file, if rows were refused.
    pub(crate) errors: Option<PathBuf>,
    /// The kinds of problems of the rows that this run refused.
    pub(crate) problems: Problems,
}

/// Why a push stopped. Rows sent before are saved, and the state has their number.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PushError {
    /// The service failed or refused.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// The response to a batch does not give the results of its clients.
    #[error(
        "The service's answer cannot be trusted: {0} Whether these rows were saved is not known; the same command sends \
         them again, which is safe."
    )]
    Answer(String),
    /// The input cannot be read.
    #[error("{0}")]
    File(String),
    /// The state cannot be stored.
    #[error("The state of this push cannot be kept in {path}: {1}. Make room there, or name another file with --state, \
             and run the same command again.", path = .0.display())]
    State(PathBuf, #[source] io::Error),
    /// The error file cannot be written.
    #[error("The refused rows cannot be written to {path}: {1}. Fix that, and run the same command again to continue, \
             or add --restart to start over.", path = .0.display())]
    Errors(PathBuf, #[source] io::Error),
    /// The push cannot start.
    #[error("{0}")]
    Refused(String),
}

impl From<ReadError> for PushError {
    fn from(error: ReadError) -> Self {
        Self::File(error.to_string())
    }
}

/// Sends the rows; reports to `progress` how many are done, and whether an earlier run did them.
///
/// # Errors
/// When it cannot continue. Rows sent before are saved, and the same call resumes after them.
pub(crate) fn push(
    push: &Push<'_>,
    source: &Source,
    rows: &mut dyn Iterator<Item = Result<Vec<Record>, ReadError>>,
    api: &mut ApiClient<'_>,
    progress: &dyn Fn(&Counts, bool),
) -> Result<Report, PushError> {
    let errors_path = push.errors.map_or_else(|| default_path(push.file, push.kind, push.is_dry_run), Path::to_owned);
    let state_path = push.state.map_or_else(|| with_suffix(push.file, ".push-state"), Path::to_owned);
    let state_path = (!push.is_dry_run).then_some(state_path.as_path());
    refuse_one_file_for_two(&[Some(push.file), Some(&errors_path), state_path])?;

    let found = match state_path {
        Some(path) if !push.restarts => find(path, push.subject)?,
        _ => None,
    };
    let form = Form { columns: push.columns, has_safe_cells: push.has_safe_cells };
    let (state, errors) = match found {
        Some(state) => {
            let errors = ErrorFile::go_on(&errors_path, form, state.errors_bytes)?;
            (state, errors)
        }
        None => (State::new(push.subject, random()?), ErrorFile::begin(&errors_path, form)?),
    };
    let rows_done_before = state.rows_done;
    let problems = Problems::default();
    let mut running = Running { push, source, api, state, state_path, errors, problems };
    // Writes the state first, so that a write error shows before any row is sent.
    running.keep()?;
    progress(&running.state.counts, true);
    running.send(Queue::new(rows), progress)?;
    let errors = running.errors.finish()?;
    if let Some(path) = state_path {
        durable_file::remove(path).map_err(|error| PushError::State(path.to_owned(), error))?;
    }
    running.errors.tidy();
    Ok(Report { counts: running.state.counts, rows_done_before, errors, problems: running.problems })
}

/// A push in progress.
struct Running<'a, 'b> {
    push: &'a Push<'a>,
    source: &'a Source,
    api: &'a mut ApiClient<'b>,
    state: State,
    state_path: Option<&'a Path>,
    errors: ErrorFile<'a>,
    problems: Problems,
}

impl Running<'_, '_> {
    fn send(&mut self, mut queue: Queue<'_>, progress: &dyn Fn(&Counts, bool)) -> Result<(), PushError> {
        let mut limits = Limits { rows: self.push.batch_rows.clamp(1, BATCH_ROWS), bytes: BATCH_BYTES };
        queue.skip(self.state.rows_done)?;
        loop {
            self.source.check()?;
            let batch = queue.gather(limits)?;
            if batch.is_empty() {
                return Ok(());
            }
            let verdicts = match self.exchange(&batch) {
                Ok(verdicts) => verdicts,
                Err(PushError::Api(error)) if error.is_too_large() && batch.clients() > 1 => {
                    // The service saved none of it, so the batch is halved until it fits.
                    limits.bytes = batch.body().map_or(0, |body| body.len()) / 2;
                    queue.take_back(batch);
                    continue;
                }
                Err(PushError::Api(error)) if error.is_too_large() => {
                    vec![Verdict { status: VerdictStatus::Error, message: Some(error.to_string()), changed: None }]
                }
                Err(error) => return Err(error),
            };
            self.record(&batch, verdicts)?;
            self.keep()?;
            progress(&self.state.counts, false);
        }
    }

    /// Sends a batch; returns one verdict for each of its clients.
    fn exchange(&mut self, batch: &Batch) -> Result<Vec<Verdict>, PushError> {
        let Some(body) = batch.body() else { return Ok(Vec::new()) };
        let key = batch.idempotency_key(&self.state.idempotency_base, &body);
        // The explanation tells updated clients from unchanged ones.
        let dry_run = if self.push.is_dry_run { "&dry_run=true" } else { "" };
        let path = format!("/clients?explain=true{dry_run}");
        let answer = self.api.post(&path, &body, &key)?;
        verdicts(&answer.body, batch.clients())
            .map_err(PushError::Answer)?
            .ok_or_else(|| PushError::Api(self.api.foreign(&answer)))
    }

    fn record(&mut self, batch: &Batch, verdicts: Vec<Verdict>) -> Result<(), PushError> {
        let refused = refused(batch, verdicts, &mut self.state.counts);
        self.errors.append(&refused)?;
        for Refused { row, status, reason } in &refused {
            let status = if *status == "conflict" { Status::Conflict } else { Status::Error };
            self.problems.add(status, row, reason, self.push.mapping);
        }
        let is_refused = |row: &Record| refused.iter().any(|refused| refused.row.number == row.number);
        for row in batch.rows().filter(|row| !row.left_out.is_empty() && !is_refused(row)) {
            self.state.counts.incomplete += 1;
            for problem in &row.left_out {
                self.problems.add(Status::Incomplete, row, problem, self.push.mapping);
            }
        }
        self.state.rows_done = self.state.counts.rows();
        self.state.errors_bytes = self.errors.length();
        Ok(())
    }

    fn keep(&self) -> Result<(), PushError> {
        let Some(path) = self.state_path else { return Ok(()) };
        durable_file::replace_by_json(path, &self.state).map_err(|error| PushError::State(path.to_owned(), error))
    }
}

/// The state of an interrupted push of the subject; `None` if there is none.
fn find(path: &Path, subject: &Subject) -> Result<Option<State>, PushError> {
    let found = durable_file::read_json(path).map_err(|error| PushError::State(path.to_owned(), error))?;
    let state = found.map(|found| State::resume(found, &path.display().to_string(), subject));
    state.transpose().map_err(PushError::Refused)
}

fn random() -> Result<[u8; 16], PushError> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|error| PushError::Refused(format!("No random bytes: {error}.")))?;
    Ok(random)
}

/// Refuses equal paths: the input, the error file and the state must be three files.
fn refuse_one_file_for_two(paths: &[Option<&Path>]) -> Result<(), PushError> {
    let mut seen: Vec<PathBuf> = Vec::new();
    for path in paths.iter().flatten() {
        let path = path.canonicalize().unwrap_or_else(|_| (*path).to_owned());
        if seen.contains(&path) {
            let shown = path.display();
            return Err(PushError::Refused(format!("{shown} cannot be two of input, --errors and --state at once.")));
        }
        seen.push(path);
    }
    Ok(())
}
