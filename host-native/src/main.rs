//! The Matterbook service on one machine: everything is in the libraries, so that tests and other
//! programs can start it too.

use std::process::ExitCode;

/// That of musl takes one lock for all threads.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    matterbook::run(std::env::args_os())
}

/// All that is wanted of the system's library of mathematics: tokio and the progress bar take a power for
/// their statistics. With it here that library is not loaded, which is half a megabyte of an idle service.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the name is the C library's own, for a function of the same kind and meaning")]
#[unsafe(no_mangle)]
extern "C" fn pow(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}
