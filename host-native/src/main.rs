//! The Matterbook service on one machine. The code is in libraries, so that tests and other programs can
//! start it too.

use std::process::ExitCode;

/// musl's own allocator takes one lock for all threads, which is slow.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    matterbook::run(std::env::args_os())
}
