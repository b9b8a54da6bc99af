//! `host-worker/dev` as developers and scripts use it. It prints one line and its log, refuses invalid
//! input with a sentence, and leaves no process behind.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
};

use crate::support::{OPERATOR_TOKEN, soon, state};
use matterbook_conformance::wire::{Answer, Firm, OverHttp, Request, send};
use serde_json::{Value, json};

fn dev(port: u16, state: &Path, settings: &[(&str, &str)]) -> Command {
    let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("dev"));
    command.arg("--test-hooks");
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("MATTERBOOK_")) {
        command.env_remove(name);
    }
    command.args(["--port", &port.to_string(), "--state"]).arg(state);
    command.env("MATTERBOOK_OPERATOR_TOKEN", OPERATOR_TOKEN).envs(settings.iter().copied());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port()
}

/// A running `dev`. Dropping it ends it.
struct Process(Child);

impl Process {
    fn signal(&self, name: &str) {
        let pid = self.0.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &pid]).status().expect("kill runs").success());
    }

    /// Waits for its end. Returns its exit status and its standard error.
    fn outcome(&mut self) -> (Option<i32>, String) {
        let status = soon("end of it", || self.0.try_wait().expect("its status"));
        let mut errors = String::new();
        self.0.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("text");
        (status.code(), errors)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(None)) {
            self.signal("TERM");
            let _ = self.0.wait();
        }
    }
}

/// A `dev` that serves.
struct Dev {
    process: Process,
    output: BufReader<ChildStdout>,
    port: u16,
}

impl Dev {
    fn start(mut command: Command, port: u16) -> Self {
        let mut process = Process(command.spawn().expect("dev starts"));
        let mut output = BufReader::new(process.0.stdout.take().expect("a pipe"));
        let mut first_line = String::new();
        output.read_line(&mut first_line).expect("a line");
        assert_eq!(first_line, format!("Matterbook serves http://127.0.0.1:{port}/api/v1 under workerd.\n"));
        Self { process, output, port }
    }

    fn http(&self) -> OverHttp {
        OverHttp::connect(&format!("http://127.0.0.1:{}", self.port), OPERATOR_TOKEN).expect("a service that answers")
    }

    /// The runtimes that it started.
    fn runtimes(&self) -> Vec<u32> {
        let parent = self.process.0.id().to_string();
        let output = Command::new("ps").args(["-o", "pid=", "--ppid", &parent]).output().expect("ps runs");
        let text = String::from_utf8(output.stdout).expect("text");
        text.split_whitespace().map(|pid| pid.parse().expect("a number")).collect()
    }

    /// Ends it. Returns the rest of its output, and its log.
    fn end(mut self, signal: &str) -> (String, String) {
        self.process.signal(signal);
        let (status, log) = self.process.outcome();
        assert_eq!(status, Some(0), "it ends with status 0");
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("text");
        (rest, log)
    }
}

fn is_running(pid: u32) -> bool {
    // A zombie counts as ended.
    let output = Command::new("ps").args(["-o", "stat=", "-p", &pid.to_string()]).output().expect("ps runs");
    output.stdout.first().is_some_and(|state| *state != b'Z')
}

/// Runs a `dev` that has to refuse. Returns its sentence.
fn refusal(command: &mut Command, status: i32) -> String {
    let mut process = Process(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("dev starts"));
    let (came, errors) = process.outcome();
    assert_eq!(came, Some(status), "{errors}");
    let mut output = String::new();
    process.0.stdout.take().expect("a pipe").read_to_string(&mut output).expect("text");
    assert_eq!(output, "", "a refusal is no output");
    errors
}

/// Builds the Worker, so that a later `dev` prints nothing about a build on its standard error.
fn build() {
    let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("build"));
    let status = command.arg("--test-hooks").status().expect("build runs");
    assert!(status.success(), "the Worker builds");
}

#[test]
fn it_prints_one_line_then_its_log_and_stops_everything() {
    build();
    for signal in ["TERM", "INT"] {
        let (state, port) = (state(), free_port());
        let dev = Dev::start(dev(port, state.path(), &[]), port);
        let http = dev.http();
        let firm = Firm::open(&http).expect("a firm");
        firm.create(&json!({"last_name": "Ray"})).expect("a client");
        send(&http, &Request::new("GET", "/nothing")).expect("an answer").expect_status(404).expect("nothing there");
        // Two requests with endless bodies are in progress when it ends.
        let in_progress: Vec<TcpStream> = (0..2)
            .map(|_| {
                let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
                let head = format!(
                    "POST /api/v1/clients HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n\
                     Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
                    firm.key
                );
                stream.write_all(head.as_bytes()).expect("the request is taken");
                stream
            })
            .collect();
        firm.get("/me").and_then(Answer::ok).expect("an answer");
        let runtimes = dev.runtimes();
        assert!(!runtimes.is_empty(), "there is a runtime");
        let (rest, log) = dev.end(signal);
        drop(in_progress);
        assert_eq!(rest, "", "one line is all its output");
        for line in log.lines() {
            let line: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("not a line of the log: {line}"));
            assert!(line["request_id"].is_string(), "{line}");
        }
        // The settings, the description of the API, an account, a key, a client, `/nothing`, `/me`.
        assert_eq!(log.lines().count(), 7, "a line for each request that was answered:\n{log}");
        // The description and `/nothing` ask the database nothing.
        let sizes = log.lines().filter(|line| line.contains("\"database_bytes\":")).count();
        assert_eq!(sizes, 5, "the size of the database where it was asked:\n{log}");
        for runtime in runtimes {
            assert!(!is_running(runtime), "its runtime ended with it");
        }
        assert!(TcpListener::bind(("127.0.0.1", port)).is_ok(), "its port is free");
    }
}

