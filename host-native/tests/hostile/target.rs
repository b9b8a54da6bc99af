//! What is attacked: a service with an account, and how long it may take.

use std::{
    net::{SocketAddr, TcpStream},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use matterbook::{Service, http::Limits, settings::NativeSettings};
use matterbook_conformance::hostile::Caller;
use tokio::runtime::Runtime;

use crate::support::{Place, Serving, account, run_json, text};

/// A caller with a key, and the limits that hold for it.
#[derive(Clone)]
pub struct Target {
    pub caller: Caller,
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
        let (account, key) = account(&place.database());
        let link = link(&place, &account);
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
        let target = Target::new(service.address(), key, &link, limits);
        Self { target, _service: service, _runtime: runtime, _place: place }
    }
}

/// The program itself, with its own limits.
pub struct Program {
    pub target: Target,
    pub serving: Serving,
    pub place: Place,
    _turn: MutexGuard<'static, ()>,
}

/// Tests of a whole program have thousands of connections each, and one limit of open files.
static TURN: Mutex<()> = Mutex::new(());

impl Program {
    /// Serves a fresh database, once no other program is served.
    pub fn start() -> Self {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let place = Place::new();
        let (account, key) = account(&place.database());
        let link = link(&place, &account);
        let serving = Serving::start(&place.database());
        let address = serving.origin.trim_start_matches("http://").parse().expect("an address");
        Self { target: Target::new(address, key, &link, Limits::default()), serving, place, _turn: turn }
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

/// A sign-in link of the account's owner.
fn link(place: &Place, account: &str) -> String {
    let database = place.database().display().to_string();
    let shown = run_json(&["account", "show", account, "--db", &database]);
    let login = text(&shown["account"]["logins"][0]["id"]);
    text(&run_json(&["login", "link", &login, "--db", &database])["link"]["url"])
}

impl Target {
    fn new(address: SocketAddr, key: String, link: &str, limits: Limits) -> Self {
        let patience = limits.head_timeout + limits.body_timeout + Duration::from_secs(15);
        let mut caller = Caller { address, key, session: String::new(), patience, pause: Duration::from_millis(5) };
        caller.session = caller.sign_in(link).expect("a session");
        Self { caller, limits }
    }

    pub fn connect(&self) -> TcpStream {
        self.caller.connect().expect("a connection")
    }
}
