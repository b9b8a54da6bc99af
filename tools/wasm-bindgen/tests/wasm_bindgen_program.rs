//! The program as scripts run it.

use std::process::Command;

#[test]
fn arguments_that_are_missing_are_named() {
    let output = Command::new(env!("CARGO_BIN_EXE_matterbook-wasm-bindgen")).arg("web").output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).expect("text");
    assert!(errors.contains("usage: matterbook-wasm-bindgen worker|web MODULE DIRECTORY NAME"), "{errors}");
}
