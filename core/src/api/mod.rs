//! The service: from a request's head and body to its response.
//!
//! A host passes the head, and a body that is read after all checks of the head have passed. It gets a
//! whole response and decides nothing itself.

mod access;
mod batch_body;
mod bearer;
mod body;
mod caller;
mod change;
mod endpoints;
mod error;
mod handled;
mod host;
mod idempotency;
mod json_body;
pub mod limits;
mod media_type;
mod operator;
mod post_options;
mod query;
mod request_context;
mod response;
mod route;
mod seen_keys;
mod status_counts;
mod viewer;

pub use body::{BodyError, RequestBody};
pub use endpoints::UpsertStatus;
pub use error::ErrorCode;
pub use handled::Handled;
pub use host::HostRefusal;
pub use idempotency::answers_since;
pub use route::endpoints;
pub use seen_keys::SeenKeys;
pub use status_counts::StatusCounts;
pub use viewer::{Viewer, ViewerFile};

use std::sync::Arc;

use crate::{platform::Platform, rate_limiter::RateLimiter, settings::Settings, store::Store};
use error::ApiError;
use request_context::RequestContext;
use response::Response;
use route::{Area, OpenEndpoint};

/// The service: the rules over a store, a rate limiter and a platform.
#[derive(Debug)]
pub struct Api<S, L, P> {
    store: S,
    rate_limiter: L,
    platform: P,
    settings: Settings,
    seen_keys: Option<Arc<SeenKeys>>,
    viewer: Option<&'static Viewer>,
}

impl<S: Store, L: RateLimiter, P: Platform> Api<S, L, P> {
    /// A service with these parts. Each request looks up its key first.
    pub const fn new(store: S, rate_limiter: L, platform: P, settings: Settings) -> Self {
        Self { store, rate_limiter, platform, settings, seen_keys: None, viewer: None }
    }

    /// The store.
    pub const fn store(&self) -> &S {
        &self.store
    }

    /// This service, which does not look up a key that was live within the last minute. The atomic unit that
    /// does the work checks the key anyway (rule A8). The answers are the same.
    #[must_use]
    pub fn with_seen_keys(self, seen_keys: Arc<SeenKeys>) -> Self {
        Self { seen_keys: Some(seen_keys), ..self }
    }

    /// This service, with a viewer of its API at `/docs`. Without it that path is 404.
    #[must_use]
    pub fn with_viewer(self, viewer: &'static Viewer) -> Self {
        Self { viewer: Some(viewer), ..self }
    }

    /// Answers one request. It cannot fail, because an error is a response.
    pub async fn handle<B: RequestBody>(&self, head: http::request::Parts, body: B) -> Handled {
        let mut context = RequestContext::begin(&self.platform, &head);
        let outcome = match route::area(head.uri.path()) {
            Area::Public => self.public(&mut context, body).await,
            Area::Operator => Box::pin(self.operator(&mut context, body)).await,
            Area::Open => self.open(&mut context).await,
            Area::Nowhere => Err(ApiError::not_found("There is nothing at this path; the API is at /api/v1.")),
        };
        context.finish(outcome)
    }

    /// The endpoints without a key.
    async fn open(&self, context: &mut RequestContext<'_>) -> Result<Response, ApiError> {
        let (template, endpoint) = route::open_endpoint(context.head.uri.path(), context.method());
        context.route = template;
        let (endpoint, argument) = endpoint?;
        let file = match endpoint {
            OpenEndpoint::Health => return endpoints::health(&self.store).await,
            OpenEndpoint::OpenApi => return Ok(endpoints::open_api()),
            OpenEndpoint::ViewerPage => self.viewer.map(Viewer::page),
            OpenEndpoint::ViewerFile => self.viewer.and_then(|viewer| viewer.file(argument)),
        };
        let (file, response) = file.ok_or_else(|| ApiError::not_found("There is nothing at this path."))?;
        context.file = Some(file);
        Ok(response)
    }
}
