//! A service in this process: the whole `Api` over any store, no sockets between.

use std::{sync::Arc, time::Duration};

use matterbook_core::{
    api::{Api, Areas, BodyError, Handled, RequestBody},
    http::request::Parts,
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{ConsoleStore, Store},
};
use matterbook_passkeys::PasskiVerifier;
use tokio::runtime::Runtime;

use super::{Answer, Body, Facts, Request, Service};

/// An `Api` and the clock that its platform reads.
pub struct InProcess<S, L, P> {
    api: Api<S, L, P>,
    platform: P,
    advance: fn(&P, Duration),
    runtime: Arc<Runtime>,
    facts: Facts,
    handle: Handle<S, L, P>,
}

/// How a request is answered: with or without the console.
type Handle<S, L, P> = fn(&Runtime, &Api<S, L, P>, Parts, BodyInProcess) -> Handled;

impl<S: Store, L: RateLimiter, P: Platform> InProcess<S, L, P> {
    /// A service over these parts; `advance` moves the platform's clock.
    ///
    /// # Errors
    /// A sentence when the service does not say how it is set up.
    pub fn new(
        api: Api<S, L, P>,
        platform: P,
        advance: fn(&P, Duration),
        runtime: Arc<Runtime>,
        operator_token: &str,
    ) -> Result<Self, String> {
        let handle: Handle<S, L, P> = |runtime, api, head, body| runtime.block_on(api.handle(head, body));
        let facts = Facts::ask(operator_token, |request| exchange(&runtime, &api, handle, request))?;
        Ok(Self { api, platform, advance, runtime, facts, handle })
    }

    /// This service with the console, as behind a proxy that ends TLS.
    #[must_use]
    pub fn with_console(self) -> Self
    where
        S: ConsoleStore,
    {
        let handle: Handle<S, L, P> = |runtime, api, mut head, body| {
            head.extensions.insert(matterbook_console::IsEncrypted(true));
            runtime.block_on(matterbook_console::handle(api, &PasskiVerifier, Areas::All, head, body))
        };
        Self { handle, api: self.api.with_console(), ..self }
    }
}

impl<S, L, P> Service for InProcess<S, L, P>
where
    S: Store + Sync,
    L: RateLimiter + Sync,
    P: Platform + Sync,
{
    fn exchange(&self, request: &Request) -> Result<Answer, String> {
        exchange(&self.runtime, &self.api, self.handle, request)
    }

    fn elapse(&self, duration: Duration) {
        (self.advance)(&self.platform, duration);
    }

    fn clock(&self) -> Duration {
        Duration::from_micros(u64::try_from(self.platform.now().micros()).unwrap_or_default())
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }
}

fn exchange<S: Store, L: RateLimiter, P: Platform>(
    runtime: &Runtime,
    api: &Api<S, L, P>,
    handle: Handle<S, L, P>,
    request: &Request,
) -> Result<Answer, String> {
    let mut head = http::Request::builder().method(request.method.as_str()).uri(request.target.as_str());
    for (name, value) in &request.headers {
        head = head.header(name, value);
    }
    // Over HTTP the client adds it.
    if !request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        head = head.header("host", "service.example");
    }
    head = match &request.body {
        Body::None => head,
        Body::Whole(bytes) => head.header("content-length", bytes.len()),
        Body::Chunked(_) => head.header("transfer-encoding", "chunked"),
        Body::Withheld { length } | Body::Stalled { length, .. } => head.header("content-length", *length),
    };
    let (parts, ()) = head.body(()).map_err(|error| format!("not a request: {error}"))?.into_parts();
    let handled = handle(runtime, api, parts, BodyInProcess(request.body.clone()));
    let (parts, body) = handled.response.into_parts();
    let content = |name| matterbook_viewer::content(name).or_else(|| matterbook_import_files::content(name));
    let body = handled.file.and_then(|file| content(file.name)).map_or(body, <[u8]>::to_vec);
    Ok(Answer::new(request.to_string(), parts.status.as_u16(), parts.headers, body))
}

/// A body as a host would hand it over.
struct BodyInProcess(Body);

impl RequestBody for BodyInProcess {
    async fn read(self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        match self.0 {
            Body::None => Ok(Vec::new()),
            Body::Whole(bytes) | Body::Chunked(bytes) => bytes.read(limit_bytes).await,
            // A handler that waits for a body that never comes gets no response on the wire. Here it
            // gets one that no case expects.
            Body::Withheld { .. } => Err(BodyError::Broken),
            Body::Stalled { .. } => Err(BodyError::TooSlow),
        }
    }
}
