//! A file system that is really full at times: nothing is injected.
//!
//! The service runs on a tmpfs of limited size in a mount namespace of its own, is killed, and is held to its
//! answers. More kills, with figures:
//!
//! ```sh
//! FULL_KILLS=100 CRASH_SEED=1 cargo test -p matterbook --test native full_at_times -- --nocapture
//! ```

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::full::{NOT_KNOWN, rows_with_long_texts};
use crate::support::{OPERATOR_TOKEN, Serving, matterbook, post, text};

const DISK_BYTES: u64 = 200 << 20;
const BATCH_ROWS: usize = 60;
const POSTERS: usize = 4;
const KILLS_PER_DATABASE: usize = 4;
/// Answers of a service with room, enough for a log that is copied and begun again.
const ANSWERS_WITH_ROOM: usize = 120;
/// Answers of a service without room, enough for the log's index to need some.
const ANSWERS_WITHOUT_ROOM: usize = 240;

/// A small file system that only the processes started in it see.
struct SmallDisk {
    /// Has the namespace while it runs; ends with its standard input.
    keeper: Child,
    directory: TempDir,
    is_root: bool,
}

impl SmallDisk {
    /// `None` where the system lets this user mount nothing.
    fn new() -> Option<Self> {
        let directory = tempfile::tempdir().expect("a directory");
        let mount = format!("mount -t tmpfs -o size={DISK_BYTES} tmpfs \"$0\" && echo mounted && exec cat >/dev/null");
        for options in [["--mount"].as_slice(), &["--mount", "--user", "--map-root-user"]] {
            let mut command = Command::new("unshare");
            command.args(options).args(["sh", "-c", &mount]).arg(directory.path());
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
            let Ok(mut keeper) = command.spawn() else { continue };
            let mut line = String::new();
            let mut output = BufReader::new(keeper.stdout.take().expect("a pipe"));
            if output.read_line(&mut line).is_ok() && line == "mounted\n" {
                return Some(Self { keeper, directory, is_root: options.len() == 1 });
            }
            let _ = keeper.wait();
        }
        None
    }

    /// A file on it, by the name that its processes have for it.
    fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The same file, by the name that this process has for it.
    fn seen_file(&self, name: &str) -> PathBuf {
        let root = format!("/proc/{}/root", self.keeper.id());
        Path::new(&root).join(self.file(name).strip_prefix("/").expect("an absolute name"))
    }

    fn serve(&self, name: &str) -> Serving {
        let program = matterbook(&[]);
        let mut command = Command::new("nsenter");
        command.args(["--target", &self.keeper.id().to_string(), "--mount"]);
        if !self.is_root {
            command.args(["--user", "--preserve-credentials"]);
        }
        command.arg(program.get_program()).args(["serve", "--listen", "127.0.0.1:0", "--db"]);
        for (variable, _) in program.get_envs() {
            command.env_remove(variable);
        }
        let flags = ["--client-delay-seconds", "0", "--rate-limit-per-minute", "0", "--operator-token", OPERATOR_TOKEN];
        Serving::start_command(command, &self.file(name), &flags, Stdio::null())
    }

    /// Takes all the room that is left.
    fn fill(&self) {
        let mut filler = fs::File::create(self.seen_file("filler")).expect("a file");
        for bytes in [1 << 20, 4_096] {
            let zeros = vec![0; bytes];
            while filler.write_all(&zeros).is_ok() {}
        }
    }

    fn free(&self) {
        let _ = fs::remove_file(self.seen_file("filler"));
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = self.keeper.kill();
        let _ = self.keeper.wait();
    }
}

/// What a caller was told about a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Told {
    Saved,
    NothingSaved,
    NotKnown,
    NoAnswer,
}

fn told(answer: Option<(u16, Value)>) -> Told {
    match answer {
        None => Told::NoAnswer,
        Some((200, _)) => Told::Saved,
        Some((500, answer)) => {
            let message = answer["error"]["message"].as_str().unwrap_or_default();
            if message.contains("nothing was saved") {
                return Told::NothingSaved;
            }
            assert!(message.starts_with(NOT_KNOWN), "{answer}");
            Told::NotKnown
        }
        Some((status, answer)) => panic!("{status} {answer}"),
    }
}

/// A key of a new account.
fn key_of_new_account(serving: &Serving) -> String {
    let account =
        serving.post(OPERATOR_TOKEN, "/operator/v1/accounts", &json!({"email": "a@example.com", "api_enabled": true}));
    let path = format!("/operator/v1/accounts/{}/keys", text(&account.1["account"]["id"]));
    text(&serving.post(OPERATOR_TOKEN, &path, &json!({})).1["key"]["key"])
}

