//! HTTP on a socket: connections, their limits and their end.
//!
//! warp's filters take a request apart and its service answers it; hyper serves that service on each
//! connection. Connections are accepted here, since their number and a stop that finishes what was accepted
//! are the server's own to hold.

mod answer_timeout;
mod body;
mod body_budget;
mod connection;
mod connection_limiter;
mod filter;
mod forwarded;
mod limits;
mod log;
mod request_reader;

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use futures_util::{FutureExt as _, future::BoxFuture};
use http::request::Parts;
use matterbook_core::api::Handled;
use tokio::{net::TcpListener, sync::Semaphore};
use tokio_util::task::AbortOnDropHandle;

pub use body::HttpBody;
pub(crate) use forwarded::{take_forwarded_address, take_forwarded_protocol};
pub use limits::Limits;

use body_budget::BodyBudget;
pub(crate) use connection_limiter::ConnectionLimiter;
use log::FailuresPastLimit;

use crate::metrics::RequestMetrics;

/// The most refused connections that are kept until the caller has read the answer. Further ones are closed
/// at once after it.
const REFUSALS_AT_ONCE: usize = 64;
/// How long to wait before accepting again when the system refuses, as it does without free files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// A server that accepts connections until it is stopped or dropped.
pub struct Server {
    address: SocketAddr,
    accepting: AbortOnDropHandle<()>,
    logging: AbortOnDropHandle<()>,
    shared: Arc<Shared>,
    pub(crate) limiter: Arc<ConnectionLimiter>,
    pub(crate) metrics: Arc<RequestMetrics>,
}

/// The state that the connections of a server share.
struct Shared {
    handle: Box<dyn Fn(Parts, HttpBody) -> BoxFuture<'static, Handled> + Send + Sync>,
    budget: BodyBudget,
    limiter: Arc<ConnectionLimiter>,
    limits: Limits,
    metrics: Arc<RequestMetrics>,
    failures_past_limit: FailuresPastLimit,
}

impl Server {
    /// Starts to answer the requests that come to `listener` with `handle`. To be called within a
    /// tokio runtime with time and IO.
    ///
    /// # Errors
    /// When the listener has no address.
    pub fn start<H, F>(listener: TcpListener, limits: Limits, handle: H) -> io::Result<Self>
    where
        H: Fn(Parts, HttpBody) -> F + Send + Sync + 'static,
        F: Future<Output = Handled> + Send + 'static,
    {
        let address = listener.local_addr()?;
        let metrics = Arc::<RequestMetrics>::default();
        let limiter = Arc::new(ConnectionLimiter::new(limits));
        let handle = Box::new(move |head, body| handle(head, body).boxed());
        let shared = Shared {
            handle,
            budget: BodyBudget::new(limits),
            limiter: Arc::clone(&limiter),
            limits,
            metrics: Arc::clone(&metrics),
            failures_past_limit: FailuresPastLimit::default(),
        };
        let shared = Arc::new(shared);
        let accepting = AbortOnDropHandle::new(tokio::spawn(accept(listener, Arc::clone(&shared))));
        let counted = Arc::clone(&shared);
        let logging =
            AbortOnDropHandle::new(tokio::spawn(async move { counted.failures_past_limit.log_each_second().await }));
        Ok(Self { address, accepting, logging, shared, limiter, metrics })
    }

    /// The address that it listens on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Accepts nothing more and waits until what was accepted is answered. `false` when that took
    /// longer than [`Limits::stop_timeout`].
    pub async fn stop(self) -> bool {
        self.limiter.stopping.cancel();
        let _ = self.accepting.await;
        let is_finished = self.limiter.all_closed().await;
        drop(self.logging);
        self.shared.failures_past_limit.log();
        is_finished
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let limiter = Arc::clone(&shared.limiter);
    let refusals = Arc::new(Semaphore::new(REFUSALS_AT_ONCE));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = limiter.stopping.cancelled() => return,
        };
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        if let Some(connection) = limiter.admit(address.ip()).await {
            tokio::spawn(connection::serve(stream, connection, Arc::clone(&shared)));
        } else {
            let permit = Arc::clone(&refusals).try_acquire_owned().ok();
            tokio::spawn(connection::refuse(stream, permit, Arc::clone(&shared)));
        }
    }
}
