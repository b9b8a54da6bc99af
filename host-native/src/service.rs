//! The whole service of one machine: the rules over a file, behind a socket.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
};

use matterbook_core::api::Api;
use matterbook_viewer::VIEWER;
use tokio::net::TcpListener;

use crate::{
    database::{Database, DatabaseError, QueueLimits},
    http::{Limits, Server},
    instance_lock::InstanceLock,
    metrics::{MetricsListener, Page},
    platform::SystemPlatform,
    rate_limiter::MemoryRateLimiter,
    request_body::AnyBody,
    settings::NativeSettings,
};

/// The rules, as this host runs them.
pub(crate) type NativeApi = Api<Database, MemoryRateLimiter, SystemPlatform>;

/// A running service. Stop it so that it finishes accepted requests.
pub struct Service {
    server: Server,
    metrics: Option<MetricsListener>,
    api: Arc<NativeApi>,
    lock: InstanceLock,
}

impl Service {
    /// Opens the database and listens. Needs a tokio runtime with time and IO.
    ///
    /// ```
    /// # let runtime = tokio::runtime::Runtime::new()?;
    /// # let directory = tempfile::tempdir()?;
    /// # let file = directory.path().join("matterbook.db").display().to_string();
    /// use matterbook::{Service, StartError, http::Limits, settings::NativeSettings};
    ///
    /// let settings = NativeSettings::read(|name| match name {
    ///     "MATTERBOOK_DB" => Some(file.clone()),
    ///     "MATTERBOOK_LISTEN" => Some("127.0.0.1:0".to_owned()),
    ///     _ => None,
    /// })?;
    /// runtime.block_on(async {
    ///     let service = Service::start(&settings, Limits::default()).await?;
    ///     println!("http://{}/api/v1", service.address());
    ///     assert!(service.stop().await);
    ///     Ok::<(), StartError>(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the database cannot be used, is served already, or no address is free.
    pub async fn start(settings: &NativeSettings, limits: Limits) -> Result<Self, StartError> {
        // The lock comes before the file is opened: a newer program would migrate the schema under a running
        // service.
        let lock = lock(&settings.database)?;
        let limits_of_writes = QueueLimits { log_bytes: settings.wal_limit_bytes, ..QueueLimits::default() };
        let database = Database::open(&settings.database, limits_of_writes)?;
        let settings_of_rules = settings.rules.clone();
        let api = Api::new(database, MemoryRateLimiter::default(), SystemPlatform::default(), settings_of_rules);
        let api = Arc::new(api.with_viewer(&VIEWER));
        let listener = bind(&settings.listen).await?;
        let metrics_listener = match settings.metrics_listen.as_slice() {
            [] => None,
            addresses => Some(bind(addresses).await?),
        };
        let rules = Arc::clone(&api);
        let server = Server::start(listener, limits, move |head, body| {
            let rules = Arc::clone(&rules);
            async move { rules.handle(head, AnyBody::Connection(body)).await }
        })
        .map_err(|cause| StartError::listen(&settings.listen, cause))?;
        let page = Page::new(Arc::clone(&api), &server, settings.database.clone());
        let start = |listener| {
            MetricsListener::start(listener, page).map_err(|cause| StartError::listen(&settings.metrics_listen, cause))
        };
        let metrics = metrics_listener.map(start).transpose()?;
        Ok(Self { server, metrics, api, lock })
    }

    /// The address on which it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// The address of its metrics, if they are enabled.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(MetricsListener::address)
    }

    /// Waits until the database's files cannot be trusted any more, and says why (rule W13). The service answers
    /// nothing from then on, and the process has to end.
    pub async fn ended(&self) -> String {
        self.api.store().ended().await
    }

    /// Finishes accepted requests and closes the database (rule W7). `false` if that took too long.
    pub async fn stop(self) -> bool {
        let is_finished = self.server.stop().await;
        if let Some(metrics) = self.metrics {
            metrics.stop().await;
        }
        // Dropping the last handle of the database waits for the writer.
        let api = self.api;
        let is_closed = tokio::task::spawn_blocking(move || drop(api)).await.is_ok();
        drop(self.lock);
        is_closed && is_finished
    }
}

/// Checks that a service could start, before the caller creates anything.
///
/// # Errors
/// When the database is served already, or an address is taken or not local.
pub fn require_room(settings: &NativeSettings) -> Result<(), StartError> {
    let _lock = lock(&settings.database)?;
    let lists = [&settings.listen, &settings.metrics_listen].into_iter().filter(|addresses| !addresses.is_empty());
    let bind = |addresses: &Vec<SocketAddr>| {
        std::net::TcpListener::bind(addresses.as_slice()).map_err(|cause| StartError::listen(addresses, cause))
    };
    // All are bound at the same time, because two listeners cannot share one address.
    lists.map(bind).collect::<Result<Vec<_>, _>>().map(drop)
}

fn lock(database: &Path) -> Result<InstanceLock, StartError> {
    InstanceLock::acquire(database).ok_or_else(|| StartError::Served { database: database.to_owned() })
}

async fn bind(addresses: &[SocketAddr]) -> Result<TcpListener, StartError> {
    TcpListener::bind(addresses).await.map_err(|cause| StartError::listen(addresses, cause))
}

/// Why a service does not start: sentences for the operator.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database cannot be used.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Another service has it open.
    #[error(
        "The database {path} is being served already. Two services would each let a key make all the requests of its \
         limit. End the other one (fuser -v {path} names it), or name another database with --db.",
        path = database.display()
    )]
    Served {
        /// The file.
        database: PathBuf,
    },
    /// No address is free.
    #[error("{} cannot be listened on: {cause}.", addresses.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or "))]
    Listen {
        /// The addresses that were tried.
        addresses: Vec<SocketAddr>,
        /// The system's error.
        cause: std::io::Error,
    },
}

impl StartError {
    fn listen(addresses: &[SocketAddr], cause: std::io::Error) -> Self {
        Self::Listen { addresses: addresses.to_vec(), cause }
    }
}
