//! An `Api` as a tower service.

use std::{
    convert::Infallible,
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use http::{Request, Response};
use http_body::Body;
use matterbook_core::{
    api::{Api, Areas, Handled, HostRefusal},
    platform::Platform,
    rate_limiter::SendRateLimiter,
    store::SendStore,
};
use tower_service::Service;

use crate::{
    ResponseBody,
    request_body::{HttpBody, Timeout},
};

/// The time for a body after its head on the project's own hosts (rule W3).
pub const BODY_TIMEOUT: Duration = Duration::from_secs(30);

type Log = Arc<dyn Fn(&Handled) + Send + Sync>;
type FileContent = fn(&str) -> Option<&'static [u8]>;

/// An [`Api`] as a [`tower_service::Service`]. It is always ready and never fails. Clones share one `Api`.
///
/// The rules limit failed authentications of an address if the request has a
/// [`CallerAddress`](matterbook_core::api::CallerAddress) among its extensions.
pub struct ApiService<S, L, P> {
    api: Arc<Api<S, L, P>>,
    areas: Areas,
    body_timeout: Timeout,
    log: Option<Log>,
    file_content: Option<FileContent>,
}

impl<S: SendStore, L: SendRateLimiter, P: Platform> ApiService<S, L, P> {
    /// A service that answers with that `Api`. `body_timeout` is called when a body is read, and its future ends when
    /// the time for the body is over: [`BODY_TIMEOUT`] on the project's own hosts. A body that is not whole by then is
    /// answered 408.
    pub fn new<F>(api: Api<S, L, P>, body_timeout: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let body_timeout: Timeout = Arc::new(move || Box::pin(body_timeout()));
        Self { api: Arc::new(api), areas: Areas::All, body_timeout, log: None, file_content: None }
    }

    /// This service with only these parts of the API.
    #[must_use]
    pub fn with_areas(self, areas: Areas) -> Self {
        Self { areas, ..self }
    }

    /// This service, which calls `log` with each request that it has answered. The response's body is still in it,
    /// and is client data: log none of it.
    #[must_use]
    pub fn with_log(self, log: impl Fn(&Handled) + Send + Sync + 'static) -> Self {
        Self { log: Some(Arc::new(log)), ..self }
    }

    /// This service, which finds the files of the viewer here: `matterbook_viewer::content`.
    #[must_use]
    pub fn with_files(self, content: fn(&str) -> Option<&'static [u8]>) -> Self {
        Self { file_content: Some(content), ..self }
    }
}

impl<S, L, P> Clone for ApiService<S, L, P> {
    fn clone(&self) -> Self {
        let Self { api, areas, body_timeout, log, file_content } = self;
        let (api, body_timeout, log) = (Arc::clone(api), Arc::clone(body_timeout), log.clone());
        Self { api, areas: *areas, body_timeout, log, file_content: *file_content }
    }
}

impl<S, L, P> std::fmt::Debug for ApiService<S, L, P> {
    /// Shows nothing of the store, which may hold client data.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ApiService").field("areas", &self.areas).finish_non_exhaustive()
    }
}

impl<S, L, P, B> Service<Request<B>> for ApiService<S, L, P>
where
    S: SendStore + 'static,
    L: SendRateLimiter + 'static,
    P: Platform + Send + Sync + 'static,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Send,
{
    type Response = Response<ResponseBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.answer(request).await) })
    }
}

impl<S, L, P> ApiService<S, L, P>
where
    S: SendStore,
    L: SendRateLimiter,
    P: Platform + Send + Sync,
{
    async fn answer<B>(self, request: Request<B>) -> Response<ResponseBody>
    where
        B: Body + Send,
        B::Data: Send,
        B::Error: Send,
    {
        let (head, body) = request.into_parts();
        let body = HttpBody::new(&head.headers, body, Arc::clone(&self.body_timeout));
        let mut handling = Box::pin(self.api.handle_in(self.areas, head, body));
        // A future that panicked is not polled again, so no code sees its state.
        let handled = poll_fn(|context| {
            let poll = AssertUnwindSafe(|| handling.as_mut().poll(context));
            catch_unwind(poll).unwrap_or_else(|_| Poll::Ready(self.api.refuse(HostRefusal::Panicked)))
        })
        .await;
        if let Some(log) = &self.log {
            log(&handled);
        }
        let file = handled.file.zip(self.file_content).and_then(|(file, content)| content(file.name));
        handled.response.map(|body| file.map_or_else(|| ResponseBody::new(body), ResponseBody::new))
    }
}
