//! Copies the database as of one moment, while it is being written (rule L8).

use std::{fs::File, io::ErrorKind, path::Path};

use super::{DatabaseError, connection, connection::create_private_file};
use crate::private_file::with_suffix;

/// Copies the database at `source` into a new file at `target`, which only its owner may read.
/// Reading for the copy holds up neither readers nor the writer. Until the copy is whole and on the
/// disk, it has another name, with `.partial` at its end: so what has the name of a backup is one,
/// also after a crash.
///
/// # Errors
/// When `target` exists, or either file cannot be used. Nothing is left behind then.
pub fn backup(source: &Path, target: &Path) -> Result<(), DatabaseError> {
    let refused = |cause: String| DatabaseError::Backup { path: target.to_owned(), cause };
    let reader = connection::open_reader(source)?;
    // The source stays closed to writing by how it was opened; the copy has to be written.
    reader.pragma_update(None, "query_only", false).map_err(|error| refused(error.to_string()))?;
    if target.symlink_metadata().is_ok() {
        return Err(refused("it exists already".to_owned()));
    }
    let partial = with_suffix(target, ".partial");
    let Some(partial_text) = partial.to_str() else {
        return Err(refused("its name is not UTF-8".to_owned()));
    };
    create_private_file(&partial).map_err(|error| refused(not_created(&partial, &error)))?;
    // SQLite writes into an empty file that is already there, and leaves syncing it to us.
    let copied = reader
        .execute("vacuum into ?1", [partial_text])
        .map_err(|error| error.to_string())
        .and_then(|_| keep(&partial, target).map_err(|error| error.to_string()));
    copied.map_err(|cause| {
        let _ = std::fs::remove_file(&partial);
        refused(cause)
    })
}

fn not_created(partial: &Path, error: &std::io::Error) -> String {
    if error.kind() == ErrorKind::AlreadyExists {
        let partial = partial.display();
        return format!("{partial} is there: another backup is writing it, or one was cut short and it can be removed");
    }
    error.to_string()
}

/// Puts the whole copy on the disk, and gives it its name.
fn keep(partial: &Path, target: &Path) -> std::io::Result<()> {
    File::open(partial)?.sync_all()?;
    // A link is never put over a file that came meanwhile; not every file system has links.
    match std::fs::hard_link(partial, target) {
        Ok(()) => std::fs::remove_file(partial)?,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(error),
        Err(_) => std::fs::rename(partial, target)?,
    }
    let directory = target.parent().filter(|directory| !directory.as_os_str().is_empty());
    File::open(directory.unwrap_or(Path::new(".")))?.sync_all()
}
