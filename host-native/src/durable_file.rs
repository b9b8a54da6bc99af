//! Files that a command leaves behind: written atomically, synced to disk, readable only by their owner.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use rustix::fs::OFlags;

use serde::{Serialize, de::DeserializeOwned};

use crate::private_file::{owners_only, with_suffix};

/// Replaces the file at `path` atomically. After a kill or a power loss it has either the old content or the
/// new, never a part.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let partial = with_suffix(path, ".partial");
    // A file that is there is of a killed command, or of somebody else: neither it nor a link is written to.
    match fs::remove_file(&partial) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = owners_only().write(true).create_new(true).open(&partial)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).inspect_err(|_| {
        let _ = fs::remove_file(&partial);
    })?;
    fs::rename(&partial, path)?;
    sync_directory(path)
}

/// The JSON of a file: `None` without a file, an inner error if its content is something else.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> io::Result<Option<serde_json::Result<T>>> {
    let mut bytes = Vec::new();
    match no_link(OpenOptions::new().read(true), path) {
        Ok(mut file) => file.read_to_end(&mut bytes)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(Some(serde_json::from_slice(&bytes)))
}

/// [`replace`] with a value as JSON.
pub(crate) fn replace_by_json(path: &Path, value: &impl Serialize) -> io::Result<()> {
    replace(path, &serde_json::to_vec_pretty(value)?)
}

/// Gives a file that is synced its name, durably.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_directory(to)
}

/// Removes the file durably.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)?;
    sync_directory(path)
}

/// Opens a file to append after its first `length` bytes and truncates the rest. Creates a missing file.
///
/// # Errors
/// Also when the file is shorter than `length` bytes.
pub(crate) fn append_from(path: &Path, length: u64) -> io::Result<File> {
    let file = no_link(owners_only().append(true).create(length == 0), path)?;
    if file.metadata()?.len() < length {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it is shorter than it was left"));
    }
    file.set_len(length)?;
    sync_directory(path)?;
    Ok(file)
}

/// Opens a file that is no symbolic link: in a directory that others can write to, a link could name any file
/// of this user.
fn no_link(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let no_follow = i32::try_from(OFlags::NOFOLLOW.bits()).map_err(io::Error::other)?;
    options.custom_flags(no_follow).open(path).map_err(|error| {
        let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
        if is_link { io::Error::other("it is a symbolic link, which is not followed") } else { error }
    })
}

/// Syncs the directory: without it a power loss can lose the file's new name.
fn sync_directory(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(parent)?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_is_its_owners_alone() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("state");
        replace(&path, b"first").unwrap();
        replace(&path, b"2").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"2");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "nothing else is left there");
        remove(&path).unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn what_stands_behind_the_known_length_is_cut_off() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("rows");
        append_from(&path, 0).unwrap().write_all(b"one\ntwo\nthr").unwrap();
        append_from(&path, 8).unwrap().write_all(b"three\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\nthree\n");
        assert_eq!(append_from(&path, 99).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(append_from(&place.path().join("none"), 1).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
