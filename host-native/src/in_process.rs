//! The whole service for a caller in the same process: the rules over a file, without a socket.

use std::path::Path;

use http::{Request, Response};
use matterbook_core::{api::Api, settings::Settings};

use crate::{
    NativeApi,
    database::{Database, DatabaseError, QueueLimits},
    gate::MemoryGate,
    platform::SystemPlatform,
    request_body::AnyBody,
};

/// The service of a file that may be served at the same time.
pub struct InProcess(Box<NativeApi>);

impl InProcess {
    /// Opens the file, creates it where there is none, and brings its schema up to date. The time is what
    /// `platform` tells.
    ///
    /// ```
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # let directory = tempfile::tempdir()?;
    /// # let file = directory.path().join("matterbook.db");
    /// use matterbook_core::settings::Settings;
    /// use matterbook::{InProcess, platform::SystemPlatform};
    ///
    /// let service = InProcess::open(&file, Settings::default(), SystemPlatform::default())?;
    /// let request = http::Request::builder().uri("/healthz").body(Vec::new())?;
    /// assert_eq!(runtime.block_on(service.answer(request)).status(), 200);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the file cannot be used, is of a newer schema, or no thread can be started.
    pub fn open(file: &Path, rules: Settings, platform: SystemPlatform) -> Result<Self, DatabaseError> {
        let database = Database::open(file, QueueLimits::default())?;
        Ok(Self(Box::new(Api::new(database, MemoryGate::default(), platform, rules))))
    }

    /// What the service answers to a request. To be awaited in a tokio runtime of any kind.
    pub async fn answer(&self, request: Request<Vec<u8>>) -> Response<Vec<u8>> {
        let (head, body) = request.into_parts();
        self.0.handle(head, AnyBody::Memory(body)).await.response
    }
}
