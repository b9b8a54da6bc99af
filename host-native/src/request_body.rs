//! The body of a request, from a connection or from memory.

use matterbook_core::api::{BodyError, RequestBody};

use crate::http::HttpBody;

/// A body of either kind. One type for both avoids a second copy of the generic code.
pub(crate) enum AnyBody {
    Connection(HttpBody),
    Memory(Vec<u8>),
}

impl RequestBody for AnyBody {
    async fn read(self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        match self {
            Self::Connection(body) => body.read(limit_bytes).await,
            Self::Memory(body) => body.read(limit_bytes).await,
        }
    }
}
