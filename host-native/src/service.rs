//! The whole service of one machine: the rules over a file, behind a socket.

use std::{
    io,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{Arc, Weak},
    time::Duration,
};

use matterbook_core::{
    api::{Api, Areas, FailedAuthentications},
    key::KeySecrets,
    platform::Platform as _,
};
use matterbook_passkeys::PasskiVerifier;
use matterbook_viewer::VIEWER;
use tokio::net::{TcpListener, TcpSocket};

use crate::{
    comparison::compare_while_serving,
    database::{Database, DatabaseError, QueueLimits},
    http::{Limits, Server, take_forwarded_address, take_forwarded_protocol},
    instance_lock::InstanceLock,
    key_secret_file::{self, KeySecretError},
    metrics::{MetricsListener, Page},
    platform::SystemPlatform,
    rate_limiter::MemoryRateLimiter,
    request_body::AnyBody,
    settings::NativeSettings,
};

/// How often the times of the accounts are compared with the clock.
const AHEAD_INTERVAL: Duration = Duration::from_secs(3_600);

/// The rules, as this host runs them.
pub(crate) type NativeApi = Api<Database, MemoryRateLimiter, SystemPlatform>;

/// A running service. Stop it so that it finishes accepted requests.
pub struct Service {
    server: Server,
    operator: Option<Server>,
    metrics: Option<MetricsListener>,
    api: Arc<NativeApi>,
    /// A standby has none.
    lock: Option<InstanceLock>,
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
    /// When the database or its key secret cannot be used, it is served already, or no address is free.
    pub async fn start(settings: &NativeSettings, limits: Limits) -> Result<Self, StartError> {
        let listeners = Listeners::bind(settings)?;
        // The lock comes before the file is opened: a newer program would migrate the schema under a running
        // service.
        let lock = lock(&settings.database)?;
        let limits_of_writes = QueueLimits { log_bytes: settings.wal_limit_bytes, ..QueueLimits::default() };
        let database = Database::open(&settings.database, limits_of_writes)?;
        let recorded = database.recorded_key_secrets(&settings.database)?;
        let key_secrets = key_secret_file::find_or_make(&settings.database, settings.key_secrets.as_ref(), &recorded)?;
        Self::serve(settings, limits, listeners, database, key_secrets, Some(lock)).await
    }

    /// Opens a copy that something else keeps, and listens (rule W23). It only reads the file, and takes no lock.
    ///
    /// # Errors
    /// When the copy or its key secret cannot be used, or no address is free.
    pub async fn start_standby(settings: &NativeSettings, limits: Limits) -> Result<Self, StartError> {
        let listeners = Listeners::bind(settings)?;
        let database = Database::open_copy(&settings.database)?;
        let recorded = database.recorded_key_secrets(&settings.database)?;
        let key_secrets = key_secret_file::find(&settings.database, settings.key_secrets.as_ref(), &recorded)?;
        Self::serve(settings, limits, listeners, database, key_secrets, None).await
    }

    async fn serve(
        settings: &NativeSettings,
        limits: Limits,
        listeners: Listeners,
        database: Database,
        key_secrets: KeySecrets,
        lock: Option<InstanceLock>,
    ) -> Result<Self, StartError> {
        let (rate_limiter, platform) = (MemoryRateLimiter::default(), SystemPlatform::default());
        let api = Api::new(database, rate_limiter, platform, settings.rules.clone(), key_secrets);
        let failed = FailedAuthentications::new(limits.failures_of_address, limits.failures);
        let api = if settings.rules.console { api.with_console() } else { api };
        let api = Arc::new(api.with_viewer(&VIEWER).with_failed_authentications(Arc::new(failed)));
        log_accounts_ahead(&api).await;
        tokio::spawn(log_accounts_ahead_hourly(Arc::downgrade(&api)));
        // A copy has what its main service found.
        if !api.store().is_copy() {
            tokio::spawn(compare_while_serving(Arc::downgrade(&api)));
        }
        let start = |listener, addresses: &[SocketAddr], areas| {
            let (rules, is_behind_proxy) = (Arc::clone(&api), settings.behind_proxy);
            let server = Server::start(listener, limits, move |mut head, body| {
                let rules = Arc::clone(&rules);
                if is_behind_proxy {
                    take_forwarded_address(&mut head);
                    take_forwarded_protocol(&mut head);
                }
                async move {
                    matterbook_console::handle(&rules, &PasskiVerifier, areas, head, AnyBody::Connection(body)).await
                }
            });
            server.map_err(|cause| StartError::listen(addresses, cause))
        };
        let areas = if listeners.operator.is_some() { Areas::WithoutOperator } else { Areas::All };
        let server = start(listeners.public, &settings.listen, areas)?;
        let start_operator = |listener| start(listener, &settings.operator_listen, Areas::WithoutPublic);
        let operator = listeners.operator.map(start_operator).transpose()?;
        let page = Page::new(Arc::clone(&api), &server, settings.database.clone());
        let start = |listener| {
            MetricsListener::start(listener, page).map_err(|cause| StartError::listen(&settings.metrics_listen, cause))
        };
        let metrics = listeners.metrics.map(start).transpose()?;
        Ok(Self { server, operator, metrics, api, lock })
    }

