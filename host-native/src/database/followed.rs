//! A copy that Litestream follows: `litestream restore -f` writes each change of the main database into it (rule W23,
//! decision 0135).
//!
//! Litestream writes pages in place, under the locks of SQLite, and notes in a file next to the copy which transaction it
//! has come to. It writes that file once all pages are written. So a copy that is newer than its note has pages that
//! belong to a transaction of which others are missing.

use std::{
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use crate::private_file::with_suffix;

/// How long a follower at work may take from a change of the copy to its note. It writes what has come in within its
/// interval, one second, and syncs each file.
const NOTED_WITHIN: Duration = Duration::from_secs(10);

/// The access mode among the flags of an open file, and its value for reading alone.
const ACCESS_MODE: u32 = 0o3;
const READ_ONLY: u32 = 0;

/// The note of a follower: which transaction the copy has come to.
pub(crate) fn note_of(copy: &Path) -> PathBuf {
    with_suffix(&copy.canonicalize().unwrap_or_else(|_| copy.to_owned()), "-txid")
}

/// Whether something follows the main database into this file, or did until it ended.
pub(crate) fn is_followed(database: &Path) -> bool {
    note_of(database).exists()
}

/// Whether a copy has whole transactions, as far as its files tell: what has changed is noted, or a follower is at work
/// on it. To be called while the copy is locked for reading.
pub(super) fn is_whole(copy: &Path) -> bool {
    noted(copy).is_none_or(|(changed, note)| changed <= note || changed.elapsed().is_ok_and(|age| age < NOTED_WITHIN))
}

/// Whether all that was written into a copy is noted. To be called when no follower is at work any more.
pub(super) fn is_noted(copy: &Path) -> bool {
    noted(copy).is_none_or(|(changed, note)| changed <= note)
}

/// When a copy was changed, and when that was noted; `None` for a copy without a note.
fn noted(copy: &Path) -> Option<(SystemTime, SystemTime)> {
    let modified = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    modified(copy).zip(modified(&note_of(copy)))
}

/// The processes that have a file open for writing, with their names, as far as this user may see them.
pub(super) fn writers_of(file: &Path) -> Vec<String> {
    let Ok(sought) = fs::metadata(file) else { return Vec::new() };
    let is_sought =
        |open: &Path| fs::metadata(open).is_ok_and(|found| (found.dev(), found.ino()) == (sought.dev(), sought.ino()));
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
    let is_writing = |process: &Path| {
        let open = fs::read_dir(process.join("fd")).into_iter().flatten().flatten();
        open.into_iter()
            .any(|open| is_sought(&open.path()) && is_open_for_writing(&process.join("fdinfo").join(open.file_name())))
    };
    processes.filter(|process| is_writing(process)).map(|process| name_of(&process)).collect()
}

/// Whether a file is open for writing, by the line `flags:` of its entry in `fdinfo`, which is octal.
fn is_open_for_writing(info: &Path) -> bool {
    let text = fs::read_to_string(info).unwrap_or_default();
    let flags = text.lines().find_map(|line| line.strip_prefix("flags:"));
    flags
        .and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok())
        .is_some_and(|flags| flags & ACCESS_MODE != READ_ONLY)
}

fn name_of(process: &Path) -> String {
    let number = process.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = fs::read_to_string(process.join("comm")).unwrap_or_default();
    format!("process {number} ({})", name.trim())
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    fn set(path: &Path, seconds_ago: u64) {
        let at = SystemTime::now() - Duration::from_secs(seconds_ago);
        File::options().write(true).create(true).truncate(false).open(path).unwrap().set_modified(at).unwrap();
    }

    #[test]
    fn a_copy_that_was_changed_after_its_note_is_not_whole_once_its_follower_has_ended() {
        let directory = tempfile::tempdir().unwrap();
        let copy = directory.path().join("copy.db");
        set(&copy, 100);
        assert_eq!((is_followed(&copy), is_whole(&copy), is_noted(&copy)), (false, true, true), "a copy made by hand");
        set(&note_of(&copy), 90);
        assert_eq!((is_followed(&copy), is_whole(&copy), is_noted(&copy)), (true, true, true));
        set(&copy, 60);
        assert_eq!((is_whole(&copy), is_noted(&copy)), (false, false), "cut short");
        set(&copy, 1);
        assert_eq!((is_whole(&copy), is_noted(&copy)), (true, false), "its follower is at work");
    }

    #[test]
    fn a_process_that_may_write_the_file_is_found() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("copy.db");
        File::create(&file).unwrap();
        let reading = File::open(&file).unwrap();
        assert_eq!(writers_of(&file), Vec::<String>::new());
        let writing = File::options().write(true).open(&file).unwrap();
        let own = std::process::id();
        assert!(writers_of(&file).iter().any(|name| name.starts_with(&format!("process {own} ("))));
        drop((reading, writing));
    }
}
