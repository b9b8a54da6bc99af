//! Why a file cannot be read.

use std::path::Path;

/// Why a file cannot be read at all, or from a row on: a sentence that says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// A usage error, such as a `--map` that names no column.
    #[error("{0}")]
    Usage(String),
    /// The file's content is invalid.
    #[error("{0}")]
    Refused(String),
}

impl ReadError {
    /// The system's error on opening or reading a file.
    #[must_use]
    pub fn io(name: &str, error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::NotFound => Self::Refused(format!("There is no file {name}.")),
            std::io::ErrorKind::IsADirectory => Self::Refused(format!("{name} is a directory: name a file in it.")),
            _ => Self::Refused(format!("{name} cannot be read: {error}.")),
        }
    }
}

/// The name of a file in sentences.
#[must_use]
pub fn name_of(path: &Path) -> String {
    if super::is_standard_input(path) { "Standard input".to_owned() } else { path.display().to_string() }
}
