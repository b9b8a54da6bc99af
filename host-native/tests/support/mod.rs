//! A service in a process of its own, on a file of its own, and how to talk to it.

use std::{
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Output, Stdio},
};

use matterbook_core::api::{UpsertStatus, endpoints};
use serde_json::{Value, json};
use tempfile::TempDir;

pub const OPERATOR_TOKEN: &str = "the-operator-token-of-all-the-tests";

/// A directory that is removed at the end, with the name of a database in it.
pub struct Place {
    directory: TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self { directory: tempfile::tempdir().expect("a directory") }
    }

    /// A directory in another one.
    pub fn within(directory: &Path) -> Self {
        Self { directory: tempfile::tempdir_in(directory).expect("a directory") }
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn database(&self) -> PathBuf {
        self.file("matterbook.db")
    }
}

/// The program with no settings but these.
pub fn matterbook(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_matterbook"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("MATTERBOOK_")) {
        command.env_remove(name);
    }
    command.args(arguments);
    command
}

/// Runs a command to its end.
pub fn run(arguments: &[&str]) -> Output {
    matterbook(arguments).output().expect("the program starts")
}

/// Runs a command that must succeed, with `--json`, and hands back what it printed.
pub fn run_json(arguments: &[&str]) -> Value {
    let output = matterbook(arguments).arg("--json").output().expect("the program starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON on stdout")
}

/// A running `matterbook serve`; killed when dropped.
pub struct Serving {
    pub process: Child,
    pub output: BufReader<ChildStdout>,
    /// `http://127.0.0.1:PORT`
    pub origin: String,
}

impl Serving {
    /// Serves the file without delay and without a rate limit.
    pub fn start(database: &Path) -> Self {
        let flags = ["--client-delay-seconds", "0", "--rate-limit-per-minute", "0", "--operator-token", OPERATOR_TOKEN];
        Self::start_with(database, &flags)
    }

    pub fn start_with(database: &Path, flags: &[&str]) -> Self {
        Self::spawn(database, flags, Stdio::null())
    }

    /// Serves with the log in a pipe.
    pub fn start_logged(database: &Path, flags: &[&str]) -> Self {
        Self::spawn(database, flags, Stdio::piped())
    }

    fn spawn(database: &Path, flags: &[&str], log: Stdio) -> Self {
        Self::start_prepared(database, flags, log, |_| {})
    }

    /// Serves in a process that is prepared before it starts.
    pub fn start_prepared(database: &Path, flags: &[&str], log: Stdio, prepare: impl FnOnce(&mut Command)) -> Self {
        let mut command = matterbook(&["serve", "--listen", "127.0.0.1:0", "--db"]);
        prepare(&mut command);
        Self::start_command(command, database, flags, log)
    }

    /// Serves by a command that lacks only the database and the flags.
    pub fn start_command(mut command: Command, database: &Path, flags: &[&str], log: Stdio) -> Self {
        let mut process =
            command.arg(database).args(flags).stdout(Stdio::piped()).stderr(log).spawn().expect("the program starts");
        let mut output = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a first line");
        let base = line.split(' ').find(|word| word.starts_with("http://")).expect("an address on the first line");
        let origin = base.strip_suffix("/api/v1").expect("the base of the API").to_owned();
        Self { process, output, origin }
    }

    /// Sends a signal by its name, such as `TERM`.
    pub fn signal(&self, name: &str) {
        let pid = self.process.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &pid]).status().expect("kill runs").success());
    }

    /// Where its metrics are, of a service that was started with an address for them.
    pub fn metrics(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a second line");
        let address = line.strip_prefix("Its metrics are at ").and_then(|rest| rest.strip_suffix(".\n"));
        address.expect("an address on the second line").to_owned()
    }

    pub fn post(&self, key: &str, path: &str, body: &Value) -> (u16, Value) {
        post(&self.origin, key, path, body).expect("an answer")
    }

    pub fn get(&self, key: &str, path: &str) -> (u16, Value) {
        get(&self.origin, key, path)
    }

    /// Every client of the key's account.
    pub fn clients(&self, key: &str) -> Vec<Value> {
        let mut clients = Vec::new();
        let mut path = "/api/v1/clients?limit=100".to_owned();
        loop {
            let (status, page) = self.get(key, &path);
            assert_eq!(status, 200, "{page}");
            clients.extend(page["clients"].as_array().expect("clients").iter().cloned());
            match page["next_cursor"].as_str() {
                Some(cursor) => path = format!("/api/v1/clients?limit=100&cursor={cursor}"),
                None => return clients,
            }
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads from a service of any host.
pub fn get(origin: &str, key: &str, path: &str) -> (u16, Value) {
    let answer = agent().get(format!("{origin}{path}")).header("authorization", format!("Bearer {key}")).call();
    read(answer.expect("an answer")).expect("a whole answer")
}

/// Posts without a running service in hand; `None` when the connection broke.
pub fn post(origin: &str, key: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
    let request = agent()
        .post(format!("{origin}{path}"))
        .header("authorization", format!("Bearer {key}"))
        .header("content-type", "application/json");
    read(request.send(body.to_string()).ok()?)
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).build().into()
}

fn read(mut answer: http::Response<ureq::Body>) -> Option<(u16, Value)> {
    let status = answer.status().as_u16();
    let text = answer.body_mut().read_to_string().ok()?;
    Some((status, serde_json::from_str(&text).expect("JSON")))
}

/// Makes an account whose API is on; hands back its id and a key.
pub fn account(database: &Path) -> (String, String) {
    let database = database.to_str().expect("a plain name");
    let flags = ["--api-enabled", "--digital-bundle"];
    let account = run_json(
        &[&["account", "create", "--email", "owner@example.com", "--db", database], flags.as_slice()].concat(),
    );
    let account = text(&account["account"]["id"]);
    let key = run_json(&["key", "create", "--account", &account, "--db", database]);
    (account, text(&key["key"]["key"]))
}

pub fn text(value: &Value) -> String {
    value.as_str().expect("text").to_owned()
}

/// A batch of clients with these external ids.
pub fn batch(ids: impl IntoIterator<Item = String>) -> Value {
    let clients: Vec<Value> =
        ids.into_iter().map(|id| json!({"external_id": id, "first_name": "Ana", "last_name": id})).collect();
    json!({"clients": clients})
}

/// The lines of a page of metrics with a label whose value is not one of a closed set of the program's own
/// words.
pub fn unknown_labels(page: &str) -> Vec<String> {
    let is_number = |value: &str| value == "+Inf" || value.parse::<f64>().is_ok();
    let is_known = |name: &str, value: &str| match name {
        "method" => endpoints().any(|(method, _)| method == value) || value == "other",
        "route" => endpoints().any(|(_, route)| route == value) || value == "other",
        "status" => is_number(value) || value == "other",
        "le" => is_number(value),
        "outcome" => UpsertStatus::ALL.iter().any(|status| status.name() == value),
        "verb" => ["holder", "record_use", "change", "clients", "prospects", "operate"].contains(&value),
        "version" => value == env!("CARGO_PKG_VERSION"),
        _ => false,
    };
    let samples = page.lines().filter(|line| !line.starts_with('#'));
    let unknown = samples.filter(|line| {
        let Some((_, rest)) = line.split_once('{') else { return false };
        let (pairs, _) = rest.rsplit_once('}').expect("an end");
        let mut pairs = pairs.split(',').map(|pair| pair.split_once('=').expect("a pair"));
        !pairs.all(|(name, value)| is_known(name, value.trim_matches('"')))
    });
    unknown.map(str::to_owned).collect()
}