#[test]
fn two_services_run_at_once_with_separate_states() {
    let places = [(state(), free_port()), (state(), free_port())];
    let [first, second] = places.each_ref().map(|(state, port)| Dev::start(dev(*port, state.path(), &[]), *port));
    let (first_http, second_http) = (first.http(), second.http());
    let firm = Firm::open(&first_http).expect("a firm");
    firm.get("/me").and_then(Answer::ok).expect("its key is known");
    let elsewhere = Request::new("GET", "/api/v1/me").bearer(&firm.key);
    send(&second_http, &elsewhere).expect("an answer").expect_status(401).expect("and unknown elsewhere");
    second.end("TERM");
    firm.get("/me").and_then(Answer::ok).expect("the other goes on");
    first.end("TERM");
}

#[test]
fn it_runs_from_any_directory_and_creates_its_state() {
    let (elsewhere, port) = (state(), free_port());
    let mut command = dev(port, Path::new("new/place"), &[]);
    command.current_dir(elsewhere.path());
    Dev::start(command, port).end("TERM");
    assert!(elsewhere.path().join("new/place/v3/d1").is_dir(), "the state lies where it was asked for");
}

#[test]
fn a_port_in_use_is_refused_with_a_sentence() {
    build();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let state = state();
    let said = refusal(&mut dev(port, state.path(), &[]), 1);
    assert_eq!(said, format!("Port {port} of 127.0.0.1 is in use.\n"));
}

#[test]
fn an_invalid_setting_is_refused_with_a_sentence() {
    build();
    let state = state();
    for (setting, sentence) in [
        (
            ("MATTERBOOK_KEY_PREFIX", "key"),
            "MATTERBOOK_KEY_PREFIX must be three letters or digits and an underscore, such as mtb_.\n",
        ),
        (
            ("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "10001"),
            "MATTERBOOK_RATE_LIMIT_PER_MINUTE must be a whole number from 0 to 10000.\n",
        ),
    ] {
        assert_eq!(refusal(&mut dev(free_port(), state.path(), &[setting]), 1), sentence);
    }
}

#[test]
fn invalid_arguments_print_the_usage() {
    let usage = "usage: host-worker/dev [--demo] [--port PORT] [--state DIRECTORY] [--test-hooks]\n";
    for arguments in [&["--port"][..], &["--state"], &["--state", ""], &["--help"], &["8787"]] {
        let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("dev"));
        assert_eq!(refusal(command.args(arguments), 2), usage, "{arguments:?}");
    }
}

#[test]
fn the_demo_prints_a_key_with_which_prospects_are_seen_at_once() {
    build();
    let state = state();
    let mut earlier_key = None;
    for has_token in [false, true] {
        let port = free_port();
        let mut command = dev(port, state.path(), &[]);
        command.arg("--demo");
        if !has_token {
            command.env_remove("MATTERBOOK_OPERATOR_TOKEN");
        }
        let mut dev = Dev::start(command, port);
        let introduction = dev.output.by_ref().lines().map(|line| line.expect("a line"));
        let introduction: Vec<_> = introduction.take_while(|line| !line.starts_with("Stop with Ctrl-C.")).collect();
        let key = introduction.iter().map(|line| line.trim()).find(|line| line.starts_with("mtb_")).expect("a key");
        let post = format!("  curl -s http://127.0.0.1:{port}/api/v1/clients -H 'Authorization: Bearer {key}' ");
        assert!(introduction.iter().any(|line| line.starts_with(&post)), "{introduction:#?}");
        assert_ne!(earlier_key.replace(key.to_owned()).as_deref(), Some(key), "each start has a key of its own");
        if !has_token {
            let (_, log) = dev.end("TERM");
            assert_eq!(log, "", "the log begins with the first request of a caller");
            continue;
        }
        let listing = Request::new("GET", "/api/v1/prospects?limit=100").bearer(key);
        let answer = send(&dev.http(), &listing).and_then(Answer::ok).expect("an answer");
        let prospects = answer.json["prospects"].as_array().map(Vec::len);
        assert_eq!(prospects, Some(100), "made-up prospects are there");
    }
}
