//! The whole service behind axum. The core decides every path, status and body; this file is all that a host
//! adds.
//!
//! The store is in memory. Replace it with your own store to build your own service.

use std::{sync::Arc, time::Duration, time::SystemTime};

use axum::{Router, body::Body, extract::Request, extract::State, response::Response};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use matterbook_core::api::{Api, BodyError, RequestBody};
use matterbook_core::memory::{MemoryRateLimiter, MemoryStore};
use matterbook_core::{key::KeySecrets, platform::Platform, settings::Settings, time::Timestamp};

type Service = Api<MemoryStore, MemoryRateLimiter, SystemPlatform>;

/// Routes every path to the core.
pub fn router(settings: Settings, key_secrets: KeySecrets) -> Router {
    let rate_limiter = MemoryRateLimiter::default();
    let service = Api::new(MemoryStore::default(), rate_limiter, SystemPlatform, settings, key_secrets);
    Router::new().fallback(answer).with_state(Arc::new(service.with_viewer(&matterbook_viewer::VIEWER)))
}

async fn answer(State(service): State<Arc<Service>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let handled = service.handle(head, HttpBody(body)).await;
    if let Some(cause) = handled.cause {
        eprintln!("{} {}: {cause}", handled.request_id, handled.route);
    }
    let file = handled.file.and_then(|file| matterbook_viewer::content(file.name));
    handled.response.map(|body| file.map_or(Body::from(body), Body::from))
}

struct HttpBody(Body);

impl RequestBody for HttpBody {
    async fn read(self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        let body = Limited::new(self.0, limit_bytes).collect();
        match tokio::time::timeout(Duration::from_secs(10), body).await {
            Ok(Ok(body)) => Ok(body.to_bytes().into()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(BodyError::TooLarge),
            Ok(Err(_)) => Err(BodyError::Broken),
            Err(_) => Err(BodyError::TooSlow),
        }
    }
}

struct SystemPlatform;

impl Platform for SystemPlatform {
    fn now(&self) -> Timestamp {
        SystemTime::now().into()
    }

    fn random(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).expect("the system gives random bytes");
        bytes
    }
}
