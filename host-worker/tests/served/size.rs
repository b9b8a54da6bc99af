//! The size of the module that a deployment uploads, against its budget
//! ([decision 0037](../../../docs/decisions/0037-worker-size.md)).

use std::{path::Path, process::Command};

const GZIPPED_MAX_BYTES: usize = 420_000;

#[test]
fn the_deployed_module_is_at_most_420_kilobytes_gzipped() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    let status = Command::new(directory.join("build")).status().expect("build runs");
    assert!(status.success(), "the Worker builds");
    let script = "const { readFileSync: read } = require('fs'), { gzipSync: gzip } = require('zlib');\
                  console.log(gzip(read('dist/index_bg.wasm'), { level: 9 }).length)";
    let output = Command::new("node").args(["-e", script]).current_dir(directory).output().expect("node runs");
    let printed = String::from_utf8(output.stdout).expect("text");
    let size: usize = printed.trim().parse().expect("a number of bytes");
    assert!(size <= GZIPPED_MAX_BYTES, "{size} bytes");
}
