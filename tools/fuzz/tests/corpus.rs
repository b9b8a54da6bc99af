//! Runs the fuzzer's seeds and findings as tests.

use std::{fs, path::Path};

fn replay(target: &str, property: fn(&[u8])) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let mut count = 0;
    for entry in fs::read_dir(directory).expect("a corpus") {
        let path = entry.expect("an entry").path();
        let bytes = fs::read(&path).expect("a file");
        let outcome = std::panic::catch_unwind(|| property(&bytes));
        assert!(outcome.is_ok(), "{} shows a defect", path.display());
        count += 1;
    }
    assert!(count >= 5, "{count} files");
}

#[test]
fn bodies() {
    replay("body", matterbook_fuzz::body);
}

#[test]
fn normalizers() {
    replay("normalizers", matterbook_fuzz::normalizers);
}

#[test]
fn cursors() {
    replay("cursor", matterbook_fuzz::cursor);
}

#[test]
fn requests() {
    replay("router", matterbook_fuzz::router);
}
