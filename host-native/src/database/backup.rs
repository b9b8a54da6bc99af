//! A copy of the file as it stands at one moment, while it is being written (design section 9).

use std::{fs::File, path::Path};

use super::{DatabaseError, connection, connection::create_private_file};

/// Copies the database at `source` into a new file at `target`, which only its owner may read.
/// Reading for the copy holds up neither readers nor the writer.
///
/// # Errors
/// When `target` exists, or either file cannot be used. Nothing is left behind then.
pub fn backup(source: &Path, target: &Path) -> Result<(), DatabaseError> {
    let refused = |cause: String| DatabaseError::Backup { path: target.to_owned(), cause };
    let reader = connection::open_reader(source, connection::READER_CACHE_KIB)?;
    // The source stays closed to writing by how it was opened; the copy has to be written.
    reader.pragma_update(None, "query_only", false).map_err(|error| refused(error.to_string()))?;
    let Some(target_text) = target.to_str() else {
        return Err(refused("its name is not UTF-8".to_owned()));
    };
    create_private_file(target).map_err(|error| refused(error.to_string()))?;
    // SQLite writes into an empty file that is already there, and leaves syncing it to us.
    let copied = reader
        .execute("vacuum into ?1", [target_text])
        .map_err(|error| error.to_string())
        .and_then(|_| File::open(target).and_then(|file| file.sync_all()).map_err(|error| error.to_string()));
    copied.map_err(|cause| {
        let _ = std::fs::remove_file(target);
        refused(cause)
    })
}
