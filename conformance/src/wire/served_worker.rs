//! The Worker, served on this machine by `host-worker/dev`, for the tests that hold it to its word. It is the build for
//! tests, whose clock and faults they set by headers. `.ci/deployed-worker` holds the one that is deployed.

use std::{
    io::{BufRead as _, BufReader},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, ChildStderr, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread::JoinHandle,
};

use serde_json::Value;

/// How the Worker is served.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The directory that keeps its database and its objects.
    pub state: PathBuf,
    /// Its settings, `MATTERBOOK_…`.
    pub settings: Vec<(&'static str, String)>,
}

/// How many ports a start tries.
const PORTS_MAX: usize = 5;

/// A Worker that is being served. Dropping it ends it.
pub struct ServedWorker {
    process: Child,
    /// Where it answers, without a path.
    pub url: String,
    lines: Arc<Mutex<Vec<String>>>,
    reader: Option<JoinHandle<()>>,
}

impl ServedWorker {
    /// Builds the Worker where a source changed, and serves it on a free port.
    ///
    /// # Errors
    /// What it said when it did not come to serve.
    pub fn start(options: &WorkerOptions) -> Result<Self, String> {
        // Seconds pass between the choice of a port and its use: another program may take it.
        let mut refusal = String::new();
        for _ in 0..PORTS_MAX {
            let port = free_port().map_err(|error| format!("no free port: {error}"))?;
            match Self::start_at(port, options) {
                Err(said) if said.contains(&format!("Port {port} of 127.0.0.1 is in use.")) => refusal = said,
                started => return started,
            }
        }
        Err(refusal)
    }

    fn start_at(port: u16, options: &WorkerOptions) -> Result<Self, String> {
        let mut command = Command::new(project().join("host-worker/dev"));
        command.args(["--test-hooks", "--port", &port.to_string(), "--state"]).arg(&options.state);
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("MATTERBOOK_")) {
            command.env_remove(name);
        }
        command.envs(options.settings.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().map_err(|error| format!("host-worker/dev does not start: {error}"))?;
        let (Some(said), Some(log)) = (process.stdout.take(), process.stderr.take()) else {
            return Err("host-worker/dev has no output".to_owned());
        };
        let lines = Arc::<Mutex<Vec<String>>>::default();
        let reader = Some(std::thread::spawn({
            let lines = Arc::clone(&lines);
            move || keep(log, &lines)
        }));
        let url = format!("http://127.0.0.1:{port}");
        let worker = Self { process, url, lines, reader };
        match BufReader::new(said).lines().next() {
            Some(Ok(line)) if line.contains(&worker.url) => Ok(worker),
            first => {
                let log = worker.log().join("\n");
                Err(format!("host-worker/dev did not come to serve: {first:?}\n{log}"))
            }
        }
    }

    /// What it has logged so far, line by line, in the order that it was written.
    #[must_use]
    pub fn log(&self) -> Vec<String> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The line of the request with this id, once it is written.
    #[must_use]
    pub fn line_of(&self, request_id: &str) -> Option<Value> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let line = lines.iter().rev().find(|line| line.contains(request_id))?;
        serde_json::from_str(line).ok()
    }

    /// Ends it as an operator would, and hands back its exit status.
    ///
    /// # Errors
    /// When it cannot be waited for.
    pub fn stop(mut self) -> std::io::Result<std::process::ExitStatus> {
        self.signal("-TERM");
        self.process.wait()
    }

    /// Ends it as a crash would: nothing gets to say goodbye.
    ///
    /// # Errors
    /// When it cannot be waited for.
    pub fn kill(mut self) -> std::io::Result<()> {
        let runtime = children_of(self.process.id());
        self.process.kill()?;
        for child in runtime {
            let _ = Command::new("kill").args(["-KILL", &child.to_string()]).status();
        }
        self.process.wait().map(|_| ())
    }

    fn signal(&self, signal: &str) {
        let _ = Command::new("kill").args([signal, &self.process.id().to_string()]).status();
    }
}

impl Drop for ServedWorker {
    /// Where a test has failed, also says why the Worker failed: a 500 does not tell.
    fn drop(&mut self) {
        if matches!(self.process.try_wait(), Ok(None)) {
            self.signal("-TERM");
            let _ = self.process.wait();
        }
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
        if std::thread::panicking() {
            self.log().iter().filter(|line| line.contains("\"cause\"")).for_each(|line| eprintln!("{line}"));
        }
    }
}

fn keep(log: ChildStderr, lines: &Mutex<Vec<String>>) {
    for line in BufReader::new(log).lines().map_while(Result::ok) {
        lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }
}

/// The processes that a process started.
fn children_of(parent: u32) -> Vec<u32> {
    let output = Command::new("ps").args(["-o", "pid=", "--ppid", &parent.to_string()]).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// A port that is free at this moment.
fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// The directory of the project.
fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}
