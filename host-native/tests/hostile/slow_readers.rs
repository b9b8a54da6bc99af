//! Callers that read their answers slowly: others are served meanwhile, and what they leave unread takes
//! little memory (rules W5, W15 and W16).

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use matterbook_conformance::hostile::SlowReaders;
use rustix::net::sockopt::set_socket_recv_buffer_size;

use super::{meanwhile::files_allowed, target::Program};

const READERS: usize = 900;
const BYTES_PER_SECOND: usize = 4 * 1_024;
/// Within which every other caller is served, and what the other tests of the gate may add.
const SERVED_WITHIN: Duration = Duration::from_secs(2);
const MARGIN: Duration = Duration::from_secs(10);

/// The memory that unread answers of one key may take of the program, in mebibytes.
const DRY_RUNS_BOUND_MIB: f64 = 140.0;

/// How long the readers go on: some seconds, or as many as the environment says.
fn duration() -> Duration {
    Duration::from_secs(number("SLOW_READERS_SECONDS").unwrap_or(8))
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|number| number.parse().expect("a number"))
}

/// The largest file of the page at `/docs`.
fn script(program: &Program) -> String {
    let mut stream = program.target.connect();
    stream.write_all(b"GET /docs HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").expect("sent");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("a page");
    let (_, rest) = page.split_once("<script src=\"").expect("a script");
    format!("/{}", rest.split_once('"').expect("its end").0)
}

/// More slow readers than there are places, none of them with a key, each cut off connecting again.
#[test]
fn slow_readers_without_a_key_delay_no_other_caller() {
    let _ = files_allowed(4_096);
    let program = Program::start();
    let request = format!("GET {} HTTP/1.1\r\nhost: a\r\n\r\n", script(&program));
    let readers = SlowReaders { count: READERS, bytes_per_second: BYTES_PER_SECOND, request, requests: 8 };
    let (address, is_over) = (program.target.caller.address, AtomicBool::new(false));
    let (mut served, mut refused, mut longest) = (0, 0, Duration::ZERO);
    let connections = thread::scope(|scope| {
        let attack = scope.spawn(|| readers.run(address, &is_over));
        let began = Instant::now();
        while began.elapsed() < duration() {
            let asked = Instant::now();
            match program.target.caller.ask_me() {
                Some(_) => served += 1,
                None => refused += 1,
            }
            longest = longest.max(asked.elapsed());
            thread::sleep(program.target.caller.pause);
        }
        is_over.store(true, Ordering::Relaxed);
        attack.join().expect("no panic")
    });
    let (now, peak) = program.memory();
    println!(
        "{READERS} slow readers for {:?}, over {connections} connections: GET /me {served} times in at most \
         {longest:?}, refused {refused} times; {now:.0} MiB, at most {peak:.0} MiB",
        duration()
    );
    assert!(connections >= READERS, "the attack took place");
    assert_eq!(refused, 0, "of {served} others");
    let is_alone = number("SLOW_READERS_SECONDS").is_some();
    assert!(longest < if is_alone { SERVED_WITHIN } else { SERVED_WITHIN + MARGIN }, "{longest:?}");
}

/// A dry run whose explained answer is as long as there are: 500 clients, each of which finds many.
fn dry_run(program: &Program) -> String {
    let client = |row: usize| {
        let long = format!("  {}", "\u{e9}".repeat(190));
        format!(
            "{{\"external_id\":\"{row:04}\",\"first_name\":\"{long}\",\"last_name\":\"{long}\",\
             \"address_line1\":\"{row} {long} Street\",\"city\":\"{long}\",\"state\":\"illinois\",\
             \"zip\":\"62704.0\",\"phone\":\"(217) 555-0134 ext. 9\",\"email\":\"Ana.{row}@EXAMPLE.com\",\
             \"case_type\":\"{long}\"}}"
        )
    };
    let clients: Vec<String> = (0..500).map(client).collect();
    let body = format!("{{\"clients\":[{}]}}", clients.join(","));
    let head = format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
    program.target.caller.head("POST /api/v1/clients?dry_run=true&explain=true", &head) + &body
}

/// One key that asks for the largest answers and reads none of them.
#[test]
fn unread_answers_of_one_key_take_little_memory() {
    let _ = files_allowed(4_096);
    let program = Program::start();
    let request = dry_run(&program);
    let dry_runs = number("UNREAD_ANSWERS").unwrap_or(80);
    let mut answer_bytes = 0;
    let mut unread: Vec<TcpStream> = Vec::new();
    for _ in 0..dry_runs {
        let mut stream = program.target.connect();
        // As a reader elsewhere has it: the kernel takes little of the answer.
        set_socket_recv_buffer_size(&stream, 4_096).expect("a small buffer");
        stream.write_all(request.as_bytes()).expect("sent");
        // The answer has begun.
        let mut head = [0; 1_024];
        let count = stream.read(&mut head).expect("an answer");
        let head = String::from_utf8_lossy(&head[..count]).into_owned();
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        let (_, length) = head.split_once("content-length: ").expect("a length");
        answer_bytes = length.split_once('\r').expect("an end").0.parse().expect("a number");
        unread.push(stream);
    }
    let (now, peak) = program.memory();
    println!(
        "{dry_runs} unread answers of {:.2} MB each, of one key: {now:.0} MiB, at most {peak:.0} MiB",
        f64::from(answer_bytes) / 1e6
    );
    assert!(answer_bytes > 500_000, "large answers");
    assert!(peak < DRY_RUNS_BOUND_MIB, "{peak:.0} MiB");
    assert!(program.target.caller.ask_me().is_some(), "the key is served meanwhile");
}
