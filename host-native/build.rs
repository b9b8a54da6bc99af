//! How the program is linked: the list of the addresses that are set when it is loaded is packed. It takes
//! 6 KB in place of 231, and the loader reads all of it, so it stays in memory.

use std::{env, process::Command};

/// The first glibc that reads such a list. A program that has one does not start with an earlier one.
const GLIBC_MIN: (u32, u32) = (2, 36);

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let variable = |name| env::var(name).unwrap_or_default();
    let is_for_this_machine = variable("HOST") == variable("TARGET");
    let reads_packed = match variable("CARGO_CFG_TARGET_ENV").as_str() {
        "gnu" => is_for_this_machine && glibc_here().is_some_and(|version| version >= GLIBC_MIN),
        // A static program brings its loader, which is the compiler's own.
        "musl" => true,
        _ => false,
    };
    if reads_packed {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// This machine's version, where it tells it.
fn glibc_here() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
