//! What became of one client, in one word (reference section 2.2).

/// What became of one client of a batch, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpsertStatus {
    /// Nobody was found, and it is new.
    Created,
    /// It was found, changed or not.
    Updated,
    /// Somebody is in the way; nothing is saved.
    Conflict,
    /// It cannot be read or says too little; nothing is saved.
    Error,
}

impl UpsertStatus {
    /// Every status, in the reference's order.
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
