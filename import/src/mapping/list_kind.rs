//! What a file lists.

/// What a file lists: its columns are mapped to the fields of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListKind {
    /// Clients, for `POST /clients`.
    #[default]
    Clients,
    /// People in crashes, for the import of prospects.
    Prospects,
}

impl ListKind {
    /// One of them, in a sentence.
    #[must_use]
    pub const fn one(self) -> &'static str {
        match self {
            Self::Clients => "client",
            Self::Prospects => "person in a crash",
        }
    }
}
