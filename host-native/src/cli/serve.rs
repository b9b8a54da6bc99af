//! `matterbook serve`

use std::{io::Write as _, net::SocketAddr, path::Path};

use matterbook_core::settings::SettingError;
use sd_notify::NotifyState;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::{
    demo::{self, Demo},
    flags::Flags,
    outcome::{Failure, Shown},
};
use crate::{Service, http::Limits, log, require_room, settings::NativeSettings};

/// The file of `serve --demo` where none is named, so that made-up people never meet real ones.
const DEMO_DATABASE: &str = "matterbook-demo.db";

/// Serves until SIGTERM or SIGINT, then finishes what was accepted. A second signal ends at once.
pub(super) fn run(flags: &Flags, is_demo: bool) -> Result<Shown, Failure> {
    if flags.url.is_some() {
        return Err(Failure::usage("serve serves a file on this machine: name it with --db, not --url."));
    }
    let mut settings = flags.settings().map_err(|SettingError(sentence)| Failure::Usage(sentence))?;
    if is_demo && flags.value("MATTERBOOK_DB").is_none() {
        settings.database = DEMO_DATABASE.into();
    }
    log::start(settings.log);
    log_panics();
    let demo = if is_demo {
        // The demo's key is shown once, when it serves. So none is made for a service that cannot start.
        require_room(&settings).map_err(Failure::refused)?;
        Some(demo::prepare(&settings)?)
    } else {
        None
    };
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::refused)?;
    runtime.block_on(serve(&settings, demo)).map(|()| Shown::default())
}

async fn serve(settings: &NativeSettings, demo: Option<Demo>) -> Result<(), Failure> {
    let mut signals = Signals::new().map_err(Failure::refused)?;
    let service = Service::start(settings, Limits::default()).await.map_err(Failure::refused)?;
    let address = service.address();
    announce(&settings.database, address, service.metrics_address(), demo.as_ref());
    // Whoever started it may wait to hear that; where nobody does, it is not said.
    let _ = sd_notify::notify(&[NotifyState::Ready]);
    signals.next().await;
    let _ = sd_notify::notify(&[NotifyState::Stopping]);
    tracing::info!("stopping: what was accepted is finished first");
    tokio::select! {
        is_finished = service.stop() => match is_finished {
            true => {
                tracing::info!("stopped");
                Ok(())
            }
            false => Err(Failure::refused("Some requests took too long to finish and were cut off.")),
        },
        () = signals.next() => Err(Failure::refused("Stopped at once by a second signal.")),
    }
}

/// The first line on stdout is where the service is; programs that start it read it.
fn announce(database: &Path, address: SocketAddr, metrics: Option<SocketAddr>, demo: Option<&Demo>) {
    tracing::info!(%address, metrics = metrics.map(tracing::field::display), database = %database.display(), "listening");
    let base = format!("http://{address}/api/v1");
    let introduction = demo.map(|demo| demo.introduction(&base, database)).unwrap_or_default();
    let mut output = std::io::stdout().lock();
    // A service goes on where nobody reads this.
    let _ = writeln!(output, "Matterbook serves {base} from {}.", database.display());
    if let Some(metrics) = metrics {
        let _ = writeln!(output, "Its metrics are at http://{metrics}/metrics.");
    }
    let _ = output.write_all(introduction.as_bytes());
    let _ = output.flush();
}

/// What the system sends a process that writes past a limit on the size of files; it ends one that does
/// not listen for it. The write fails too, which is answered like a full disk.
const FILE_SIZE_EXCEEDED: i32 = 25;

struct Signals {
    terminate: Signal,
    interrupt: Signal,
    _file_size_exceeded: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            _file_size_exceeded: signal(SignalKind::from_raw(FILE_SIZE_EXCEEDED))?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// A panic's own words may quote data, so only its place is logged.
fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a panic: this is a defect of the program");
    }));
}
