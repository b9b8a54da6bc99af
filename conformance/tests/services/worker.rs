//! The Worker under workerd, with a database of its own, on a free port.

use std::time::Duration;

use matterbook_conformance::wire::{Answer, Facts, OverHttp, Request, ServedWorker, Service, WorkerOptions};
use matterbook_core::{
    key::KEY_SECRET,
    memory::{ManualPlatform, TEST_KEY_SECRET},
    platform::Platform as _,
};
use tempfile::TempDir;

use super::OPERATOR_TOKEN;

/// A Worker that is being served. Dropping it ends it.
pub struct Worker {
    served: ServedWorker,
    _state: TempDir,
}

impl Worker {
    /// Serves it with these settings, `MATTERBOOK_…`, besides its operator.
    pub fn start(settings: &[(&'static str, &str)]) -> Self {
        let state = tempfile::tempdir().expect("a directory for the database");
        let operator = ("MATTERBOOK_OPERATOR_TOKEN", OPERATOR_TOKEN);
        let settings = settings.iter().copied().chain([operator, (KEY_SECRET, TEST_KEY_SECRET)]);
        let options = WorkerOptions {
            state: state.path().to_owned(),
            settings: settings.map(|(name, value)| (name, value.to_owned())).collect(),
        };
        let served = ServedWorker::start(&options).unwrap_or_else(|problem| panic!("{problem}"));
        Self { served, _state: state }
    }

    /// Where it answers, without a path.
    pub fn url(&self) -> &str {
        &self.served.url
    }
}

/// The Worker with the clock of a platform in this process, and with the random bytes that the
/// platform returns next. It does not consume them, because the platform's own service must get the
/// same bytes afterwards.
pub struct WorkerOnClock {
    http: OverHttp,
    platform: ManualPlatform,
    _worker: Worker,
}

impl WorkerOnClock {
    /// Serves the Worker with these settings, on that clock.
    pub fn start(settings: &[(&'static str, &str)], platform: ManualPlatform) -> Self {
        let worker = Worker::start(settings);
        let http = OverHttp::connect(worker.url(), OPERATOR_TOKEN).expect("a service that answers");
        Self { http, platform, _worker: worker }
    }
}

impl Service for WorkerOnClock {
    fn exchange(&self, request: &Request) -> Result<Answer, String> {
        let request = request
            .clone()
            .header("matterbook-test-now", self.platform.now().micros().to_string())
            .header("matterbook-test-draws", self.platform.draws().to_string());
        let mut answer = self.http.exchange(&request)?;
        // The one field that the transport adds.
        answer.headers.remove("content-length");
        Ok(answer)
    }

    fn elapse(&self, duration: Duration) {
        self.platform.advance(duration);
    }

    fn clock(&self) -> Duration {
        Duration::from_micros(u64::try_from(self.platform.now().micros()).unwrap_or_default())
    }

    fn facts(&self) -> &Facts {
        self.http.facts()
    }
}
