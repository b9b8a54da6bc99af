//! Copies an account's clients or prospects page by page, and resumes where the last pull ended (rules F21 to
//! F24).
//!
//! The state stores the last cursor that was not `null`. The page after that cursor is returned again by the
//! next pull, so the state also stores the digests of its rows, and unchanged rows are not written twice. For
//! a file, each page is synced to disk before the state that stores the file's length: after a kill, the file
//! is truncated to that length and the rest is pulled again. A stream cannot be truncated: after a kill it
//! may get the rows of one page twice.

mod output;

use std::{
    collections::HashSet,
    io::{self, Write},
    path::{Path, PathBuf},
};

use matterbook_import::pull::{Listing, Page, State, Subject, digest};
use serde_json::value::RawValue;

use output::Output;

use crate::{
    api_client::{ApiClient, ApiError},
    durable_file,
};

/// The largest page.
const PAGE_ROWS: usize = 100;
/// How often a pull restarts because the account's counties change during it (rule C7).
const STALE_CURSORS: u32 = 3;

/// What to pull, and the destination.
pub(crate) struct Pull<'a> {
    /// Which list of which account; see [`Subject`].
    pub(crate) subject: Subject,
    /// The output file; `None` for `stream`.
    pub(crate) file: Option<&'a Path>,
    /// The destination without a file.
    pub(crate) stream: &'a mut dyn Write,
    /// The state file; `None` to store no state and pull the whole list each time.
    pub(crate) state: Option<&'a Path>,
    /// Whether to ignore a stored state.
    pub(crate) restarts: bool,
}

/// The result of a pull.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Report {
    /// The number of rows written.
    pub(crate) rows: u64,
    /// Whether it resumed an earlier pull.
    pub(crate) went_on: bool,
    /// How often it restarted because the account's counties had changed.
    pub(crate) stale_cursors: u32,
}

/// Why a pull stopped. Written rows stay, and the next pull resumes after them.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PullError {
    /// The service failed or refused.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// The service no longer accepts the stored cursor.
    #[error("{0} The kept state does not fit the service any more: --restart walks the whole list again.")]
    Cursor(ApiError),
    /// A page is invalid.
    #[error("The service's answer cannot be trusted: {0}")]
    Answer(String),
    /// The rows cannot be written.
    #[error("The rows cannot be written to {0}: {1}. Fix that and run the same command again.")]
    Output(String, #[source] io::Error),
    /// The state cannot be stored.
    #[error("The state of this pull cannot be kept in {path}: {1}. Make room there, or name another file with --state.",
            path = .0.display())]
    State(PathBuf, #[source] io::Error),
    /// The pull cannot start.
    #[error("{0}")]
    Refused(String),
}

impl PullError {
    /// Whether the stream's reader closed it, as `head` does.
    #[must_use]
    pub(crate) fn is_unread(&self) -> bool {
        matches!(self, Self::Output(_, error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Pulls the list to its end, and reports the number of written rows to `progress`.
///
/// # Errors
/// When it cannot continue. Written rows stay, and the same call resumes after them.
pub(crate) fn pull(pull: Pull<'_>, api: &mut ApiClient<'_>, progress: &dyn Fn(u64)) -> Result<Report, PullError> {
    let Pull { subject, file, stream, state: state_path, restarts } = pull;
    let found = match state_path {
        Some(path) if !restarts => find(path, &subject)?,
        _ => None,
    };
    let Subject { listing, format, has_safe_cells, .. } = subject;
    let mut output = match file {
        Some(path) => Output::file(path, found.as_ref(), listing, format, has_safe_cells)?,
        None => Output::stream(listing, format, has_safe_cells, stream),
    };
    let went_on = found.is_some();
    let mut state = found.unwrap_or_else(|| State::new(subject));
    (state.is_finished, state.output_bytes) = (false, output.length());
    let keep = |state: &State| {
        let Some(path) = state_path else { return Ok(()) };
        durable_file::replace_by_json(path, state).map_err(|error| PullError::State(path.to_owned(), error))
    };
    keep(&state)?;

    let mut report = Report { went_on, ..Report::default() };
    let mut written_before: HashSet<String> = state.rows_after_cursor.iter().cloned().collect();
    loop {
        progress(report.rows);
        let page = match page(api, listing, state.cursor.as_deref()) {
            Err(PullError::Api(error)) if error.has_code("cursor_stale") && report.stale_cursors < STALE_CURSORS => {
                report.stale_cursors += 1;
                state.cursor = None;
                state.rows_after_cursor.clear();
                written_before.clear();
                continue;
            }
            Err(PullError::Api(error)) if error.has_code("invalid_request") && state.cursor.is_some() => {
                return Err(PullError::Cursor(error));
            }
            page => page?,
        };
        let digests: Vec<String> = page.rows.iter().map(|row| digest(row)).collect();
        let rows: Vec<&RawValue> = page
            .rows
            .iter()
            .zip(&digests)
            .filter(|(_, digest)| !written_before.contains(*digest))
            .map(|(row, _)| &**row)
            .collect();
        output.write(&rows)?;
        report.rows += u64::try_from(rows.len()).unwrap_or(u64::MAX);
        state.output_bytes = output.length();
        match page.next_cursor {
            Some(next) if state.cursor.as_ref() == Some(&next) => {
                return Err(PullError::Answer("its next_cursor is the one that was sent.".to_owned()));
            }
            Some(next) => {
                state.cursor = Some(next);
                state.rows_after_cursor.clear();
                written_before.clear();
                keep(&state)?;
            }
            None => {
                state.rows_after_cursor = digests;
                state.is_finished = true;
                keep(&state)?;
                return Ok(report);
            }
        }
    }
}

/// The state of an earlier pull of the subject; `None` if there is none.
fn find(path: &Path, subject: &Subject) -> Result<Option<State>, PullError> {
    let found = durable_file::read_json(path).map_err(|error| PullError::State(path.to_owned(), error))?;
    let state = found.map(|found| State::resume(found, &path.display().to_string(), subject));
    state.transpose().map_err(PullError::Refused)
}

fn page(api: &mut ApiClient<'_>, listing: Listing, cursor: Option<&str>) -> Result<Page, PullError> {
    // A cursor needs no escaping in a URL.
    let cursor = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
    let answer = api.get(&format!("/{}?limit={PAGE_ROWS}{cursor}", listing.name()))?;
    Page::read(&answer.body).ok_or_else(|| PullError::Api(api.foreign(&answer)))
}
