//! Upgrades on D1 (docs/deploy-worker.md, "Upgrade"). wrangler migrates a database of the first migration
//! that holds data of all kinds. The Worker then serves the same responses. The database and its responses
//! are in `store-sql/tests/data/`; `host-native/tests/upgrade.rs` writes them.

use std::{path::Path, process::Command};

use crate::support::{Served, state};
use matterbook_conformance::wire::RecordedRequest;
use matterbook_core::memory::TEST_KEY_SECRET;
use serde_json::Value;

const DATABASE: &str = include_str!("../../../store-sql/tests/data/first_migration.sql");
const ANSWERS: &str = include_str!("../../../store-sql/tests/data/first_migration.json");

/// wrangler's record of the migrations that it applied.
const RECORD: &str = "
create table d1_migrations (
  id integer primary key autoincrement, name text unique, applied_at timestamp default current_timestamp not null);
insert into d1_migrations (name) values ('0001_accounts_clients_prospects.sql');
";

/// Runs wrangler on a local database. Returns whether it succeeded, and its output.
fn wrangler(state: &Path, arguments: &[&str]) -> (bool, String) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(directory.join("node_modules/.bin/wrangler"))
        .current_dir(directory)
        .args(["d1"])
        .args(arguments)
        .args(["--local", "--persist-to"])
        .arg(state)
        .env("CLOUDFLARE_CF_FETCH_ENABLED", "false")
        .env("WRANGLER_SEND_METRICS", "false")
        .env("WRANGLER_LOG_PATH", state.join("wrangler-logs"))
        .env("WRANGLER_HIDE_BANNER", "true")
        .env("CI", "1")
        .env("NO_COLOR", "1")
        .output()
        .expect("wrangler starts");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

/// Restores the first database in D1's form: wrangler has the record of migrations, not the program.
fn restore(state: &Path) {
    let kept: Vec<&str> = DATABASE.lines().filter(|line| !line.starts_with("insert into schema_migrations")).collect();
    let text = kept.join("\n");
    let (start, rest) = text.split_once("CREATE TABLE schema_migrations").expect("the native host's record");
    let (_, end) = rest.split_once(";\n").expect("its end");
    let file = state.join("first.sql");
    std::fs::write(&file, format!("{start}{end}{RECORD}")).expect("written");
    let (is_done, said) = wrangler(state, &["execute", "DB", "--file", file.to_str().expect("a plain name")]);
    assert!(is_done, "{said}");
}

#[test]
fn a_database_of_the_first_migration_reads_the_same() {
    let state = state();
    restore(state.path());
    let settings = [
        ("MATTERBOOK_CLIENT_DELAY_SECONDS", "60"),
        ("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "0"),
        ("MATTERBOOK_KEY_SECRET", TEST_KEY_SECRET),
    ];
    let served = Served::start(state.path(), &settings);
    let kept: Value = serde_json::from_str(ANSWERS).expect("JSON");
    for moment in kept["moments"].as_array().expect("moments") {
        for asked in moment["asked"].as_array().expect("questions") {
            let asked = RecordedRequest(asked);
            let request = asked
                .request()
                .header("matterbook-test-now", moment["now"].to_string())
                .header("matterbook-test-draws", "1000");
            asked.holds(&served.http, &request).unwrap_or_else(|failure| panic!("{failure}"));
        }
    }
    served.stop();
}

/// wrangler applies a migration as one batch of D1. If one statement fails, none takes effect.
#[test]
fn a_failed_migration_changes_nothing() {
    let state = state();
    let directory = tempfile::tempdir().expect("a directory");
    let migrations = directory.path().join("migrations");
    std::fs::create_dir(&migrations).expect("made");
    let write = |name: &str, sql: &str| std::fs::write(migrations.join(name), sql).expect("written");
    let config = "name = \"matterbook\"\ncompatibility_date = \"2026-04-01\"\n[[d1_databases]]\nbinding = \"DB\"\n\
        database_name = \"matterbook\"\ndatabase_id = \"00000000-0000-0000-0000-000000000000\"\n\
        migrations_dir = \"migrations\"\n";
    let config_file = directory.path().join("wrangler.toml");
    std::fs::write(&config_file, config).expect("written");
    let config_file = config_file.to_str().expect("a plain name");
    let apply = || wrangler(state.path(), &["migrations", "apply", "DB", "--config", config_file]);
    let tables = || {
        let sql = "select group_concat(name) as names from sqlite_schema where name in ('kept', 'half', 'whole')";
        wrangler(state.path(), &["execute", "DB", "--config", config_file, "--json", "--command", sql]).1
    };
    write("0001_first.sql", "create table kept (x integer); insert into kept values (7);");
    assert!(apply().0);
    write("0002_second.sql", "create table half (x integer); insert into nowhere values (1);");
    assert!(!apply().0);
    assert!(tables().contains("\"names\": \"kept\""), "{}", tables());
    write("0002_second.sql", "create table whole (x integer); insert into kept select x + 1 from kept;");
    let (is_done, said) = apply();
    assert!(is_done, "{said}");
    assert!(tables().contains("\"names\": \"kept,whole\""), "{}", tables());
}
