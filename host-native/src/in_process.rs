//! The whole service within the caller's process: the rules over a file, without a socket.

use std::path::Path;

use http::{Request, Response};
use matterbook_core::{api::Api, key::KeySecrets, settings::Settings};

use crate::{
    NativeApi,
    database::{Database, DatabaseError, QueueLimits},
    key_secret_file,
    platform::SystemPlatform,
    rate_limiter::MemoryRateLimiter,
    request_body::AnyBody,
};

/// The service over a file. Another process may serve the same file.
pub struct InProcess(Box<NativeApi>);

impl InProcess {
    /// Opens or creates the file and migrates its schema. Without `key_secrets` they are in the file beside it,
    /// which is created too. `platform` gives the time.
    ///
    /// ```
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # let directory = tempfile::tempdir()?;
    /// # let file = directory.path().join("matterbook.db");
    /// use matterbook_core::settings::Settings;
    /// use matterbook::{InProcess, platform::SystemPlatform};
    ///
    /// let service = InProcess::open(&file, Settings::default(), None, SystemPlatform::default())?;
    /// let request = http::Request::builder().uri("/healthz").body(Vec::new())?;
    /// assert_eq!(runtime.block_on(service.answer(request)).status(), 200);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the file cannot be used, has a newer schema or another key secret, or a thread cannot start.
    pub fn open(
        file: &Path,
        rules: Settings,
        key_secrets: Option<&KeySecrets>,
        platform: SystemPlatform,
    ) -> Result<Self, DatabaseError> {
        let database = Database::open(file, QueueLimits::default())?;
        let recorded = database.recorded_key_secrets(file)?;
        let key_secrets = key_secret_file::find_or_make(file, key_secrets, &recorded)?;
        Ok(Self(Box::new(Api::new(database, MemoryRateLimiter::default(), platform, rules, key_secrets))))
    }

    /// Handles a request. Works in any tokio runtime.
    pub async fn answer(&self, request: Request<Vec<u8>>) -> Response<Vec<u8>> {
        let (head, body) = request.into_parts();
        self.0.handle(head, AnyBody::Memory(body)).await.response
    }
}
