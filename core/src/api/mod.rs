//! The service: from a request's head and body to its response.
//!
//! A host passes the head, and a body that is read after all checks of the head have passed. It gets a
//! whole response and decides nothing itself.

mod access;
mod account_reference;
mod batch_body;
mod bearer;
mod body;
mod caller;
mod change;
#[cfg(feature = "console")]
mod console;
mod endpoints;
mod error;
mod failed_authentications;
mod handled;
mod host;
mod idempotency;
#[cfg(feature = "console")]
mod imports;
mod json_body;
pub mod limits;
mod media_type;
mod operator;
mod post_options;
mod preview_plan;
mod query;
mod request_context;
mod response;
mod review;
mod route;
mod seen_keys;
mod status_counts;
mod viewer;

pub use account_reference::{AccountReference, account_reference};
pub use body::{BodyError, RequestBody};
pub use endpoints::UpsertStatus;
pub use error::{ErrorCode, TAKEOVER_SECONDS};
pub use failed_authentications::{CallerAddress, FailedAuthentications};
pub use handled::Handled;
pub use host::HostRefusal;
pub use idempotency::{answers_kept_since, answers_since};
#[cfg(feature = "console")]
pub use imports::{IMPORT_ROWS_MAX, ImportCall, ImportRefusal};
pub use route::endpoints;
pub use seen_keys::SeenKeys;
pub use status_counts::StatusCounts;
pub use viewer::{Viewer, ViewerFile};

use std::sync::Arc;

use crate::{key::KeySecrets, platform::Platform, rate_limiter::RateLimiter, settings::Settings, store::Store};
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
    key_secrets: KeySecrets,
    seen_keys: Option<Arc<SeenKeys>>,
    viewer: Option<&'static Viewer>,
    has_console: bool,
    failed_authentications: Option<Arc<FailedAuthentications>>,
}

/// Which parts of the service are served at an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Areas {
    /// All of them.
    #[default]
    All,
    /// All but the operator API, which is 404.
    WithoutOperator,
    /// All but the public API, which is 404.
    WithoutPublic,
}

impl<S: Store, L: RateLimiter, P: Platform> Api<S, L, P> {
    /// A service with these parts. Each request looks up its key first, unless the secrets show that it was
    /// never made.
    pub const fn new(store: S, rate_limiter: L, platform: P, settings: Settings, key_secrets: KeySecrets) -> Self {
        let has_console = false;
        let (seen_keys, viewer, failed_authentications) = (None, None, None);
        Self {
            store,
            rate_limiter,
            platform,
            settings,
            key_secrets,
            seen_keys,
            viewer,
            failed_authentications,
            has_console,
        }
    }

    /// The store.
    pub const fn store(&self) -> &S {
        &self.store
    }

    /// The answer to a request that the service was not asked for, such as after a panic.
    pub fn refuse(&self, refusal: HostRefusal) -> Handled {
        refusal.answer(&self.platform)
    }

    /// The state of the rate limit.
    pub const fn rate_limiter(&self) -> &L {
        &self.rate_limiter
    }

    /// Time and randomness.
    pub const fn platform(&self) -> &P {
        &self.platform
    }

    /// The settings.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The key secrets.
    pub const fn key_secrets(&self) -> &KeySecrets {
        &self.key_secrets
    }

    /// This service, which does not look up a key that was live within the last minute. The atomic unit that
    /// does the work checks the key anyway (rule A8). The answers are the same.
    #[must_use]
    pub fn with_seen_keys(self, seen_keys: Arc<SeenKeys>) -> Self {
        Self { seen_keys: Some(seen_keys), ..self }
    }

    /// This service, with a description of its API at `/openapi.json` and a viewer of it at `/docs`. Without them
    /// these paths are 404.
    #[must_use]
    pub fn with_viewer(self, viewer: &'static Viewer) -> Self {
        Self { viewer: Some(viewer), ..self }
    }

