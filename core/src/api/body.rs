//! The body of a request, which is read on demand.

/// A body that the host reads on demand.
#[expect(async_fn_in_trait, reason = "Send is inferred at the concrete call; the Worker has none")]
pub trait RequestBody {
    /// The whole body, if it has at most `limit_bytes`. A host counts while it reads, chunked bodies
    /// included. Past the limit it drains a bounded rest, so that the answer is delivered, and fails
    /// with [`BodyError::TooLarge`].
    ///
    /// # Errors
    /// When the body is too large, too slow or incomplete.
    async fn read(self, limit_bytes: usize) -> Result<Vec<u8>, BodyError>;
}

/// Why a body could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// More bytes than the limit → 413.
    #[error("the body is too large")]
    TooLarge,
    /// It did not arrive within the host's time → 408.
    #[error("the body is too slow")]
    TooSlow,
    /// The host's memory for bodies was full for too long (rule W4) → 500 with `Retry-After`.
    #[error("there was no room for the body")]
    NoRoom,
    /// The caller closed the connection, or the framing is wrong → 400.
    #[error("the body broke off")]
    Broken,
}

/// A body that is in memory, as in tests and embedding programs.
impl RequestBody for Vec<u8> {
    async fn read(self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        if self.len() > limit_bytes { Err(BodyError::TooLarge) } else { Ok(self) }
    }
}
