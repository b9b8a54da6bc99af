//! The service that may run here, and its limits from the system.

use std::{net::SocketAddr, time::Duration};

use rustix::process::{Resource, getrlimit};
use serde_json::Value;

use super::finding::Finding;
use crate::{cli::flags::Flags, http::Limits};

/// Open files other than connections: the database, its readers and the log.
const OTHER_FILES: u64 = 128;
/// How long to wait for the service's health response.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Whether the limit of open files is enough for all connections (rule W1).
pub(super) fn open_files() -> Finding {
    let needed = u64::try_from(Limits::default().connections).unwrap_or(u64::MAX).saturating_add(OTHER_FILES);
    match getrlimit(Resource::Nofile).current {
        Some(limit) if limit < needed => {
            let message =
                format!("Here a process may have {limit} open; a service with all its connections needs {needed}.");
            Finding::warn(
                "open files",
                message,
                "Raise it where the service is started: LimitNOFILE=4096, or ulimit -n 4096.",
            )
        }
        Some(limit) => Finding::ok("open files", format!("Here a process may have {limit} open.")),
        None => Finding::ok("open files", "Here a process may have any number open."),
    }
}

/// Whether the service that the settings describe answers.
pub(super) fn service(flags: &Flags) -> Option<Finding> {
    let settings = flags.settings().ok()?;
    let address = settings.listen.iter().find(|address| address.port() != 0)?;
    let address = reachable(*address);
    let agent = ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(TIMEOUT)).build();
    let answer = ureq::Agent::from(agent).get(format!("http://{address}/healthz")).call().map(|mut answer| {
        let body = answer.body_mut().read_to_string().unwrap_or_default();
        let health: Value = serde_json::from_str(&body).unwrap_or_default();
        (answer.status().as_u16(), health["problem"].as_str().map(str::to_owned))
    });
    Some(match answer {
        Ok((200, Some(problem))) => with_problem(&format!("One answers at {address}."), &problem),
        Ok((200, None)) => Finding::ok("service", format!("One answers at {address}, and reaches its database.")),
        Ok((500, _)) => Finding::wrong(
            "service",
            format!("One answers at {address}, and does not reach its database."),
            "Its log says why: look for the lines with a cause.",
        ),
        Ok((status, _)) => Finding::warn(
            "service",
            format!("Something answers at {address} with {status}, which is not Matterbook."),
            "Set MATTERBOOK_LISTEN to another port, or stop what has this one.",
        ),
        Err(_) => Finding::warn(
            "service",
            format!("Nothing answers at {address}."),
            "Where it should be running, start it; where it listens elsewhere, say so by --listen.",
        ),
    })
}

/// A service that answers, and that says what is wrong.
pub(super) fn with_problem(answers: &str, problem: &str) -> Finding {
    let fix = "Free some space, and end what reads the database for long (fuser -v names it).";
    Finding::warn("service", format!("{answers} {problem}"), fix)
}

/// The address for this machine of a service that listens on all addresses.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}
