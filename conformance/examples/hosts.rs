//! Every case of the wire suite, side by side: in process over each store, and over HTTP against
//! each host. Prints a table of names and verdicts, and ends 0 where everything holds, or 1.
//!
//! ```sh
//! cargo run --release -p matterbook-conformance --example hosts
//! ```

#[path = "../tests/services/mod.rs"]
#[expect(dead_code, reason = "this program uses a part of them")]
mod services;

use std::process::ExitCode;

use matterbook::http::Limits;
use matterbook_conformance::wire::{Case, OverHttp, Service, Verdict, cases, run, run_all};
use matterbook_core::memory::MemoryStore;
use matterbook_store_sql::SqlStore;
use services::{
    OPERATOR_TOKEN,
    native::Native,
    sqlite::{Database, InRows, InSets},
    worker::Worker,
};

/// What both hosts run with: short delays, since they go by the clock on the wall.
const SETTINGS: [(&str, &str); 2] =
    [("MATTERBOOK_CLIENT_DELAY_SECONDS", "2"), ("MATTERBOOK_PROSPECT_DELAY_SECONDS", "2")];

/// Cases that run at once on a host. More would not end sooner, since those of the rate limit wait a minute,
/// and one database has to do the work of all.
const AT_ONCE: usize = 12;

/// The verdicts of one service on every case, in the order of the cases.
struct Column {
    name: &'static str,
    verdicts: Vec<Verdict>,
}

fn main() -> ExitCode {
    let cases: Vec<&'static Case> = cases::all().collect();
    let native = Native::start(&SETTINGS, Limits::default());
    let worker = Worker::start(&SETTINGS);
    let columns = std::thread::scope(|scope| {
        let native = scope.spawn(|| over_http("native over HTTP", &cases, &native.url));
        let worker = scope.spawn(|| over_http("Worker over HTTP", &cases, worker.url()));
        let memory = in_process("memory", &cases, || services::over(MemoryStore::default()));
        let rows = in_process("SQLite, rows", &cases, || services::over(InRows(Database::new())));
        let sets = in_process("SQLite, sets", &cases, || services::over(SqlStore::new(InSets(Database::new()))));
        let native = native.join().expect("the native host's verdicts");
        let worker = worker.join().expect("the Worker's verdicts");
        [memory, rows, sets, native, worker]
    });
    print_table(&cases, &columns);
    let failures = print_failures(&columns);
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// A service of its own for each case, on a clock that cases move.
fn in_process<S: Service>(name: &'static str, cases: &[&'static Case], service: impl Fn() -> S) -> Column {
    Column { name, verdicts: cases.iter().map(|case| run(case, &service())).collect() }
}

/// One service for all cases, on the clock on the wall.
fn over_http(name: &'static str, cases: &[&'static Case], url: &str) -> Column {
    let service = OverHttp::connect(url, OPERATOR_TOKEN).expect("a service that answers");
    Column { name, verdicts: run_all(cases, &service, AT_ONCE) }
}

fn print_table(cases: &[&'static Case], columns: &[Column]) {
    let width = cases.iter().map(|case| case.name.len()).max().unwrap_or_default();
    let line = |first: &str, words: Vec<String>| {
        let words = columns.iter().zip(words).map(|(column, word)| format!("  {word:<0$}", column.name.len()));
        println!("{}", format!("{first:<width$}{}", words.collect::<String>()).trim_end());
    };
    line("case", columns.iter().map(|column| column.name.to_owned()).collect());
    for (row, case) in cases.iter().enumerate() {
        let word = |column: &Column| if column.verdicts[row].failure.is_none() { "pass" } else { "FAIL" }.to_owned();
        line(case.name, columns.iter().map(word).collect());
    }
    let passed = |column: &Column| column.verdicts.iter().filter(|verdict| verdict.failure.is_none()).count();
    let counts = columns.iter().map(|column| format!("{} of {}", passed(column), column.verdicts.len()));
    line("passed", counts.collect());
}

/// Says of each failure where it was and what it is; how many there were.
fn print_failures(columns: &[Column]) -> usize {
    let mut count = 0;
    for column in columns {
        for failure in column.verdicts.iter().filter_map(|verdict| verdict.held().err()) {
            println!("\n{}: {failure}", column.name);
            count += 1;
        }
    }
    count
}