    /// This service, whose front page leads to the firm's console. The host answers the console's requests before they
    /// reach [`Api::handle`].
    #[must_use]
    pub fn with_console(self) -> Self {
        Self { has_console: true, ..self }
    }

    /// This service, which limits failed authentications. The heads of its requests have a [`CallerAddress`].
    #[must_use]
    pub fn with_failed_authentications(self, failed: Arc<FailedAuthentications>) -> Self {
        Self { failed_authentications: Some(failed), ..self }
    }

    /// Answers one request. It cannot fail, because an error is a response.
    pub async fn handle<B: RequestBody>(&self, head: http::request::Parts, body: B) -> Handled {
        self.handle_in(Areas::All, head, body).await
    }

    /// Answers one request that came to an address with these parts of the service.
    pub async fn handle_in<B: RequestBody>(&self, areas: Areas, head: http::request::Parts, body: B) -> Handled {
        let mut context = RequestContext::begin(&self.platform, &head);
        let area = route::area(head.uri.path());
        let mut outcome = match (area, areas) {
            (Area::Operator, Areas::WithoutOperator) => {
                Err(ApiError::not_found("The operator API is not served at this address, but at one of its own."))
            }
            (Area::Public, Areas::WithoutPublic) => Err(ApiError::not_found("There is nothing at this path.")),
            (Area::Public, _) => self.public(&mut context, body).await,
            (Area::Operator, _) => Box::pin(self.operator(&mut context, body)).await,
            (Area::Open, _) => self.open(&mut context).await,
            (Area::Nowhere, _) => Err(ApiError::not_found("There is nothing at this path; the API is at /api/v1.")),
        };
        if outcome.as_ref().is_err_and(|error| error.code == ErrorCode::Unauthorized)
            && let Some(error) = self.count_failure(&mut context, area)
        {
            outcome = Err(error);
        }
        context.finish(outcome)
    }

    /// Counts a failed authentication (rule A12). An error in place of the 401, where it is one too many.
    fn count_failure(&self, context: &mut RequestContext<'_>, area: Area) -> Option<ApiError> {
        let failed = self.failed_authentications.as_ref()?;
        let counter = if area == Area::Operator { &failed.operator } else { &failed.public };
        let wait_seconds = counter.count(*context.head.extensions.get()?, context.now)?;
        context.is_failure_past_limit = true;
        Some(failed_authentications::too_many(wait_seconds))
    }

    /// Refuses a guess of the operator token before it is compared, from an address with too many failures
    /// (rule A13).
    fn check_failures(&self, context: &mut RequestContext<'_>) -> Result<(), ApiError> {
        let address = context.head.extensions.get::<CallerAddress>();
        let Some((failed, address)) = self.failed_authentications.as_ref().zip(address) else { return Ok(()) };
        let Some(wait_seconds) = failed.operator.refused_for_seconds(*address, context.now) else { return Ok(()) };
        context.is_failure_past_limit = true;
        Err(failed_authentications::too_many(wait_seconds))
    }

    /// The endpoints without a key.
    async fn open(&self, context: &mut RequestContext<'_>) -> Result<Response, ApiError> {
        let (template, endpoint) = route::open_endpoint(context.head.uri.path(), context.method());
        context.route = template;
        let (endpoint, argument) = endpoint?;
        let file = match endpoint {
            OpenEndpoint::FrontPage => {
                return Ok(endpoints::front_page(&self.settings.service_name, self.viewer.is_some(), self.has_console));
            }
            OpenEndpoint::Health => return endpoints::health(&self.store, context.now).await,
            OpenEndpoint::OpenApi => self.viewer.map(Viewer::description),
            OpenEndpoint::ViewerPage => self.viewer.map(Viewer::page),
            OpenEndpoint::ViewerFile => self.viewer.and_then(|viewer| viewer.file(argument)),
        };
        let (file, response) = file.ok_or_else(|| ApiError::not_found("There is nothing at this path."))?;
        context.file = Some(file);
        Ok(response)
    }
}
