//! The metrics' own address, which is not the service's.
//!
//! Whoever reaches it may read the page, and nothing else is there: each request is answered with the page,
//! whatever its path. So it belongs to the machine itself, or to a network that only operators are on.

use std::{convert::Infallible, io, net::SocketAddr, sync::Arc, time::Duration};

use http::{HeaderValue, Response, header::CONTENT_TYPE};
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinHandle,
};

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
    accepting: JoinHandle<()>,
}

impl MetricsListener {
    /// Starts to answer what comes to `listener` with the page. To be called within a tokio runtime with
    /// time and IO.
    ///
    /// # Errors
    /// When the listener has no address.
    pub fn start(listener: TcpListener, page: Page) -> io::Result<Self> {
        let address = listener.local_addr()?;
        Ok(Self { address, accepting: tokio::spawn(accept(listener, Arc::new(page))) })
    }

    /// The address that it listens on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers nothing more, and lets go of what it reads.
    pub async fn stop(mut self) {
        self.accepting.abort();
        let _ = (&mut self.accepting).await;
    }
}

impl Drop for MetricsListener {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, page: Arc<Page>) {
    let places = Arc::new(Semaphore::new(SCRAPES_MAX));
    // Aborted with this task, so that nothing holds the database open.
    let mut scrapes = tokio::task::JoinSet::new();
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        while scrapes.try_join_next().is_some() {}
        match listener.accept().await {
            Ok((stream, _)) => {
                let page = Arc::clone(&page);
                scrapes.spawn(async move {
                    // How a scrape ends is the affair of whoever made it.
                    let _ = tokio::time::timeout(TIMEOUT, answer(stream, page)).await;
                    drop(place);
                });
            }
            Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
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
    http1::Builder::new()
        .timer(TokioTimer::new())
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service)
        .await
}
