//! Names of side files, and new files that only their owner can read, because they contain clients (rule D9).

use std::{
    fs::OpenOptions,
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

/// The path with `suffix` appended to its name.
///
/// ```
/// use matterbook::private_file::with_suffix;
///
/// assert_eq!(with_suffix("lists/clients.csv".as_ref(), ".partial").to_str(), Some("lists/clients.csv.partial"));
/// ```
#[must_use]
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Options that create a file for its owner only, whatever the umask. The caller adds the access mode.
///
/// ```
/// use std::os::unix::fs::PermissionsExt as _;
///
/// use matterbook::private_file::owners_only;
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("clients.csv");
/// let file = owners_only().write(true).create(true).open(path)?;
/// assert_eq!(file.metadata()?.permissions().mode() & 0o777, 0o600);
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn owners_only() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}
