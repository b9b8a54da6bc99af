//! The status of one result (rule H28).

/// The status of one client of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpsertStatus {
    /// No client matched; it is new.
    Created,
    /// It matched a client, changed or not.
    Updated,
    /// It conflicts with another client; nothing is saved.
    Conflict,
    /// It is invalid or incomplete; nothing is saved.
    Error,
}

impl UpsertStatus {
    /// Every status.
    pub const ALL: [Self; 4] = [Self::Created, Self::Updated, Self::Conflict, Self::Error];

    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Conflict => "conflict",
            Self::Error => "error",
        }
    }
}
