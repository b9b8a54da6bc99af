//! Everything that is watched, as one page: what was counted, and what the file and the system say now.

use std::{path::PathBuf, sync::Arc};

use super::{process, text::Text};
use crate::{
    database::Database,
    http::{ConnectionLimiter, Server},
    metrics::RequestMetrics,
    private_file::with_suffix,
    service::NativeApi,
};

/// What is read when it is scraped.
pub struct Page {
    api: Arc<NativeApi>,
    limiter: Arc<ConnectionLimiter>,
    requests: Arc<RequestMetrics>,
    database: PathBuf,
    began_at_seconds: f64,
}

impl Page {
    /// The page of a service that begins now.
    pub(crate) fn new(api: Arc<NativeApi>, server: &Server, database: PathBuf) -> Self {
        let (limiter, requests) = (Arc::clone(&server.limiter), Arc::clone(&server.metrics));
        Self { api, limiter, requests, database, began_at_seconds: process::now_seconds() }
    }

    /// The metrics as they are now, in the text format of Prometheus.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = Text::default();
        text.family("matterbook_build_info", "gauge", "Which program this is; always 1.");
        text.sample(&[("version", env!("CARGO_PKG_VERSION"))], 1);
        self.requests.write(&mut text);
        text.gauge("matterbook_connections", "Connections that are open.", self.limiter.open());
        let help = "The most connections that are served at once.";
        text.gauge("matterbook_connections_limit", help, self.limiter.limit());
        self.write_store(self.api.store(), &mut text);
        process::write(&mut text, self.began_at_seconds);
        text.into_string()
    }

    fn write_store(&self, store: &Database, text: &mut Text) {
        store.metrics().write(text);
        let help = "Whether this is a standby, which only reads: 1 or 0.";
        text.gauge("matterbook_standby", help, u8::from(store.is_copy()));
        // Without an answer of the file there is no sample.
        if let Ok(newest) = store.newest_change_at() {
            let seconds = newest.map_or(0, |at| at.millis() / 1_000);
            let help = "When clients, prospects or accounts last changed, in seconds since 1970.";
            text.gauge("matterbook_newest_change_timestamp_seconds", help, seconds);
        }
        let (requests, rows) = store.waiting_writes();
        text.gauge("matterbook_write_queue_requests", "Requests that wait for the writer.", requests);
        text.gauge("matterbook_write_queue_rows", "Clients and prospects of the requests that wait.", rows);
        for (name, help, file) in [
            ("matterbook_database_bytes", "The size of the database file.", self.database.clone()),
            ("matterbook_wal_bytes", "The size of the write-ahead log.", with_suffix(&self.database, "-wal")),
        ] {
            if let Ok(metadata) = file.metadata() {
                text.gauge(name, help, metadata.len());
            }
        }
        if let Ok(disk) = rustix::fs::statvfs(&self.database) {
            let free = disk.f_bavail.saturating_mul(disk.f_frsize);
            text.gauge("matterbook_disk_free_bytes", "Room on the database's disk.", free);
        }
    }
}
