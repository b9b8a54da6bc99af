//! The destination of the rows: a file of known length, or a stream.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Write},
    path::Path,
};

use matterbook_import::pull::{Format, Listing, State, rows_text};
use serde_json::value::RawValue;

use super::PullError;
use crate::durable_file;

/// The output of a pull.
pub(super) struct Output<'a> {
    listing: Listing,
    format: Format,
    has_safe_cells: bool,
    target: Target<'a>,
    has_names: bool,
    length: u64,
}

enum Target<'a> {
    File(&'a Path, File),
    Stream(&'a mut dyn Write),
}

impl<'a> Output<'a> {
    pub(super) fn stream(listing: Listing, format: Format, has_safe_cells: bool, stream: &'a mut dyn Write) -> Self {
        Self { listing, format, has_safe_cells, target: Target::Stream(stream), has_names: false, length: 0 }
    }

    /// Opens the file at the length in the state. A missing file is created again and gets only the rows that
    /// are new since.
    pub(super) fn file(
        path: &'a Path,
        state: Option<&State>,
        listing: Listing,
        format: Format,
        has_safe_cells: bool,
    ) -> Result<Self, PullError> {
        let shown = path.display();
        let found = match fs::metadata(path) {
            Ok(metadata) => Some(metadata.len()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(PullError::Output(path.display().to_string(), error)),
        };
        let length = match (found, state) {
            (None, _) => 0,
            (Some(_), None) => {
                return Err(PullError::Refused(format!(
                    "{shown} is there already, and this pull does not go on with it. Move it away or name another file."
                )));
            }
            (Some(found), Some(state)) if found == state.output_bytes => found,
            (Some(found), Some(state)) if found > state.output_bytes && !state.is_finished => state.output_bytes,
            (Some(_), Some(_)) => {
                return Err(PullError::Refused(format!(
                    "{shown} was changed since the last pull. Move it away: then the next pull writes what is new since \
                     into a new file."
                )));
            }
        };
        let file =
            durable_file::append_from(path, length).map_err(|error| PullError::Output(shown.to_string(), error))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(PullError::Refused(format!("Another pull into {shown} is under way.")));
        }
        Ok(Self { listing, format, has_safe_cells, target: Target::File(path, file), has_names: length > 0, length })
    }

    /// Writes rows; a file is also synced to disk.
    pub(super) fn write(&mut self, rows: &[&RawValue]) -> Result<(), PullError> {
        let text = rows_text(self.listing, self.format, rows, !self.has_names, self.has_safe_cells);
        let text = text.map_err(|error| PullError::Answer(format!("a row of it cannot be read: {error}.")))?;
        self.has_names = true;
        self.length = self.length.saturating_add(u64::try_from(text.len()).unwrap_or(u64::MAX));
        match &mut self.target {
            Target::File(path, file) => file
                .write_all(&text)
                .and_then(|()| file.sync_data())
                .map_err(|error| PullError::Output(path.display().to_string(), error)),
            Target::Stream(stream) => stream
                .write_all(&text)
                .and_then(|()| stream.flush())
                .map_err(|error| PullError::Output("the output".to_owned(), error)),
        }
    }

    /// The length of the file in bytes; 0 for a stream.
    pub(super) const fn length(&self) -> u64 {
        match self.target {
            Target::File(..) => self.length,
            Target::Stream(_) => 0,
        }
    }
}
