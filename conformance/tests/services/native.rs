//! The native host on a file of its own and a free port.

use matterbook::{Service, http::Limits, settings::NativeSettings};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::OPERATOR_TOKEN;

/// A native host that is being served. Dropping it ends it.
pub struct Native {
    runtime: Runtime,
    service: Service,
    /// Where it answers, without a path.
    pub url: String,
    _directory: TempDir,
}

impl Native {
    /// Serves it with these settings, `MATTERBOOK_…`, besides its file, its port and its operator.
    pub fn start(settings: &[(&str, &str)], limits: Limits) -> Self {
        let directory = tempfile::tempdir().expect("a directory for the database");
        let file = directory.path().join("matterbook.db").display().to_string();
        let usual = [
            ("MATTERBOOK_DB", file.as_str()),
            ("MATTERBOOK_LISTEN", "127.0.0.1:0"),
            ("MATTERBOOK_OPERATOR_TOKEN", OPERATOR_TOKEN),
        ];
        let lookup = |name: &str| {
            let mut all = usual.iter().chain(settings);
            all.find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        let settings = NativeSettings::read(lookup).expect("settings");
        let runtime = Runtime::new().expect("a runtime");
        let service = runtime.block_on(Service::start(&settings, limits)).expect("a service on a free port");
        let url = format!("http://{}", service.address());
        Self { runtime, service, url, _directory: directory }
    }

    /// Ends it; whether it finished what it had accepted.
    pub fn stop(self) -> bool {
        self.runtime.block_on(self.service.stop())
    }
}
