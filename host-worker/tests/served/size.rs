//! The sizes of the modules that a deployment uploads, against their budgets
//! ([decision 0037](../../../docs/decisions/0037-worker-size.md)). `.ci/worker-size` holds that of a module without
//! the console, which no other test builds.

use std::{path::Path, process::Command};

#[test]
fn the_deployed_module_is_at_most_650_kilobytes_gzipped() {
    assert_is_at_most("index_bg.wasm", 650_000);
}

#[test]
fn the_module_of_passkeys_is_at_most_200_kilobytes_gzipped() {
    assert_is_at_most("passkeys_bg.wasm", 200_000);
}

#[track_caller]
fn assert_is_at_most(name: &str, gzipped_max_bytes: usize) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    let status = Command::new(directory.join("build")).status().expect("build runs");
    assert!(status.success(), "the Worker builds");
    let gzip = Command::new("gzip").args(["-9", "-c", name]).current_dir(directory.join("dist")).output();
    let output = gzip.expect("gzip runs");
    let size = output.stdout.len();
    assert!(output.status.success() && size > 0, "gzip compresses the module");
    assert!(size <= gzipped_max_bytes, "{size} bytes");
    println!("{name} has {size} bytes gzipped");
}
