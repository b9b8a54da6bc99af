//! What is attacked: a service with an account, and how long it may take.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use matterbook::{server::Limits, service::Service, settings::NativeSettings};
use tokio::runtime::Runtime;

use crate::support::{Place, Serving, account};

/// An address, a key, and the limits that hold there.
#[derive(Clone)]
pub struct Target {
    pub address: SocketAddr,
    pub key: String,
    pub limits: Limits,
}

/// A service of this process, with short times.
pub struct InProcess {
    pub target: Target,
    _service: Service,
    _runtime: Runtime,
    _place: Place,
}

impl InProcess {
    /// Serves a fresh database within these limits.
    pub fn start(limits: Limits) -> Self {
        let place = Place::new();
        let (_, key) = account(&place.database());
        let database = place.database().display().to_string();
        let settings = NativeSettings::read(|name| match name {
            "MATTERBOOK_DB" => Some(database.clone()),
            "MATTERBOOK_LISTEN" => Some("127.0.0.1:0".to_owned()),
            "MATTERBOOK_RATE_LIMIT_PER_MINUTE" | "MATTERBOOK_CLIENT_DELAY_SECONDS" => Some("0".to_owned()),
            _ => None,
        });
        let settings = settings.expect("good settings");
        let runtime = Runtime::new().expect("a runtime");
        let service = runtime.block_on(Service::start(&settings, limits)).expect("a service");
        let target = Target { address: service.address(), key, limits };
        Self { target, _service: service, _runtime: runtime, _place: place }
    }
}

/// The program itself, with its own limits.
pub struct Program {
    pub target: Target,
    pub serving: Serving,
    pub place: Place,
}

impl Program {
    /// Serves a fresh database.
    pub fn start() -> Self {
        let place = Place::new();
        let (_, key) = account(&place.database());
        let serving = Serving::start(&place.database());
        let address = serving.origin.trim_start_matches("http://").parse().expect("an address");
        Self { target: Target { address, key, limits: Limits::default() }, serving, place }
    }

    /// What it holds of the machine's memory now and held at most, in mebibytes.
    pub fn memory(&self) -> (f64, f64) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.serving.process.id())).expect("Linux");
        let mebibytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a line");
            line.split_whitespace().next().and_then(|kibibytes| kibibytes.parse::<f64>().ok()).expect("a number")
                / 1_024.0
        };
        (mebibytes("VmRSS:"), mebibytes("VmHWM:"))
    }
}

impl Target {
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("a connection");
        let patience = self.limits.head_timeout + self.limits.body_timeout + Duration::from_secs(15);
        stream.set_read_timeout(Some(patience)).expect("a timeout");
        stream.set_write_timeout(Some(patience)).expect("a timeout");
        stream
    }

    /// The head of a request with the key; `more` are lines of the head.
    pub fn head(&self, line: &str, more: &str) -> String {
        format!("{line} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {}\r\n{more}\r\n", self.key)
    }

    /// A post of clients with a body of its length.
    pub fn post(&self, body: &str) -> String {
        let length =
            format!("content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n", body.len());
        self.head("POST /api/v1/clients", &length) + body
    }

    /// How long an honest caller waits for `GET /me` on a connection of its own; `None` where it is told to
    /// come back.
    pub fn ask_me(&self) -> Option<Duration> {
        let began = Instant::now();
        let mut stream = self.connect();
        stream.write_all(self.head("GET /api/v1/me", "connection: close\r\n").as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        answer.starts_with("HTTP/1.1 200 ").then(|| began.elapsed())
    }
}
