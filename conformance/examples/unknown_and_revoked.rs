//! Latency of the native host's refusals of a revoked key and of an unknown key, over one connection, in
//! turns. A second unknown key measures the noise.
//!
//! ```sh
//! cargo run --release -p matterbook-conformance --example unknown_and_revoked -- 50000
//! ```

#[path = "../tests/services/mod.rs"]
#[expect(dead_code, reason = "this program uses a part of them")]
mod services;

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    time::Instant,
};

use matterbook::http::Limits;
use matterbook_conformance::wire::{Firm, OverHttp};
use services::{OPERATOR_TOKEN, native::Native};

const ROUNDS: usize = 20_000;

fn main() {
    let rounds = std::env::args().nth(1).and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS);
    let native = Native::start(&[], Limits::default());
    let http = OverHttp::connect(&native.url, OPERATOR_TOKEN).expect("a service that answers");
    let firm = Firm::open(&http).expect("a firm");
    firm.get("/me").expect("an answer").ok().expect("a live key");
    firm.operator().call("DELETE", &format!("/keys/{}", firm.key_id)).expect("an answer").ok().expect("revoked");
    let unknown = |letter: &str| format!("mtb_{}", letter.repeat(43));
    let keys = [("revoked", firm.key.clone()), ("unknown", unknown("u")), ("unknown too", unknown("v"))];
    let mut stream = TcpStream::connect(native.url.trim_start_matches("http://")).expect("a connection");
    stream.set_nodelay(true).expect("a socket");
    let mut times = keys.each_ref().map(|_| Vec::with_capacity(rounds));
    for round in 0..rounds {
        // Each is the first of its round as often as the others.
        for place in 0..keys.len() {
            let index = (round + place) % keys.len();
            times[index].push(refusal_ns(&mut stream, &keys[index].1));
        }
    }
    println!(
        "{:<12} {:>10} {:>10} {:>10}   ns, of {rounds} refusals each",
        "key", "quarter", "median", "mean of the middle half"
    );
    for ((name, _), times) in keys.iter().zip(&mut times) {
        times.sort_unstable();
        let at = |share: usize| times[times.len() * share / 4];
        let middle = &times[times.len() / 4..times.len() * 3 / 4];
        println!("{name:<12} {:>10} {:>10} {:>10}", at(1), at(2), middle.iter().sum::<u64>() / middle.len() as u64);
    }
    assert!(native.stop(), "the service finishes what it accepted");
}

/// How long one refusal takes, in nanoseconds.
fn refusal_ns(stream: &mut TcpStream, key: &str) -> u64 {
    let request = format!("GET /api/v1/me HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\n\r\n");
    let mut scratch = [0; 4_096];
    let began = Instant::now();
    stream.write_all(request.as_bytes()).expect("sent");
    let count = stream.read(&mut scratch).expect("an answer");
    let took = began.elapsed();
    assert!(scratch[..count].starts_with(b"HTTP/1.1 401 "), "a refusal");
    u64::try_from(took.as_nanos()).unwrap_or(u64::MAX)
}
