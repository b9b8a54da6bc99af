//! The body of a request, read only when it is wanted.

/// A body that the host reads when asked.
#[expect(async_fn_in_trait, reason = "Send is inferred at the concrete call; the Worker has none")]
pub trait RequestBody {
    /// The whole body, if it has at most `limit_bytes`. A host counts while it reads, chunked
    /// bodies included; past the limit it stops keeping, drains a bounded rest so that the answer
    /// is delivered, and fails with [`BodyError::TooLarge`].
    ///
    /// # Errors
    /// When the body is too large, too slow or broken off.
    async fn read(self, limit_bytes: usize) -> Result<Vec<u8>, BodyError>;
}

/// Why a body could not be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// More bytes than the limit → 413.
    #[error("the body is too large")]
    TooLarge,
    /// It did not arrive within the host's time → 408.
    #[error("the body is too slow")]
    TooSlow,
    /// The bodies of others left the host no memory for it within its time → 500 with `Retry-After`.
    #[error("there was no room for the body")]
    NoRoom,
    /// The caller went away, or its framing is wrong → 400.
    #[error("the body broke off")]
    Broken,
}

/// A body that is already here, as tests and embedding programs have it.
impl RequestBody for Vec<u8> {
    async fn read(self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        if self.len() > limit_bytes { Err(BodyError::TooLarge) } else { Ok(self) }
    }
}
