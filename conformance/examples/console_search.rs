//! How long a search of the console takes on the native host, over 100,000 clients of one account: each kind of
//! search, and the whole. Where the machine is busy with other work, the time on the processor tells more.
//!
//! ```sh
//! cargo run --release -p matterbook-conformance --example console_search -- 200
//! ```

use std::{path::Path, time::Instant};

use matterbook::database::{Database, QueueLimits};
use matterbook_core::{
    account::AccountFlags,
    key::AccountNumber,
    sign_in::{LinkDigest, SessionDigest},
    store::{
        ClientSearch, ConsoleAnswer, ConsoleCommand, ConsoleRequest, ConsoleStore, LogEntry, NewSession,
        OperatorCommand, OperatorStore, Retention, SearchText, SignIn, SignInCommand,
    },
    time::Timestamp,
    uuid::Uuid,
};
use rusqlite::Connection;

const CLIENTS: i64 = 100_000;
const ROUNDS: usize = 100;
const NOW: Timestamp = Timestamp::from_micros(1_767_225_600_000_000);

fn main() {
    let rounds = std::env::args().nth(1).and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS);
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("search.db");
    let session = runtime.block_on(prepare(&path));
    let database = Database::open(&path, QueueLimits::default()).expect("the database");
    let text = |text: &str| ClientSearch { text: SearchText::new(text), ..ClientSearch::default() };
    let searches = [
        ("nothing: the newest", ClientSearch::default()),
        ("part of many names", text("sampleton 1")),
        ("part of one name", text("sampleton 77123")),
        ("nobody's name", text("nobody at all")),
        ("a number", text("case-51234")),
        ("an e-mail address", text("person77123@")),
        ("a phone number", text("(217) 555-0199")),
        ("a ZIP", text("99999")),
        ("letters off", ClientSearch { letters_off: true, ..text("nobody at all") }),
        (
            "settled in a month",
            ClientSearch {
                settled_from: "2030-01-01".parse().ok(),
                settled_to: "2030-01-31".parse().ok(),
                ..ClientSearch::default()
            },
        ),
    ];
    println!("{rounds} searches each, in ms; then the same on the processor");
    println!("{:<22} {:>8} {:>8} {:>8} {:>8} {:>6}", "search", "median", "p95", "cpu", "cpu p95", "found");
    let (mut all, mut all_cpu) = (Vec::new(), Vec::new());
    for (name, search) in searches {
        let mut found = 0;
        let (mut times, mut cpu): (Vec<f64>, Vec<f64>) = (0..rounds)
            .map(|_| {
                let command = ConsoleCommand::SearchClients { search: search.clone(), before: None, limit: 50 };
                let (began, cpu_began) = (Instant::now(), processor_ms());
                let response = runtime.block_on(database.console(request(session, command))).expect("an answer");
                let took = (began.elapsed().as_secs_f64() * 1_000.0, processor_ms() - cpu_began);
                match response.expect("a live session").answer {
                    ConsoleAnswer::Clients(clients, _) => found = clients.len(),
                    other => panic!("instead of clients: {other:?}"),
                }
                took
            })
            .unzip();
        all.extend_from_slice(&times);
        all_cpu.extend_from_slice(&cpu);
        print(name, &mut times, &mut cpu, found);
    }
    print("all", &mut all, &mut all_cpu, 0);
}

fn print(name: &str, times: &mut [f64], cpu: &mut [f64], found: usize) {
    let at = |times: &mut [f64], hundredth: usize| {
        times.sort_by(f64::total_cmp);
        times[(times.len() - 1) * hundredth / 100]
    };
    let [median, most] = [50, 95].map(|hundredth| at(times, hundredth));
    let [cpu_median, cpu_most] = [50, 95].map(|hundredth| at(cpu, hundredth));
    println!("{name:<22} {median:>8.1} {most:>8.1} {cpu_median:>8.1} {cpu_most:>8.1} {found:>6}");
}

/// How long this thread was on a processor, where the system tells.
fn processor_ms() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|text| text.parse::<f64>().ok());
    nanoseconds.unwrap_or_default() / 1_000_000.0
}

/// A database with one account, its clients, and a session of its owner.
async fn prepare(path: &Path) -> SessionDigest {
    let [account, login] = [1, 2].map(Uuid::from_u128);
    {
        let database = Database::open(path, QueueLimits::default()).expect("a database");
        let create = OperatorCommand::CreateAccount {
            id: account,
            number: AccountNumber::from_bytes([0, 0, 0, 0, 0, 7]),
            login_id: login,
            email: "owner@firm.example".to_owned(),
            flags: AccountFlags { api_enabled: true, ..AccountFlags::default() },
        };
        database.operate(create, entry(3)).await.expect("an account");
        let link = LinkDigest::of("link");
        let make = OperatorCommand::MakeLink { login, link, expires_at: NOW.plus_seconds(60) };
        database.operate(make, entry(4)).await.expect("a link");
        let session = NewSession { id: Uuid::from_u128(5), digest: SessionDigest::of("session") };
        let sign_in = SignIn {
            now: NOW,
            entry_id: Uuid::from_u128(6),
            request_id: Uuid::from_u128(7),
            retention: Retention::default(),
            command: SignInCommand::UseLink { link, session },
        };
        database.sign_in(sign_in).await.expect("a session");
    }
    let connection = Connection::open(path).expect("the file");
    let sql = "
        with recursive number (n) as (select 1 union all select n + 1 from number where n < ?1)
        insert into clients (account_id, id, external_id, first_name, last_name, address_line1, city, state, zip, email,
          phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, name_hash, street_hash,
          unit_hash, zip5, fingerprint)
        select 1, unhex(printf('019b%028x', n)), 'case-' || n, 'Ana' || n % 977, 'Sampleton ' || n, n || ' Main St',
          'Springfield', 'IL', printf('%05d', n % 90000), 'person' || n || '@example.com', printf('+1217%07d', n),
          'Motor vehicle', '2025-01-01', '2025-06-01', n % 50 = 0, ?2 + n, ?2 + n * 7919 % 1000003, n, n, 0, n % 90000,
          randomblob(16)
        from number";
    connection.execute(sql, (CLIENTS, NOW.micros())).expect("clients");
    SessionDigest::of("session")
}

fn entry(id: u128) -> LogEntry {
    LogEntry {
        id: Uuid::from_u128(id),
        at: NOW,
        actor: "operator".to_owned(),
        action: "prepare",
        subject: String::new(),
        request_id: Uuid::from_u128(id),
        retention: Retention::default(),
    }
}

fn request(session: SessionDigest, command: ConsoleCommand) -> ConsoleRequest {
    let (entry_id, request_id) = (Uuid::from_u128(8), Uuid::from_u128(9));
    ConsoleRequest { session, now: NOW, entry_id, request_id, retention: Retention::default(), command }
}
