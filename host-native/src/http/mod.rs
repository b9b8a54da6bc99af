//! HTTP on a socket: connections, their limits and their end (design sections 3 and 10).
//!
//! warp runs a request: its body goes in through warp, and its answer out. hyper's connection is driven
//! here, since its timeouts, the number of connections and a stop that finishes what was accepted are ours to
//! hold.

mod body;
mod body_room;
mod connection;
mod filter;
mod head_timer;
mod limits;
mod log;
mod places;
mod raw;
mod socket;

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use http::request::Parts;
use matterbook_core::api::Handled;
use tokio::{
    net::TcpListener,
    sync::{Semaphore, watch},
    task::JoinHandle,
};

pub use body::HttpBody;
pub use limits::Limits;

use body_room::{BodyRoom, HeldRoom};
use places::Places;

use crate::metrics::RequestMetrics;

/// The most refused connections that are kept until their caller has surely read why; more are told
/// and let go.
const REFUSALS_AT_ONCE: usize = 64;
/// How long to wait before accepting again when the system refuses, as it does without free files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// A server that accepts connections until it is stopped or dropped.
pub struct Server {
    address: SocketAddr,
    stopping: watch::Sender<bool>,
    accepting: JoinHandle<()>,
    places: Arc<Places>,
    metrics: Arc<RequestMetrics>,
}

/// What a server may be asked about itself while it runs.
#[derive(Clone)]
pub struct ServerGauges {
    places: Arc<Places>,
    metrics: Arc<RequestMetrics>,
}

impl ServerGauges {
    /// What its requests came to.
    #[must_use]
    pub fn requests(&self) -> &RequestMetrics {
        &self.metrics
    }

    /// How many connections are open.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.places.taken()
    }

    /// The most connections that it serves at once.
    #[must_use]
    pub fn connections_limit(&self) -> usize {
        self.places.limit()
    }
}

impl Server {
    /// Starts to answer the requests that come to `listener` with `handle`. To be called within a
    /// tokio runtime with time and IO.
    ///
    /// # Errors
    /// When the listener has no address.
    pub fn start<H, F>(listener: TcpListener, limits: Limits, handle: H) -> io::Result<Self>
    where
        H: Fn(Parts, HttpBody) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = Handled> + Send + 'static,
    {
        let address = listener.local_addr()?;
        let (stopping, stopped) = watch::channel(false);
        let places = Arc::new(Places::new(limits));
        let metrics = Arc::<RequestMetrics>::default();
        let gauges = ServerGauges { places: Arc::clone(&places), metrics: Arc::clone(&metrics) };
        let accepting = tokio::spawn(accept(listener, gauges, handle, limits, stopped));
        Ok(Self { address, stopping, accepting, places, metrics })
    }

    /// The address that it listens on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it may be asked about itself, also by others.
    #[must_use]
    pub fn gauges(&self) -> ServerGauges {
        ServerGauges { places: Arc::clone(&self.places), metrics: Arc::clone(&self.metrics) }
    }

    /// Accepts nothing more and waits until what was accepted is answered. `false` when that took
    /// longer than [`Limits::stop_timeout`].
    pub async fn stop(mut self) -> bool {
        let _ = self.stopping.send(true);
        let _ = (&mut self.accepting).await;
        self.places.all_free().await
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept<H, F>(
    listener: TcpListener,
    ServerGauges { places, metrics }: ServerGauges,
    handle: H,
    limits: Limits,
    mut stopped: watch::Receiver<bool>,
) where
    H: Fn(Parts, HttpBody) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Handled> + Send + 'static,
{
    let refusals = Arc::new(Semaphore::new(REFUSALS_AT_ONCE));
    let room = Arc::new(BodyRoom::new(&limits));
    let stopping = stopped.clone();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopped.wait_for(|is_stopping| *is_stopping) => return,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        if let Some(place) = places.take().await {
            let room = HeldRoom::new(&room);
            let metrics = Arc::clone(&metrics);
            tokio::spawn(connection::serve(stream, place, handle.clone(), room, limits, metrics, stopping.clone()));
        } else if let Ok(place) = Arc::clone(&refusals).try_acquire_owned() {
            let metrics = Arc::clone(&metrics);
            tokio::spawn(async move {
                connection::refuse(stream, limits, metrics).await;
                drop(place);
            });
        } else {
            connection::refuse_at_once(stream, &metrics);
        }
    }
}
