//! `matterbook serve`

use std::io::Write as _;

use matterbook_core::settings::SettingError;
use sd_notify::NotifyState;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::{
    demo::{self, Demo},
    doctor::settings::{open_address, unknown_variables},
    flags::Flags,
    operator::own_address,
    outcome::{Failure, Shown},
};
use crate::{Service, http::Limits, log, require_room, settings::NativeSettings};

/// The default file of `serve --demo`, so that made-up people are never mixed with real ones.
const DEMO_DATABASE: &str = "matterbook-demo.db";

/// Serves until SIGTERM or SIGINT, then finishes accepted requests. A second signal ends the program at once.
pub(super) fn run(flags: &Flags, is_demo: bool, is_standby: bool) -> Result<Shown, Failure> {
    if flags.url.is_some() {
        return Err(Failure::usage("serve serves a file on this machine: name it with --db, not --url."));
    }
    let mut settings = flags.settings().map_err(|SettingError(sentence)| Failure::Usage(sentence))?;
    if is_demo && flags.value("MATTERBOOK_DB").is_none() {
        settings.database = DEMO_DATABASE.into();
    }
    log::start(settings.log);
    log_panics();
    warn(&settings);
    let demo = if is_demo {
        // The demo's key is shown only once, when the service starts. So no key is created if it cannot
        // start.
        require_room(&settings).map_err(Failure::refused)?;
        Some(demo::prepare(&settings)?)
    } else {
        None
    };
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::refused)?;
    runtime.block_on(serve(&settings, demo, is_standby)).map(|()| Shown::default())
}

/// Logs what is probably a mistake in the settings. `doctor` tells more.
fn warn(settings: &NativeSettings) {
    for variable in unknown_variables() {
        tracing::warn!(variable, "no setting has this name: it does nothing");
    }
    if let Some(address) = open_address(&settings.listen).filter(|_| !settings.behind_proxy) {
        tracing::warn!(
            %address,
            "other machines reach this address without TLS: put a reverse proxy in front of it, and start with --behind-proxy"
        );
    }
}

async fn serve(settings: &NativeSettings, demo: Option<Demo>, is_standby: bool) -> Result<(), Failure> {
    let mut signals = Signals::new().map_err(Failure::refused)?;
    let limits = Limits::default();
    let started = if is_standby {
        Service::start_standby(settings, limits).await
    } else {
        Service::start(settings, limits).await
    };
    let service = started.map_err(Failure::refused)?;
    announce(settings, &service, demo.as_ref(), is_standby);
    // Tells systemd that the service is ready. Without systemd the message is dropped.
    let _ = sd_notify::notify(&[NotifyState::Ready]);
    tokio::select! {
        () = signals.next() => {}
        reason = service.ended() => return Err(Failure::refused(reason)),
    }
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

/// Prints the address as the first line on stdout, where programs that start the service read it.
fn announce(settings: &NativeSettings, service: &Service, demo: Option<&Demo>, is_standby: bool) {
    let (address, database) = (service.address(), &settings.database);
    let (operator, metrics) = (service.operator_address(), service.metrics_address());
    tracing::info!(
        %address,
        operator = operator.map(tracing::field::display),
        metrics = metrics.map(tracing::field::display),
        database = %database.display(),
        mode = if is_standby { "standby" } else { "main" },
        "listening"
    );
    let base = format!("http://{address}/api/v1");
    let own = own_address(&[address]).unwrap_or_else(|| format!("http://{address}"));
    let public_url = settings.rules.public_url.clone().unwrap_or(own);
    let introduction = demo.map(|demo| demo.introduction(&base, &public_url, database)).unwrap_or_default();
    let mut output = std::io::stdout().lock();
    // The service continues if stdout is closed.
    let standby = if is_standby { ", as a standby that only reads" } else { "" };
    let _ = writeln!(output, "Matterbook serves {base} from {}{standby}.", database.display());
    if let Some(metrics) = metrics {
        let _ = writeln!(output, "Its metrics are at http://{metrics}/metrics.");
    }
    if let Some(operator) = operator {
        let _ = writeln!(output, "Its operator API is at http://{operator}/operator/v1.");
    }
    let _ = output.write_all(introduction.as_bytes());
    let _ = output.flush();
}

/// SIGXFSZ: sent to a process that exceeds the file size limit, and fatal unless handled. The write also
/// fails with an error, which is handled like a full disk.
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

/// A panic's message may quote data, so only its location is logged (rule D5).
fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a panic: this is a defect of the program");
    }));
}
