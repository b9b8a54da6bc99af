//! The file of rows that were not saved.

use std::{
    ffi::OsStr,
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

use matterbook_import::push::{Refused, error_rows};

use super::PushError;
use crate::{durable_file, private_file::with_suffix};

/// An append-only file of known length. It grows by whole rows.
pub(super) struct ErrorFile<'a> {
    path: &'a Path,
    /// The column names of a table.
    columns: Option<&'a [String]>,
    length: u64,
}

impl<'a> ErrorFile<'a> {
    /// The file of a new push. The error file of an earlier push is renamed, because somebody may be fixing
    /// it.
    pub(super) fn begin(path: &'a Path, columns: Option<&'a [String]>) -> Result<Self, PushError> {
        match fs::rename(path, previous(path)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(PushError::Errors(path.to_owned(), error)),
            _ => Ok(Self { path, columns, length: 0 }),
        }
    }

    /// The file of a resumed push. Rows after `length` belong to a batch that is sent again, so they are cut
    /// off.
    pub(super) fn go_on(path: &'a Path, columns: Option<&'a [String]>, length: u64) -> Result<Self, PushError> {
        if length > 0 {
            durable_file::append_from(path, length).map_err(|error| PushError::Errors(path.to_owned(), error))?;
        }
        Ok(Self { path, columns, length })
    }

    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    /// The path of the file, if it exists.
    pub(super) fn path(&self) -> Option<PathBuf> {
        (self.length > 0).then(|| self.path.to_owned())
    }

    /// Writes rows and syncs them to disk.
    pub(super) fn append(&mut self, refused: &[Refused<'_>]) -> Result<(), PushError> {
        if refused.is_empty() {
            return Ok(());
        }
        let text = error_rows(self.columns, refused, self.length == 0);
        let added = text.and_then(|text| {
            let mut file = durable_file::append_from(self.path, self.length)?;
            file.write_all(&text)?;
            file.sync_all()?;
            Ok(text.len())
        });
        let bytes = added.map_err(|error| PushError::Errors(self.path.to_owned(), error))?;
        self.length = self.length.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
        Ok(())
    }
}

/// The default path: for `clients.csv.errors.csv` it is `clients.csv.errors.2.csv`, and for that file
/// `clients.csv.errors.3.csv`.
pub(super) fn default_path(file: &Path, is_table: bool, is_dry_run: bool) -> PathBuf {
    let run = if is_dry_run { ".dry-run" } else { "" };
    let kind = if is_table { "csv" } else { "ndjson" };
    let name = file.file_name().and_then(OsStr::to_str);
    match name.and_then(|name| round(name, kind)) {
        Some((first, round)) => file.with_file_name(format!("{first}{run}.errors.{}.{kind}", round.saturating_add(1))),
        None => with_suffix(file, &format!("{run}.errors.{kind}")),
    }
}

/// The original file's name in an error file's name, and the number of pushes since.
fn round<'a>(name: &'a str, kind: &str) -> Option<(&'a str, u32)> {
    let (first, rest) = name.rsplit_once(".errors.")?;
    let round = if rest == kind { 1 } else { rest.strip_suffix(kind)?.strip_suffix('.')?.parse().ok()? };
    Some((first.strip_suffix(".dry-run").unwrap_or(first), round))
}

/// `clients.csv.errors.csv` → `clients.csv.errors.previous.csv`
fn previous(path: &Path) -> PathBuf {
    let extension = path.extension().map(|extension| extension.to_string_lossy()).unwrap_or_default();
    path.with_extension(format!("previous.{extension}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_named_after_the_input() {
        let path = Path::new("data/clients.csv");
        assert_eq!(default_path(path, true, false), Path::new("data/clients.csv.errors.csv"));
        assert_eq!(default_path(Path::new("c.jsonl"), false, true), Path::new("c.jsonl.dry-run.errors.ndjson"));
        for (pushed, errors) in [
            ("clients.csv.errors.csv", "clients.csv.errors.2.csv"),
            ("clients.csv.errors.2.csv", "clients.csv.errors.3.csv"),
            ("clients.csv.dry-run.errors.csv", "clients.csv.errors.2.csv"),
            ("clients.csv.errors.previous.csv", "clients.csv.errors.previous.csv.errors.csv"),
            ("clients.csv.errors.xlsx", "clients.csv.errors.xlsx.errors.csv"),
            ("the.errors.of.csv", "the.errors.of.csv.errors.csv"),
        ] {
            assert_eq!(default_path(&Path::new("data").join(pushed), true, false), Path::new("data").join(errors));
        }
        let again = Path::new("clients.csv.errors.csv");
        assert_eq!(default_path(again, true, true), Path::new("clients.csv.dry-run.errors.2.csv"));
        assert_eq!(
            default_path(Path::new("c.errors.4294967295.csv"), true, true),
            Path::new("c.dry-run.errors.4294967295.csv")
        );
        assert_eq!(default_path(Path::new("c.errors.ndjson"), false, false), Path::new("c.errors.2.ndjson"));
        assert_eq!(previous(Path::new("clients.csv.errors.csv")), Path::new("clients.csv.errors.previous.csv"));
    }
}
