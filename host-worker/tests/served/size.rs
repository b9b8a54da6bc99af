//! The size of the module that a deployment uploads, against its budget
//! ([decision 0037](../../../docs/decisions/0037-worker-size.md)), with the console and without it.

use std::{path::Path, process::Command};

#[test]
fn the_deployed_module_is_at_most_650_kilobytes_gzipped() {
    assert_at_most(650_000, "dist", &[]);
}

#[test]
fn the_module_without_the_console_is_at_most_420_kilobytes_gzipped() {
    assert_at_most(420_000, "dist-without-console", &["--without-console"]);
}

fn assert_at_most(gzipped_max_bytes: usize, folder: &str, arguments: &[&str]) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    let status = Command::new(directory.join("build")).args(arguments).status().expect("build runs");
    assert!(status.success(), "the Worker builds");
    let output = Command::new("gzip")
        .args(["-9", "-c", &format!("{folder}/index_bg.wasm")])
        .current_dir(directory)
        .output()
        .expect("gzip runs");
    let size = output.stdout.len();
    assert!(output.status.success() && size > 0, "gzip compresses the module");
    assert!(size <= gzipped_max_bytes, "{size} bytes");
    println!("{folder}: {size} bytes gzipped");
}
