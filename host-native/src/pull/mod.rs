//! Copies an account's clients or prospects, page by page, and goes on the next time from where it was.
//!
//! The cursor that is kept is the last one that was not `null`. The page behind it
//! comes again the next time, so the digests of its rows are kept beside it, and rows that are as they
//! were are not written twice. Into a file, each page is put on the disk before the state that counts it,
//! with the file's length: after a kill, what the state does not count is cut off and comes again. A
//! stream cannot be cut: after a kill it may get the rows of one page twice.

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
/// How often a walk begins anew because the account's counties change under it.
const STALE_CURSORS: u32 = 3;

/// What to pull, and where to.
pub(crate) struct Pull<'a> {
    /// Which list of which account; see [`Subject`].
    pub(crate) subject: Subject,
    /// The file; `None` for `stream`.
    pub(crate) file: Option<&'a Path>,
    /// Where rows go without a file.
    pub(crate) stream: &'a mut dyn Write,
    /// Where the state is kept; `None` for nowhere: the whole list is walked each time.
    pub(crate) state: Option<&'a Path>,
    /// Whether to begin anew in spite of a state.
    pub(crate) restarts: bool,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Report {
    /// How many rows were written.
    pub(crate) rows: u64,
    /// Whether it went on from an earlier pull.
    pub(crate) went_on: bool,
    /// How often the walk began anew because the account's counties had changed.
    pub(crate) stale_cursors: u32,
}

/// Why a pull stopped. What was written stays, and the next one goes on behind it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PullError {
    /// The service.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// The kept cursor is none of the service's any more.
    #[error("{0} The kept state does not fit the service any more: --restart walks the whole list again.")]
    Cursor(ApiError),
    /// A page is not what it should be.
    #[error("The service's answer cannot be trusted: {0}")]
    Answer(String),
    /// The rows.
    #[error("The rows cannot be written to {0}: {1}. Fix that, and the same command goes on.")]
    Output(String, #[source] io::Error),
    /// The state.
    #[error("The state of this pull cannot be kept in {path}: {1}. Make room there, or name another file with --state.",
            path = .0.display())]
    State(PathBuf, #[source] io::Error),
    /// It is not begun.
    #[error("{0}")]
    Refused(String),
}

impl PullError {
    /// Whether nobody reads the stream any more, as after `head`.
    #[must_use]
    pub(crate) fn is_unread(&self) -> bool {
        matches!(self, Self::Output(_, error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Walks the list to its end, and calls `progress` with how many rows are written.
///
/// # Errors
/// When it cannot go on. What was written stays, and the same call goes on behind it.
pub(crate) fn pull(pull: Pull<'_>, api: &mut ApiClient<'_>, progress: &dyn Fn(u64)) -> Result<Report, PullError> {
    let Pull { subject, file, stream, state: state_path, restarts } = pull;
    let found = match state_path {
        Some(path) if !restarts => find(path, &subject)?,
        _ => None,
    };
    let (listing, format) = (subject.listing, subject.format);
    let mut output = match file {
        Some(path) => Output::file(path, found.as_ref(), listing, format)?,
        None => Output::stream(listing, format, stream),
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

/// The state that an earlier pull of the subject left; `None` where there is none.
fn find(path: &Path, subject: &Subject) -> Result<Option<State>, PullError> {
    let found = durable_file::read_json(path).map_err(|error| PullError::State(path.to_owned(), error))?;
    let state = found.map(|found| State::resume(found, &path.display().to_string(), subject));
    state.transpose().map_err(PullError::Refused)
}

fn page(api: &mut ApiClient<'_>, listing: Listing, cursor: Option<&str>) -> Result<Page, PullError> {
    // A cursor is safe in a URL as it is.
    let cursor = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
    let answer = api.get(&format!("/{}?limit={PAGE_ROWS}{cursor}", listing.name()))?;
    Page::read(&answer.body).ok_or_else(|| PullError::Api(api.foreign(&answer)))
}
