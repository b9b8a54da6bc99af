//! The key secret of a database: from the environment, or in a file beside the database that only its owner can
//! read (rule K10, decision 0065).

use std::{
    fs::OpenOptions,
    io::{self, ErrorKind, Read as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use matterbook_core::{
    key::{KEY_SECRET, KeySecretCheck, KeySecrets, new_secret},
    platform::Platform as _,
};
use rustix::fs::OFlags;

use crate::{platform::SystemPlatform, private_file::with_suffix};

/// More than two secrets with separators. A longer file is something else.
const BYTES_MAX: u64 = 1_024;

/// Why a database has no usable key secret: sentences for the operator, without anything of the secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeySecretError {
    /// The file has been left behind.
    #[error(
        "The key secret of the database {database} is missing: its API keys were made with the one in the file \
         {file}. Bring that file along from where the database was, or set {KEY_SECRET} to what it holds.",
        database = database.display(), file = file.display()
    )]
    Missing {
        /// The database.
        database: PathBuf,
        /// Where the secret belongs.
        file: PathBuf,
    },
    /// It is the secret of another database.
    #[error(
        "{origin} is not the key secret that the API keys of the database {database} were made with: every key \
         would be refused. Give it the secret from where the database was. To change secrets, name the new one and \
         the old one, with a comma between them.",
        database = database.display()
    )]
    Wrong {
        /// The database.
        database: PathBuf,
        /// Where the secret was read.
        origin: String,
    },
    /// It cannot be read, or made.
    #[error("The key secret {file} cannot be used: {cause}.", file = file.display())]
    Unusable {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
}

/// Where the secret of a database is kept.
#[must_use]
pub fn key_secret_file(database: &Path) -> PathBuf {
    with_suffix(database, ".key-secret")
}

/// The secrets of a database whose keys were made with those of the check values `recorded`. Without `given`
/// they are in the file, which the first start makes.
pub(crate) fn find_or_make(
    database: &Path,
    given: Option<&KeySecrets>,
    recorded: &[KeySecretCheck],
) -> Result<KeySecrets, KeySecretError> {
    let file = key_secret_file(database);
    if given.is_none() && recorded.is_empty() && read(&file)?.is_none() {
        return make(&file);
    }
    find(database, given, recorded)
}

/// The secrets as [`find_or_make`] has them, without making any.
pub(crate) fn find(
    database: &Path,
    given: Option<&KeySecrets>,
    recorded: &[KeySecretCheck],
) -> Result<KeySecrets, KeySecretError> {
    let file = key_secret_file(database);
    let (secrets, origin) = match given {
        Some(given) => (given.clone(), KEY_SECRET.to_owned()),
        None => {
            let missing = || KeySecretError::Missing { database: database.to_owned(), file: file.clone() };
            let secrets = read(&file)?.ok_or_else(missing)?;
            (secrets, format!("What the file {} holds", file.display()))
        }
    };
    if secrets.fit(recorded) {
        Ok(secrets)
    } else {
        Err(KeySecretError::Wrong { database: database.to_owned(), origin })
    }
}

/// The secrets in the file; `None` where there is none.
pub(crate) fn read(file: &Path) -> Result<Option<KeySecrets>, KeySecretError> {
    let unusable = |cause: String| KeySecretError::Unusable { file: file.to_owned(), cause };
    match read_text(file) {
        Ok(text) => KeySecrets::parse(&text).map(Some).map_err(|_| {
            unusable("it holds something else than one or two key secrets as `matterbook secret` makes them".to_owned())
        }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
            Err(unusable("it is a link; put the file itself there".to_owned()))
        }
        Err(error) => Err(unusable(error.to_string())),
    }
}

/// The text of the file. A link in its place is not followed: it could name a file of somebody else.
fn read_text(file: &Path) -> io::Result<String> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    let opened = OpenOptions::new().read(true).custom_flags(i32::try_from(flags).unwrap_or(0)).open(file)?;
    if !opened.metadata()?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let mut text = String::new();
    opened.take(BYTES_MAX).read_to_string(&mut text)?;
    Ok(text)
}

/// Makes the file with a new secret. It appears whole or not at all, for its owner only, and never replaces one:
/// of two programs that start at once, both use the secret of the first.
fn make(file: &Path) -> Result<KeySecrets, KeySecretError> {
    let unusable = |cause: String| KeySecretError::Unusable { file: file.to_owned(), cause };
    let secret = new_secret(SystemPlatform::default().random());
    match keep(file, &secret) {
        Ok(()) => KeySecrets::parse(&secret).map_err(|error| unusable(error.to_string())),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            read(file)?.ok_or_else(|| unusable("it was removed a moment ago".to_owned()))
        }
        Err(error) => Err(unusable(error.to_string())),
    }
}

fn keep(file: &Path, secret: &str) -> io::Result<()> {
    let directory = file.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Its mode is 0600, whatever the umask.
    let mut new = tempfile::Builder::new().prefix(".key-secret-").tempfile_in(directory)?;
    writeln!(new, "{secret}")?;
    new.as_file().sync_all()?;
    new.persist_noclobber(file).map_err(|refused| refused.error)?;
    std::fs::File::open(directory)?.sync_all()
}

/// Copies the secret of a database to where that of its copy belongs. `None` where the database has no file.
pub(crate) fn copy(source: &Path, target: &Path) -> Result<Option<PathBuf>, KeySecretError> {
    let (from, to) = (key_secret_file(source), key_secret_file(target));
    if read(&from)?.is_none() {
        return Ok(None);
    }
    let text = read_text(&from).map_err(|error| KeySecretError::Unusable { file: from, cause: error.to_string() })?;
    match keep(&to, text.trim()) {
        Ok(()) => Ok(Some(to)),
        // A backup that was cut short left it.
        Err(error)
            if error.kind() == ErrorKind::AlreadyExists
                && read_text(&to).is_ok_and(|kept| kept.trim() == text.trim()) =>
        {
            Ok(Some(to))
        }
        Err(error) => Err(KeySecretError::Unusable { file: to, cause: error.to_string() }),
    }
}
