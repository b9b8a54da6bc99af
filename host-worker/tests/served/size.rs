//! The size of the module that a deployment uploads, against its budget
//! ([decision 0037](../../../docs/decisions/0037-worker-size.md)). `.ci/worker-size` holds that of a module without
//! the console, which no other test builds.

use std::{path::Path, process::Command};

#[test]
fn the_deployed_module_is_at_most_650_kilobytes_gzipped() {
    const GZIPPED_MAX_BYTES: usize = 650_000;
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    let status = Command::new(directory.join("build")).status().expect("build runs");
    assert!(status.success(), "the Worker builds");
    let gzip = Command::new("gzip").args(["-9", "-c", "dist/index_bg.wasm"]).current_dir(directory).output();
    let output = gzip.expect("gzip runs");
    let size = output.stdout.len();
    assert!(output.status.success() && size > 0, "gzip compresses the module");
    assert!(size <= GZIPPED_MAX_BYTES, "{size} bytes");
    println!("{size} bytes gzipped");
}
