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
    collections::VecDeque,
    io,
    path::{Path, PathBuf},
};

use matterbook_import::{
    check::{Problems, Status},
    mapping::Mapping,
    push::{
        BATCH_BYTES, BATCH_ROWS, Batch, Counts, Limits, PlanFile, PlannedBatch, Queue, Refused, State, Subject,
        Verdict, plan, refused, verdicts,
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
    /// Whether the rows are saved.
    pub(crate) mode: Mode<'a>,
    /// Whether to ignore the state of an interrupted push.
    pub(crate) restarts: bool,
    /// The maximum number of rows in one request.
    pub(crate) batch_rows: usize,
}

/// Whether a push saves its rows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mode<'a> {
    /// It does.
    Save,
    /// The service only checks the rows (rule X1).
    DryRun,
    /// As a dry run, and this file gets the preview (rule F50).
    Plan(&'a Path),
    /// It saves only what the preview in this file shows (rule F51).
    Confirm(&'a Path),
}

impl Mode<'_> {
    /// Whether nothing is saved.
    pub(crate) const fn is_dry_run(self) -> bool {
        matches!(self, Self::DryRun | Self::Plan(_))
    }
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
    /// The rows would not become what the preview shows.
    #[error("Rows {first} to {last}: by the preview in {path}, {shown}. That is no longer what would happen, or the \
             preview is over 15 minutes old. None of these rows was saved. Make another preview with --plan {path}, and \
             look at it before you confirm it.", path = .path.display(), shown = in_words(.shown))]
    PlanNotKept {
        /// The first row of the request.
        first: u64,
        /// Its last row.
        last: u64,
        /// What the preview shows of them.
        shown: Counts,
        /// The preview.
        path: PathBuf,
    },
    /// The preview cannot be read or written.
    #[error("The preview {path}: {1}.", path = .0.display())]
    Plan(PathBuf, #[source] io::Error),
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
    let errors_path =
        push.errors.map_or_else(|| default_path(push.file, push.kind, push.mode.is_dry_run()), Path::to_owned);
    let state_path = push.state.map_or_else(|| with_suffix(push.file, ".push-state"), Path::to_owned);
    let state_path = (!push.mode.is_dry_run()).then_some(state_path.as_path());
    let plan_path = match push.mode {
        Mode::Plan(path) | Mode::Confirm(path) => Some(path),
        Mode::Save | Mode::DryRun => None,
    };
    refuse_one_file_for_two(&[Some(push.file), Some(&errors_path), state_path, plan_path])?;
    let confirmed = match push.mode {
        Mode::Confirm(path) => read_plan(path, push.subject)?,
        _ => VecDeque::new(),
    };

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
    let planned = Vec::new();
    let mut running = Running { push, source, api, state, state_path, errors, problems, planned, confirmed };
    // Writes the state first, so that a write error shows before any row is sent.
    running.keep()?;
    progress(&running.state.counts, true);
    running.send(Queue::new(rows), progress)?;
    if let Mode::Plan(path) = push.mode {
        let preview = PlanFile::new(push.subject, std::mem::take(&mut running.planned));
        durable_file::replace_by_json(path, &preview).map_err(|error| PushError::Plan(path.to_owned(), error))?;
    }
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
    /// The requests of the preview that is made.
    planned: Vec<PlannedBatch>,
    /// The requests of the preview that is confirmed and that were not sent yet.
    confirmed: VecDeque<PlannedBatch>,
}

impl Running<'_, '_> {
    fn send(&mut self, mut queue: Queue<'_>, progress: &dyn Fn(&Counts, bool)) -> Result<(), PushError> {
        let mut limits = Limits { rows: self.push.batch_rows.clamp(1, BATCH_ROWS), bytes: BATCH_BYTES };
        queue.skip(self.state.rows_done)?;
        self.skip_confirmed();
        loop {
            self.source.check()?;
            if let Some(planned) = self.confirmed.front() {
                limits.rows = planned.rows;
            }
            let batch = queue.gather(limits)?;
            if batch.is_empty() {
                return Ok(());
            }
            let mut plan = None;
            let verdicts = match self.exchange(&batch, &mut plan) {
                Ok(verdicts) => verdicts,
                Err(PushError::Api(error)) if error.is_too_large() && batch.clients() > 1 => {
                    // The service saved none of it, so the batch is halved until it fits.
                    limits.bytes = batch.body().map_or(0, |body| body.len()) / 2;
                    queue.take_back(batch);
                    continue;
                }
                Err(PushError::Api(error)) if error.is_too_large() => {
                    vec![Verdict::error(error.to_string())]
                }
                Err(error) => return Err(error),
            };
            let before = self.state.counts;
            self.record(&batch, verdicts)?;
            if let Mode::Plan(_) = self.push.mode {
                let counts = self.state.counts.since(&before);
                self.planned.push(PlannedBatch { rows: batch.rows().count(), plan, counts });
            }
            self.confirmed.pop_front();
            self.keep()?;
            progress(&self.state.counts, false);
        }
    }

    /// Leaves out the requests of the preview that an interrupted run sent.
    fn skip_confirmed(&mut self) {
        let mut left = usize::try_from(self.state.rows_done).unwrap_or(usize::MAX);
        while let Some(planned) = self.confirmed.pop_front_if(|planned| planned.rows <= left) {
            left -= planned.rows;
        }
    }

    /// Sends a batch; returns one verdict for each of its clients. A dry run has a plan, too.
    fn exchange(&mut self, batch: &Batch, plan_of_dry_run: &mut Option<String>) -> Result<Vec<Verdict>, PushError> {
        let Some(body) = batch.body() else { return Ok(Vec::new()) };
        let key = batch.idempotency_key(&self.state.idempotency_base, &body);
        let option = match self.push.mode {
            Mode::Save => String::new(),
            Mode::DryRun | Mode::Plan(_) => "&dry_run=true".to_owned(),
            Mode::Confirm(path) => format!("&plan={}", self.confirmed_plan(path)?),
        };
        // The explanation tells updated clients from unchanged ones.
        let path = format!("/clients?explain=true{option}");
        let answer = match (self.api.post(&path, &body, &key), self.push.mode) {
            (Err(error), Mode::Confirm(path)) if error.has_code("conflict") => {
                let mut rows = batch.rows().map(|row| row.number);
                let first = rows.next().unwrap_or_default();
                let last = rows.last().unwrap_or(first);
                let shown = self.confirmed.front().map(|planned| planned.counts).unwrap_or_default();
                return Err(PushError::PlanNotKept { first, last, shown, path: path.to_owned() });
            }
            (answer, _) => answer?,
        };
        *plan_of_dry_run = plan(&answer.body);
        verdicts(&answer.body, batch.clients())
            .map_err(PushError::Answer)?
            .ok_or_else(|| PushError::Api(self.api.foreign(&answer)))
    }

    /// The plan of the next request of the preview.
    fn confirmed_plan(&self, path: &Path) -> Result<&str, PushError> {
        self.confirmed.front().and_then(|planned| planned.plan.as_deref()).ok_or_else(|| {
            let shown = path.display();
            PushError::Refused(format!(
                "{shown} does not say what becomes of all rows; make another preview with --plan {shown}."
            ))
        })
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

fn read_plan(path: &Path, subject: &Subject) -> Result<VecDeque<PlannedBatch>, PushError> {
    let found = durable_file::read_json(path).map_err(|error| PushError::Plan(path.to_owned(), error))?;
    let shown = path.display();
    let Some(found) = found else {
        return Err(PushError::Refused(format!("There is no preview {shown}; --plan {shown} makes it.")));
    };
    PlanFile::of(found, &shown.to_string(), subject).map(VecDeque::from).map_err(PushError::Refused)
}

/// The results of rows in words.
fn in_words(counts: &Counts) -> String {
    let Counts { created, updated, unchanged, conflict, error, .. } = counts;
    format!(
        "{created} of them would be created, {updated} updated, {unchanged} unchanged, {conflict} in conflict, {error} \
         refused"
    )
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
            return Err(PushError::Refused(format!(
                "{shown} cannot be two of input, --errors, --state and preview at once."
            )));
        }
        seen.push(path);
    }
    Ok(())
}
