//! How much memory many connections and large bodies may take of the program.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    sync::Barrier,
    thread,
    time::Instant,
};

use super::{
    meanwhile::{files_allowed, served_meanwhile},
    target::Program,
};
use crate::support::{account, run_json, text};
use matterbook_conformance::hostile::statuses;

/// With 10,000 idle connections, in mebibytes.
const IDLE_BOUND_MIB: f64 = 64.0;
/// With 64 maximal batches in flight, in mebibytes: the room for large bodies, what is read out of them,
/// the writer's and the readers' caches, and what the allocator keeps.
const BATCHES_BOUND_MIB: f64 = 320.0;

const IDLE: usize = 10_000;
const BATCHES: usize = 64;

/// More idle connections than the service admits: a client that sends a request is still served, and the
/// memory stays small (rule W1).
#[test]
fn ten_thousand_idle_connections_do_not_block_a_client() {
    let program = Program::start();
    let room = usize::try_from(files_allowed(IDLE as u64 + 500)).unwrap_or(usize::MAX);
    let count = IDLE.min(room.saturating_sub(400));
    let mut idle: Vec<TcpStream> = Vec::with_capacity(count);
    let ((), longest) = served_meanwhile(&program, || {
        while idle.len() < count {
            idle.push(program.target.connect());
        }
    });
    // All places are taken by connections that say nothing. The next ones wait until those have been idle
    // for a second; after that each is served.
    thread::sleep(program.target.limits.idle_time_at_least);
    let (served, longest_after) =
        served_meanwhile(&program, || (0..200).filter(|_| program.target.caller.ask_me().is_some()).count());
    let (now, peak) = program.memory();
    println!(
        "{count} idle connections: {now:.0} MiB, at most {peak:.0} MiB; GET /me took others at most {longest:?} \
         while they came and {longest_after:?} while they were there"
    );
    assert_eq!(served, 200, "everybody is served");
    assert!(peak < IDLE_BOUND_MIB, "{peak:.0} MiB");
    drop(idle);
}

/// The largest batch that the API allows: each character an escaped surrogate pair.
fn maximal_batch(number: usize) -> String {
    let wide = |length: usize| "\\ud83d\\ude00".repeat(length);
    let letters = |length: usize| "\\u0061".repeat(length);
    let email = format!("{}@{}{}", letters(60), format!("{}.", letters(62)).repeat(3), letters(60));
    let (text, line) = (wide(200), wide(300));
    let client = |row: usize| {
        format!(
            "{{\"external_id\":\"{}{number:04}-{row:05}\",\"first_name\":\"{text}\",\"last_name\":\"{text}\",\
             \"address_line1\":\"{line}\",\"address_line2\":\"{line}\",\"city\":\"{text}\",\"email\":\"{email}\",\
             \"case_type\":\"{text}\"}}",
            wide(190)
        )
    };
    let clients: Vec<String> = (0..500).map(client).collect();
    format!("{{\"clients\":[{}]}}", clients.join(","))
}

/// Firms that post all that they may at once: the service takes what it has room for, and has the others
/// wait or come back; who asks little is served meanwhile.
#[test]
fn sixty_four_maximal_batches_in_flight_stay_within_a_bound() {
    let program = Program::start();
    let database = program.place.database().display().to_string();
    let keys: Vec<String> = (0..BATCHES)
        .map(|number| {
            let email = format!("owner{number}@example.com");
            let made = run_json(&["account", "create", "--email", &email, "--api-enabled", "--db", &database]);
            let id = text(&made["account"]["id"]);
            text(&run_json(&["key", "create", "--account", &id, "--db", &database])["key"]["key"])
        })
        .collect();
    let body = maximal_batch(0);
    let barrier = Barrier::new(BATCHES);
    let began = Instant::now();
    let (statuses, longest) = served_meanwhile(&program, || {
        thread::scope(|scope| {
            let posts: Vec<_> = keys
                .iter()
                .map(|key| {
                    let (program, barrier, body) = (&program, &barrier, &body);
                    scope.spawn(move || {
                        let mut target = program.target.clone();
                        target.caller.key.clone_from(key);
                        let mut stream = target.connect();
                        let head = target.caller.head(
                            "POST /api/v1/clients",
                            &format!(
                                "content-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n",
                                body.len()
                            ),
                        );
                        stream.write_all(head.as_bytes()).expect("sent");
                        // All of them are on their way before the first byte of a body.
                        barrier.wait();
                        let mut reading = stream.try_clone().expect("a stream");
                        let answer = scope.spawn(move || {
                            let mut answer = Vec::new();
                            let _ = reading.read_to_end(&mut answer);
                            String::from_utf8_lossy(&answer).into_owned()
                        });
                        let _ = stream.write_all(body.as_bytes());
                        let answer = answer.join().expect("no panic");
                        (statuses(&answer), answer)
                    })
                })
                .collect();
            posts.into_iter().map(|post| post.join().expect("no panic")).collect::<Vec<_>>()
        })
    });
    let took = began.elapsed();
    let (now, peak) = program.memory();
    let saved = statuses.iter().filter(|(status, _)| *status == [200]).count();
    println!(
        "{BATCHES} batches of {:.1} MB at once: {saved} saved, {} told to come back, in {took:?}; {now:.0} MiB \
         afterwards, at most {peak:.0} MiB; GET /me took others at most {longest:?}",
        body.len() as f64 / 1e6,
        BATCHES - saved
    );
    for (status, answer) in &statuses {
        let is_busy = *status == [500] && answer.contains("\r\nretry-after: ") && answer.contains("nothing was saved");
        assert!(*status == [200] || is_busy, "{status:?} {answer:.300}");
        assert!(*status != [200] || !answer.contains("\"error\""), "each client is saved: {answer:.300}");
    }
    assert!(saved >= 5, "what there is room for is saved");
    assert!(peak < BATCHES_BOUND_MIB, "{peak:.0} MiB");
    let _ = account;
}
