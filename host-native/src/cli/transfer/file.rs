//! The file of an account: a line of JSON with the account, a line for each row, and a last line with the number of the
//! rows and their digest.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read as _},
    path::Path,
};

use matterbook_core::store::TransferDigest;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The longest line. A row has fewer than 2,000,000 bytes, and may be escaped.
const LINE_BYTES_MAX: u64 = 16_000_000;

/// The last line.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct End {
    pub(super) rows: u32,
    pub(super) digest: String,
}

/// A file whose digest is right.
#[derive(Debug)]
pub(super) struct AccountFile {
    reader: BufReader<File>,
    /// The first line.
    pub(super) head: String,
    pub(super) account: Uuid,
    pub(super) end: End,
}

#[derive(Deserialize)]
struct Head {
    account: Uuid,
}

impl AccountFile {
    /// Reads the whole file once, with one line at a time in memory.
    ///
    /// # Errors
    /// A sentence when it cannot be read, is no such file, is cut off or was changed.
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let name = path.display();
        let unreadable = |error: io::Error| format!("{name} cannot be read: {error}.");
        let mut reader = BufReader::new(File::open(path).map_err(unreadable)?);
        let head = line(&mut reader).map_err(unreadable)?.unwrap_or_default();
        let Ok(Head { account }) = serde_json::from_str(&head) else {
            return Err(format!("{name} is no account that matterbook account export wrote."));
        };
        let mut digest = TransferDigest::of_head(&head);
        let mut rows = 0;
        let end = loop {
            match line(&mut reader).map_err(unreadable)? {
                Some(row) if row.starts_with('[') => {
                    digest = digest.and_row(&row);
                    rows += 1;
                }
                Some(end) => break serde_json::from_str::<End>(&end).ok(),
                None => break None,
            }
        };
        let Some(end) = end else {
            return Err(format!("{name} is cut off: its last line is missing. Export the account again."));
        };
        let is_last = line(&mut reader).map_err(unreadable)?.is_none();
        if !is_last || end != (End { rows, digest: digest.to_text() }) {
            return Err(format!(
                "{name} was changed since it was written: its rows do not have the digest of its last line. Export \
                 the account again."
            ));
        }
        let mut reader = BufReader::new(File::open(path).map_err(unreadable)?);
        line(&mut reader).map_err(unreadable)?;
        Ok(Self { reader, head, account, end })
    }

    /// The next row.
    ///
    /// # Errors
    /// When the file cannot be read any more.
    pub(super) fn row(&mut self) -> Result<Option<String>, String> {
        let row = line(&mut self.reader).map_err(|error| format!("The file cannot be read any more: {error}."))?;
        Ok(row.filter(|row| row.starts_with('[')))
    }
}

/// The next line without its end; `None` at the end of the file, and where a line does not end.
fn line(reader: &mut BufReader<File>) -> io::Result<Option<String>> {
    let mut line = String::new();
    reader.by_ref().take(LINE_BYTES_MAX).read_line(&mut line)?;
    Ok(line.strip_suffix('\n').map(str::to_owned))
}
