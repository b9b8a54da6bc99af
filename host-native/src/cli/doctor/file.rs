//! The database's files from outside: existence, owner and permissions.

use std::{
    fs::{File, Metadata},
    io::Read as _,
    os::unix::fs::MetadataExt as _,
    path::Path,
};

use crate::private_file::with_suffix;

use super::finding::{Finding, size};

/// The first bytes of every SQLite database.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// The offset of the write version, and its value for a write-ahead log.
const WRITE_VERSION_AT: usize = 18;
const WRITE_AHEAD: u8 = 2;
/// A checkpoint runs after each 16 MiB of log. A log of four times that size means that something blocks it.
const LOG_BYTES_MAX: u64 = 64 << 20;

/// Checks the database, its side files and its directory. `false` if there is no database to open.
pub(super) fn examine(database: &Path, findings: &mut Vec<Finding>) -> bool {
    let shown = database.display();
    let metadata = match database.metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let fix = "Name another by --db or MATTERBOOK_DB, or make one: matterbook account create, or serve.";
            findings.push(Finding::wrong("file", format!("There is no database {shown}."), fix));
            return false;
        }
        Err(error) => {
            let fix = "Run this as the user that the service runs as.";
            findings.push(Finding::wrong("file", format!("{shown} cannot be looked at: {error}."), fix));
            return false;
        }
    };
    let is_database = begins_as_database(database, &metadata, findings);
    modes(database, findings);
    directory(database, &metadata, findings);
    log(database, findings);
    is_database
}

fn begins_as_database(database: &Path, metadata: &Metadata, findings: &mut Vec<Finding>) -> bool {
    let shown = database.display();
    let restore = "Restore a backup, or name the database by --db or MATTERBOOK_DB.";
    if !metadata.is_file() {
        findings.push(Finding::wrong("file", format!("{shown} is not a file."), restore));
        return false;
    }
    let mut head = Vec::new();
    if let Err(error) = File::open(database).and_then(|file| file.take(100).read_to_end(&mut head)) {
        let fix = "Run this as the user that the service runs as.";
        findings.push(Finding::wrong("file", format!("{shown} cannot be read: {error}."), fix));
        return false;
    }
    if head.is_empty() {
        let message = format!("{shown} is empty: a start that was cut short leaves it so.");
        findings.push(Finding::warn(
            "file",
            message,
            "The next start makes a database of it. To have data, restore a backup.",
        ));
        return false;
    }
    if !head.starts_with(MAGIC) {
        findings.push(Finding::wrong("file", format!("{shown} is no SQLite database."), restore));
        return false;
    }
    findings.push(Finding::ok("file", format!("{shown}, {}.", size(metadata.len()))));
    findings.push(if head.get(WRITE_VERSION_AT) == Some(&WRITE_AHEAD) {
        Finding::ok("journal", "It has a write-ahead log.")
    } else {
        let fix = "Of a backup this is as it should be, and the first start turns it on. Of a database that was \
                    served it is not: some tool has changed it. Let only Matterbook write the file.";
        Finding::warn(
            "journal",
            "It has no write-ahead log, with which readers and the writer do not wait for each other.",
            fix,
        )
    });
    true
}

/// Checks that only the owner can read or write the files (rule D9).
fn modes(database: &Path, findings: &mut Vec<Finding>) {
    let mut are_private = true;
    for ending in ["", "-wal", "-shm", ".key-secret"] {
        let file = with_suffix(database, ending);
        let Ok(metadata) = file.metadata() else { continue };
        let mode = metadata.mode() & 0o7777;
        if mode & 0o077 != 0 {
            are_private = false;
            let message = format!("{} can be opened by others than its owner (mode {mode:o}).", file.display());
            findings.push(Finding::wrong("file mode", message, format!("chmod 600 {}", quoted(&file))));
        }
    }
    if are_private {
        findings.push(Finding::ok("file mode", "Only the owner may read and write the files."));
    }
}

/// Checks the directory: every user who can write to it can replace the database.
fn directory(database: &Path, file: &Metadata, findings: &mut Vec<Finding>) {
    let directory = match database.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let Ok(metadata) = directory.metadata() else { return };
    let (mode, shown) = (metadata.mode() & 0o7777, directory.display());
    let close = format!("chmod 700 {}", quoted(directory));
    // In a sticky directory such as /tmp only a file's owner can replace it.
    let is_sticky = mode & 0o1000 != 0;
    findings.push(if mode & 0o022 != 0 && !is_sticky {
        let message = format!(
            "Others than its owner may write the directory {shown}, and so replace the database (mode {mode:o})."
        );
        Finding::wrong("directory", message, close)
    } else if metadata.uid() != file.uid() && metadata.uid() != 0 && !is_sticky {
        let message =
            format!("The directory {shown} belongs to user {}, the database to user {}.", metadata.uid(), file.uid());
        Finding::warn("directory", message, format!("chown {} {}", file.uid(), quoted(directory)))
    } else if mode & 0o200 == 0 || (metadata.uid() != file.uid() && !is_sticky) {
        let message =
            format!("The database's owner may not write the directory {shown}: SQLite cannot create its log there.");
        Finding::wrong("directory", message, format!("chown {0} {1} && chmod 700 {1}", file.uid(), quoted(directory)))
    } else if mode & 0o077 != 0 {
        Finding::warn(
            "directory",
            format!("Others than its owner may enter the directory {shown} (mode {mode:o})."),
            close,
        )
    } else {
        Finding::ok("directory", format!("Only its owner may enter {shown}."))
    });
}

fn log(database: &Path, findings: &mut Vec<Finding>) {
    let Ok(metadata) = with_suffix(database, "-wal").metadata() else {
        findings.push(Finding::ok("log", "There is none: the database was closed."));
        return;
    };
    let bytes = metadata.len();
    findings.push(if bytes > LOG_BYTES_MAX {
        let fix = "Find what keeps a reading transaction open, such as a tool or a copy that hangs, and end it; \
                    where nothing does, restart the service.";
        Finding::warn("log", format!("The write-ahead log has {}: it is not copied into the file.", size(bytes)), fix)
    } else {
        Finding::ok("log", format!("The write-ahead log has {}.", size(bytes)))
    });
}

/// A path quoted for a shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_can_be_pasted_into_a_shell() {
        assert_eq!(quoted(Path::new("/var/lib/m-1.db")), "/var/lib/m-1.db");
        assert_eq!(quoted(Path::new("/o'hare/a b")), r"'/o'\''hare/a b'");
    }
}
