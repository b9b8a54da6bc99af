//! What the system says of this process, by the names that Prometheus gives it. Elsewhere than on Linux
//! there is none of it but the start.

use std::time::{SystemTime, UNIX_EPOCH};

use rustix::process::{Resource, getrlimit};

use super::text::Text;

/// When a process began to serve, in seconds since 1970.
pub(super) fn now_seconds() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

pub(super) fn write(text: &mut Text, began_at_seconds: f64) {
    let help = "When the service started, in seconds since 1970.";
    text.gauge("process_start_time_seconds", help, began_at_seconds);
    if let Some(bytes) = resident_bytes() {
        text.gauge("process_resident_memory_bytes", "Memory that the process has in use.", bytes);
    }
    if let Ok(files) = std::fs::read_dir("/proc/self/fd") {
        text.gauge("process_open_fds", "Open files and sockets.", files.count());
    }
    if let Some(files) = getrlimit(Resource::Nofile).current {
        text.gauge("process_max_fds", "The most files and sockets that may be open.", files);
    }
}

fn resident_bytes() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse::<usize>().ok()?;
    pages.checked_mul(rustix::param::page_size())
}
