//! The metrics' own address, which is not the service's.
//!
//! Each request is answered with the page, whatever its path, and nothing else is there. Who reaches the
//! address may read the page, so it belongs to the machine itself, or to a network of operators only.

use std::{convert::Infallible, io, net::SocketAddr, sync::Arc, time::Duration};

use http::{HeaderValue, Response, header::CONTENT_TYPE};
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_util::task::AbortOnDropHandle;

use super::{page::Page, text::MEDIA_TYPE};

/// Scrapes at once; more wait.
const SCRAPES_MAX: usize = 4;
/// From a connection's opening to its end.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How long to wait before accepting again when the system refuses.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Answers scrapes until it is stopped or dropped.
pub struct MetricsListener {
    address: SocketAddr,
    accepting: AbortOnDropHandle<()>,
}

impl MetricsListener {
    /// Starts to answer what comes to `listener` with the page. To be called within a tokio runtime with
    /// time and IO.
    ///
    /// # Errors
    /// When the listener has no address.
    pub fn start(listener: TcpListener, page: Page) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let accepting = AbortOnDropHandle::new(tokio::spawn(accept(listener, Arc::new(page))));
        Ok(Self { address, accepting })
    }

    /// The address that it listens on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers nothing more, and releases what it reads.
    pub async fn stop(self) {
        self.accepting.abort();
        let _ = self.accepting.await;
    }
}

async fn accept(listener: TcpListener, page: Arc<Page>) {
    // Aborted with this task, so that no scrape holds the database open.
    let mut scrapes = JoinSet::new();
    loop {
        while scrapes.len() >= SCRAPES_MAX {
            scrapes.join_next().await;
        }
        match listener.accept().await {
            Ok((stream, _)) => {
                scrapes.spawn(timeout(TIMEOUT, answer(stream, Arc::clone(&page))));
            }
            Err(_) => sleep(ACCEPT_PAUSE).await,
        }
    }
}

/// Answers one request, and closes the connection: a scrape comes a few times a minute.
async fn answer(stream: TcpStream, page: Arc<Page>) -> Result<(), hyper::Error> {
    let service = service_fn(|_request| {
        let mut response = Response::new(page.text());
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        std::future::ready(Ok::<_, Infallible>(response))
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).keep_alive(false).serve_connection(TokioIo::new(stream), service).await
}
