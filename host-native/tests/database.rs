//! The database file: its permissions (rule D9), its schema (rule L13) and its copy (rule L8).

use std::{
    os::unix::fs::PermissionsExt as _,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use crate::support::{Place, Serving, account, batch, run, text};
use matterbook::database::{Database, DatabaseError, QueueLimits};
use matterbook_store_sql::migrations::{MIGRATIONS, RECORD};

fn mode(file: &Path) -> u32 {
    std::fs::metadata(file).expect("the file is there").permissions().mode() & 0o777
}

#[test]
fn its_files_are_readable_by_their_owner_only() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let serving = Serving::start(&place.database());
    serving.post(&key, "/api/v1/clients", &batch(["1".to_owned()]));
    for name in ["matterbook.db", "matterbook.db-wal", "matterbook.db-shm"] {
        assert_eq!(mode(&place.file(name)), 0o600, "{name}");
    }
}

/// Whatever the umask lets through, and also where a umask takes from the owner.
#[test]
fn no_umask_opens_its_files_or_those_of_a_backup_to_others() {
    for umask in ["000", "022", "077", "277", "777"] {
        let place = Place::new();
        let database = place.database();
        let database = database.to_str().expect("a plain name");
        let copy = place.file("copy.db");
        let program = env!("CARGO_BIN_EXE_matterbook");
        let script = format!(
            "umask {umask} && {program} account create --email a@example.com --db {database} \\
             && {program} backup {} --db {database} && exec {program} serve --listen 127.0.0.1:0 --db {database}",
            copy.display()
        );
        let mut shell = std::process::Command::new("sh")
            .args(["-c", &script])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("a shell");
        let output = std::io::BufReader::new(shell.stdout.take().expect("a pipe"));
        let serves = std::io::BufRead::lines(output).map_while(Result::ok).any(|line| line.contains("serves"));
        assert!(serves, "umask {umask}");
        for name in ["matterbook.db", "matterbook.db-wal", "matterbook.db-shm", "copy.db"] {
            assert_eq!(mode(&place.file(name)), 0o600, "{name}, umask {umask}");
        }
        shell.kill().expect("an end");
        shell.wait().expect("an end");
    }
}

/// A file that an operator copied or restored from an archive may be readable by all users. So may the
/// write-ahead log that a crash left next to it (rule D9).
#[test]
fn a_file_that_was_open_to_others_is_closed_to_them_when_it_is_opened() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let mut serving = Serving::start(&place.database());
    serving.post(&key, "/api/v1/clients", &batch(["1".to_owned()]));
    serving.process.kill().expect("SIGKILL");
    serving.process.wait().expect("an end");
    let names = ["matterbook.db", "matterbook.db-wal", "matterbook.db-shm"];
    for wide in [0o644, 0o666, 0o640, 0o777] {
        for name in names {
            let _ = std::fs::set_permissions(place.file(name), std::fs::Permissions::from_mode(wide));
        }
        let mut serving = Serving::start(&place.database());
        serving.post(&key, "/api/v1/clients", &batch(["2".to_owned()]));
        for name in names {
            assert_eq!(mode(&place.file(name)) & 0o077, 0, "{name}, which was {wide:o}");
        }
        serving.process.kill().expect("SIGKILL");
        serving.process.wait().expect("an end");
    }
}

#[test]
fn a_newer_schema_is_refused_and_left_alone() {
    let place = Place::new();
    drop(Database::open(&place.database(), QueueLimits::default()).expect("a new database"));
    let connection = rusqlite::Connection::open(place.database()).expect("a connection");
    connection.execute(RECORD, (1_000, "from_the_future", 0)).expect("a newer version");
    let refused = Database::open(&place.database(), QueueLimits::default()).err();
    let known = MIGRATIONS.last().expect("a first migration").number;
    assert_eq!(refused, Some(DatabaseError::Newer { path: place.database(), found: 1_000, known }));
    let output = run(&["serve", "--listen", "127.0.0.1:0", "--db", place.database().to_str().expect("a plain name")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("was written by a newer Matterbook"));
}

#[test]
fn a_file_that_is_no_database_is_refused_with_a_sentence() {
    let place = Place::new();
    std::fs::write(place.database(), "not a database, but long enough to look like a header of one").expect("written");
    let output = run(&["account", "list", "--db", place.database().to_str().expect("a plain name")]);
    assert_eq!(output.status.code(), Some(1));
    let sentence = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(sentence.contains("cannot be opened") && sentence.lines().count() == 1, "{sentence}");
}

#[test]
fn a_backup_taken_while_writing_is_whole_and_can_be_served() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let serving = Serving::start(&place.database());
    let database = place.database();
    let copy = place.file("copy.db");
    let arguments = ["backup", copy.to_str().expect("a plain name"), "--db", database.to_str().expect("a plain name")];
    let is_copied = AtomicBool::new(false);
    let posted = thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut posted = 0;
            // One more than needed, so that something was written after the copy was begun.
            loop {
                let is_last = is_copied.load(Ordering::Acquire);
                serving.post(&key, "/api/v1/clients", &batch((0..10).map(|row| format!("{posted}-{row}"))));
                posted += 1;
                if is_last {
                    return posted;
                }
            }
        });
        let copied = run(&arguments);
        is_copied.store(true, Ordering::Release);
        assert!(copied.status.success(), "{}", String::from_utf8_lossy(&copied.stderr));
        writer.join().expect("no panic")
    });
    assert_eq!(mode(&copy), 0o600);
    let again = run(&arguments);
    assert_eq!(again.status.code(), Some(1), "an existing file is not overwritten");

    let restored = Serving::start(&copy);
    let clients = restored.clients(&key).len();
    assert!(clients.is_multiple_of(10) && clients < posted * 10, "{clients} of {posted} batches");
    restored.post(&key, "/api/v1/clients", &batch(["after".to_owned()]));
    assert_eq!(restored.clients(&key).len(), clients + 1);
}

/// SQLite leaves what is deleted in free pages unless it is told not to.
#[test]
fn nothing_of_an_erased_client_is_left_in_the_file() {
    let place = Place::new();
    let (account, key) = account(&place.database());
    let mut serving = Serving::start(&place.database());
    let names: Vec<String> = (0..500).map(|number| format!("Zephyrine{number}")).collect();
    let (_, answer) = serving.post(&key, "/api/v1/clients", &batch(names));
    let ids: Vec<String> =
        answer["results"].as_array().expect("results").iter().take(60).map(|result| text(&result["id"])).collect();
    let database = place.database();
    for id in &ids {
        let erase = ["client", "erase", id, "--account", &account, "--yes", "--db", database.to_str().expect("a name")];
        assert!(run(&erase).status.success());
    }
    serving.signal("TERM");
    assert!(serving.process.wait().expect("an end").success());
    let file = std::fs::read(&database).expect("the file");
    let holds = |name: &str| {
        file.windows(name.len() + 1)
            .any(|bytes| bytes[..name.len()] == *name.as_bytes() && !bytes[name.len()].is_ascii_digit())
    };
    let left: Vec<String> = (0..60).map(|number| format!("Zephyrine{number}")).filter(|name| holds(name)).collect();
    assert_eq!(left, Vec::<String>::new());
    assert!(holds("Zephyrine99"), "those who were not erased are there");
    assert!(!place.file("matterbook.db-wal").exists(), "a clean stop leaves no log behind");
}
