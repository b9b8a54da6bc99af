//! What `host-worker/dev` says before it builds, where something that it needs is missing.

use std::{
    fs,
    net::TcpListener,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::Path,
    process::{Command, Output},
};

use tempfile::TempDir;

/// The system's programs that the scripts use.
const SYSTEM: [&str; 14] =
    ["bash", "cat", "cksum", "cmp", "cut", "dirname", "env", "find", "flock", "grep", "mkdir", "mktemp", "sed", "sort"];

/// A `PATH` with the system's programs, and these: each a shell script, or a link to the installed one.
struct Programs(TempDir);

impl Programs {
    fn new() -> Self {
        let programs = Self(tempfile::tempdir().expect("a directory"));
        for name in SYSTEM {
            programs.link(name);
        }
        programs
    }

    fn link(&self, name: &str) {
        let path = std::env::var("PATH").expect("a path");
        let program = std::env::split_paths(&path).map(|directory| directory.join(name)).find(|path| path.is_file());
        symlink(program.unwrap_or_else(|| panic!("{name} is installed")), self.0.path().join(name)).expect("a link");
    }

    fn script(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::write(&path, format!("#!/usr/bin/env bash\n{text}\n")).expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
    }

    /// Rust that notes in `compiled` that it was called, and has the Worker's target or not.
    fn rust(&self, targets: &str) {
        self.script("cargo", &format!("echo > '{}'; exit 1", self.0.path().join("compiled").display()));
        self.script("rustup", &format!("case \"$*\" in 'target list'*) echo {targets} ;; *) exit 1 ;; esac"));
    }

    fn dev(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("dev"));
        command.args(arguments).env("PATH", self.0.path()).current_dir(self.0.path()).output().expect("dev runs")
    }

    /// Runs a `dev` that has to refuse before it compiles or writes anything. Returns its sentence.
    fn refusal(&self, arguments: &[&str], status: i32) -> String {
        let output = self.dev(arguments);
        let errors = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(status), "{errors}");
        assert!(!self.0.path().join("compiled").exists(), "it compiles nothing: {errors}");
        assert!(!self.0.path().join("worker-state").exists(), "it creates no state: {errors}");
        errors
    }
}

#[test]
fn a_missing_tool_is_named_before_anything_is_compiled() {
    let programs = Programs::new();
    let sentence = "Rust is not installed. Install it from https://rustup.rs, then run this again.\n";
    assert_eq!(programs.refusal(&[], 1), sentence);

    programs.rust("wasm32-unknown-unknown");
    let sentence =
        "Node is not installed. Install Node 20 or later with npm from https://nodejs.org, then run this again.\n";
    assert_eq!(programs.refusal(&[], 1), sentence);

    programs.script("node", "echo v18.20.4");
    let sentence = "Node 18.20.4 is too old. Install Node 20 or later from https://nodejs.org, then run this again.\n";
    assert_eq!(programs.refusal(&[], 1), sentence);

    programs.script("node", "echo v20.0.0");
    let sentence = "npm is not installed. It comes with Node: install Node 20 or later from https://nodejs.org.\n";
    assert_eq!(programs.refusal(&[], 1), sentence);
}

#[test]
fn a_target_of_rust_that_cannot_be_installed_is_named() {
    let programs = Programs::new();
    programs.rust("x86_64-unknown-linux-gnu");
    programs.script("node", "echo v22.1.0");
    programs.script("npm", "exit 1");
    let said = programs.refusal(&[], 1);
    assert!(
        said.ends_with("with its target wasm32-unknown-unknown cannot be installed. See the message above.\n"),
        "{said}"
    );
}

#[test]
fn a_port_that_is_none_is_refused_with_a_sentence() {
    let programs = Programs::new();
    for port in ["99999", "65536", "0", "-1", "http", "80 80"] {
        assert_eq!(
            programs.refusal(&["--port", port], 2),
            "--port must be a whole number from 1 to 65535.\n",
            "{port}"
        );
    }
}

#[test]
fn a_port_in_use_is_refused_before_anything_is_compiled() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    // Installed packages are not installed again.
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools");
    assert!(Command::new(tools).status().expect("tools run").success(), "the tools are installed");
    let programs = Programs::new();
    programs.rust("wasm32-unknown-unknown");
    programs.link("node");
    programs.script("npm", "exit 1");
    assert_eq!(programs.refusal(&["--port", &port.to_string()], 1), format!("Port {port} of 127.0.0.1 is in use.\n"));
}