/// How many rows of each batch there are.
fn rows_by_batch(serving: &Serving, key: &str) -> HashMap<usize, usize> {
    let mut rows = HashMap::new();
    for client in serving.clients(key) {
        let (batch, _) = client["external_id"].as_str().and_then(|id| id.split_once('-')).expect("an id of ours");
        *rows.entry(batch.parse().expect("a number")).or_default() += 1;
    }
    rows
}

#[test]
fn on_a_disk_that_is_full_at_times_no_answer_says_nothing_was_saved_of_what_is_there() {
    let kills: usize = std::env::var("FULL_KILLS").map_or(2, |text| text.parse().expect("a number"));
    let seed = std::env::var("CRASH_SEED").map_or(1, |text| text.parse().expect("a number"));
    let Some(disk) = SmallDisk::new() else {
        eprintln!("not run: this user may mount nothing here");
        return;
    };
    let mut random = fastrand::Rng::with_seed(seed);
    let (next, batches) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let (mut name, mut key) = (String::new(), String::new());
    let mut found_in_all: BTreeMap<(Told, bool), usize> = BTreeMap::new();
    for kill in 0..kills {
        if kill % KILLS_PER_DATABASE == 0 {
            for ending in ["", "-wal", "-shm", ".lock"] {
                let _ = fs::remove_file(disk.seen_file(&format!("{name}{ending}")));
            }
            name = format!("m{kill}.db");
            batches.lock().expect("no panic").clear();
            key = key_of_new_account(&disk.serve(&name));
        }
        let mut serving = disk.serve(&name);
        let (origin, is_over, (sender, answers)) = (serving.origin.clone(), AtomicBool::new(false), mpsc::channel());
        thread::scope(|scope| {
            for _ in 0..POSTERS {
                let (sender, key, origin) = (sender.clone(), &key, &origin);
                let (next, batches, is_over) = (&next, &batches, &is_over);
                scope.spawn(move || {
                    while !is_over.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let clients = rows_with_long_texts(&number.to_string(), BATCH_ROWS);
                        let told = told(post(origin, key, "/api/v1/clients", &clients));
                        batches.lock().expect("no panic").insert(number, told);
                        let _ = sender.send(told);
                        if told != Told::Saved {
                            // A refusal costs little: others would crowd out the answers that count.
                            thread::sleep(Duration::from_millis(5));
                        }
                    }
                });
            }
            let wait_for = |count: usize| answers.iter().take(count).for_each(drop);
            wait_for(ANSWERS_WITH_ROOM / 2 + random.usize(..ANSWERS_WITH_ROOM));
            disk.fill();
            wait_for(ANSWERS_WITHOUT_ROOM / 2 + random.usize(..ANSWERS_WITHOUT_ROOM));
            if random.bool() {
                disk.free();
                wait_for(random.usize(..20));
            }
            serving.process.kill().expect("SIGKILL");
            serving.process.wait().expect("its end");
            is_over.store(true, Ordering::Relaxed);
        });
        disk.free();

        let found = rows_by_batch(&disk.serve(&name), &key);
        for (number, told) in batches.lock().expect("no panic").iter_mut() {
            let rows = found.get(number).copied().unwrap_or(0);
            let is_right = match told {
                Told::Saved => rows == BATCH_ROWS,
                Told::NothingSaved => rows == 0,
                Told::NotKnown | Told::NoAnswer => rows == 0 || rows == BATCH_ROWS,
            };
            assert!(is_right, "seed {seed}, after kill {kill}: {rows} rows of batch {number}, which was {told:?}");
            if matches!(told, Told::NotKnown | Told::NoAnswer) {
                *found_in_all.entry((*told, rows > 0)).or_default() += 1;
                // From now on it is there or not for good.
                *told = if rows > 0 { Told::Saved } else { Told::NothingSaved };
            } else if kill % KILLS_PER_DATABASE == KILLS_PER_DATABASE - 1 || kill + 1 == kills {
                *found_in_all.entry((*told, rows > 0)).or_default() += 1;
            }
        }
    }
    let count = |told: Told, is_there: bool| found_in_all.get(&(told, is_there)).copied().unwrap_or(0);
    println!(
        "{kills} kills on a disk that was full at times\n\
         {:>7} batches saved, each there after every later kill\n\
         {:>7} batches of which nothing was saved: {} of them were there\n\
         {:>7} answers \"it is not known\": {} of them were there, wholly\n\
         {:>7} posts without an answer: {} of them were there, wholly",
        count(Told::Saved, true),
        count(Told::NothingSaved, false) + count(Told::NothingSaved, true),
        count(Told::NothingSaved, true),
        count(Told::NotKnown, false) + count(Told::NotKnown, true),
        count(Told::NotKnown, true),
        count(Told::NoAnswer, false) + count(Told::NoAnswer, true),
        count(Told::NoAnswer, true),
    );
}
