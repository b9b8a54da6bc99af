//! A followed copy becomes a database of its own (rule W24).

use std::{fs, io, path::Path};

use matterbook_core::{key::KeySecrets, time::Timestamp};
use matterbook_store_sql::examine::QUICK;

use super::{DatabaseError, connection::open_reader, followed, newest_change_at, recorded_key_secrets};
use crate::key_secret_file;

/// Makes a copy, whose follower has ended, a database that may be written. Returns the time of its newest change: what
/// the main service saved later is missing. `key_secrets` are those of the environment.
///
/// # Errors
/// When the file is not followed, its follower is still at work or was cut short, its pages do not fit together, or its
/// key secret is missing. The copy is as it was then.
pub fn take_over(copy: &Path, key_secrets: Option<&KeySecrets>) -> Result<Option<Timestamp>, DatabaseError> {
    let path = copy.to_owned();
    let refused = |cause: &dyn ToString| DatabaseError::Open { path: copy.to_owned(), cause: cause.to_string() };
    if !followed::is_followed(copy) {
        return Err(DatabaseError::NotFollowed { path });
    }
    let writers = followed::writers_of(copy);
    if !writers.is_empty() {
        return Err(DatabaseError::StillFollowed { path, by: writers.join(", ") });
    }
    if !followed::is_noted(copy) {
        return Err(DatabaseError::CutShort { path });
    }
    let connection = open_reader(copy)?;
    let verdict: String = connection.query_row(QUICK, [], |row| row.get(0)).map_err(|error| refused(&error))?;
    if verdict != "ok" {
        return Err(refused(&format_args!("its pages do not fit together ({verdict}): restore another copy")));
    }
    let recorded = recorded_key_secrets(&connection).map_err(|error| refused(&error))?;
    key_secret_file::find(copy, key_secrets, &recorded)?;
    let newest = newest_change_at(&connection).map_err(|error| refused(&error))?;
    drop(connection);
    // From now on no follower continues with this file: Litestream does so by its note alone.
    remove(&followed::note_of(copy)).map_err(|error| refused(&error))?;
    Ok(newest)
}

/// Removes a file for good.
fn remove(file: &Path) -> io::Result<()> {
    fs::remove_file(file)?;
    let directory = file.parent().filter(|directory| !directory.as_os_str().is_empty());
    fs::File::open(directory.unwrap_or(Path::new(".")))?.sync_all()
}