    /// The address on which it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// The address of the operator API, if it has one of its own.
    #[must_use]
    pub fn operator_address(&self) -> Option<SocketAddr> {
        self.operator.as_ref().map(Server::address)
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
        let (is_finished, is_operator_finished) = tokio::join!(self.server.stop(), async {
            match self.operator {
                Some(operator) => operator.stop().await,
                None => true,
            }
        });
        if let Some(metrics) = self.metrics {
            metrics.stop().await;
        }
        // Dropping the last handle of the database waits for the writer.
        let api = self.api;
        let is_closed = tokio::task::spawn_blocking(move || drop(api)).await.is_ok();
        drop(self.lock);
        is_closed && is_finished && is_operator_finished
    }
}

/// The sockets of a service.
struct Listeners {
    public: TcpListener,
    operator: Option<TcpListener>,
    metrics: Option<TcpListener>,
}

impl Listeners {
    fn bind(settings: &NativeSettings) -> Result<Self, StartError> {
        let public = bind(&settings.listen)?;
        let operator = bind_if_set(&settings.operator_listen)?;
        Ok(Self { public, operator, metrics: bind_if_set(&settings.metrics_listen)? })
    }
}

/// Looks each hour for accounts whose times are ahead of the clock, until the service has stopped.
async fn log_accounts_ahead_hourly(api: Weak<NativeApi>) {
    loop {
        tokio::time::sleep(AHEAD_INTERVAL).await;
        let Some(api) = api.upgrade() else { return };
        log_accounts_ahead(&api).await;
    }
}

async fn log_accounts_ahead(api: &Arc<NativeApi>) {
    let api = Arc::clone(api);
    let look = move || api.store().log_accounts_ahead(SystemPlatform::default().now());
    if let Ok(Err(error)) = tokio::task::spawn_blocking(look).await {
        tracing::warn!(cause = %error, "the times of the accounts could not be read");
    }
}

/// Checks that a service could start, before the caller creates anything.
///
/// # Errors
/// When the database is served already, or an address is taken or not local.
pub fn require_room(settings: &NativeSettings) -> Result<(), StartError> {
    let _lock = lock(&settings.database)?;
    let lists = [&settings.listen, &settings.operator_listen, &settings.metrics_listen]
        .into_iter()
        .filter(|addresses| !addresses.is_empty());
    let bind = |addresses: &Vec<SocketAddr>| {
        std::net::TcpListener::bind(addresses.as_slice()).map_err(|cause| StartError::listen(addresses, cause))
    };
    // All are bound at the same time, because two listeners cannot share one address.
    lists.map(bind).collect::<Result<Vec<_>, _>>().map(drop)
}

fn lock(database: &Path) -> Result<InstanceLock, StartError> {
    InstanceLock::acquire(database).ok_or_else(|| StartError::Served { database: database.to_owned() })
}

/// Connections that the system keeps until they are accepted. With the usual 128, the callers of a burst wait
/// a second or more until their system tries again.
const BACKLOG: u32 = 1_024;

/// Listens on the first of these addresses that can be had.
fn bind(addresses: &[SocketAddr]) -> Result<TcpListener, StartError> {
    let listen = |address: &SocketAddr| {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        socket.set_reuseaddr(true)?;
        socket.bind(*address)?;
        socket.listen(BACKLOG)
    };
    let none = || io::Error::new(io::ErrorKind::InvalidInput, "there is no address to listen on");
    let attempts = addresses.iter().map(listen);
    let bound = attempts.reduce(|before, next| before.or(next)).unwrap_or_else(|| Err(none()));
    bound.map_err(|cause| StartError::listen(addresses, cause))
}

fn bind_if_set(addresses: &[SocketAddr]) -> Result<Option<TcpListener>, StartError> {
    if addresses.is_empty() { Ok(None) } else { bind(addresses).map(Some) }
}

/// Why a service does not start: sentences for the operator.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database cannot be used.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Its key secret cannot be used.
    #[error(transparent)]
    KeySecret(#[from] KeySecretError),
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
        cause: io::Error,
    },
}

impl StartError {
    fn listen(addresses: &[SocketAddr], cause: io::Error) -> Self {
        Self::Listen { addresses: addresses.to_vec(), cause }
    }
}
