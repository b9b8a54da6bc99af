//! The program as the Worker's build runs it.

use std::{fs, process::Command};

#[test]
fn a_directory_has_the_files_of_this_version_and_no_others() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path().join("assets");
    fs::create_dir(&place).expect("a directory");
    fs::write(place.join("older.js"), "").expect("a file");
    let status = Command::new(env!("CARGO_BIN_EXE_matterbook-asset-writer")).arg(&place).status().expect("it runs");
    assert!(status.success(), "it ends with status 0");
    let names = fs::read_dir(&place).expect("a listing").map(|entry| entry.expect("an entry").file_name());
    let names: Vec<String> = names.map(|name| name.into_string().expect("text")).collect();
    assert!(names.iter().any(|name| name.starts_with("viewer.")), "the viewer's: {names:?}");
    assert!(names.iter().any(|name| name.starts_with("import.")), "the import page's: {names:?}");
    assert!(!names.iter().any(|name| name == "older.js"), "none of another version");
}
