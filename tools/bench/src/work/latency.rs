//! The slowest answers while 8 connections of 8 accounts post batches of 500: `GET /me`, a page, and
//! another account's post of one client.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use super::{
    Session, alone,
    pages::FIRST_PAGE,
    requests::{CLIENTS_PATH, posts_to, warm_up},
    turns,
};
use crate::{
    Outcome,
    clients::{Bodies, Work, body_of, client},
    figures::percentile,
    fill::fill_clients,
    load::{Channel, Flood, flood, get, post},
    report::{Goal, Row, Unit},
    service::Service,
};

const CONNECTIONS: usize = 8;
/// The interval of each probe.
const EVERY: [Duration; 3] = [Duration::from_millis(5), Duration::from_millis(5), Duration::from_millis(20)];
/// The length of the list whose page is read.
const CLIENTS: usize = 10_000;
/// How often a flood repeats its posts.
const PASSES: usize = 4;
/// Bodies of the probe that posts one client.
const ONES: usize = 20_000;

pub(super) fn measure(session: &Session) -> Outcome<Vec<Row>> {
    session.say(format_args!("a list of {CLIENTS} clients, for probes during a flood"));
    // First new clients, then the same ones changed and changed back.
    let batches = session.size(200, 96) / CONNECTIONS;
    let bodies = [Work::First, Work::Changed]
        .into_iter()
        .flat_map(|work| (0..batches).map(move |number| Bodies::Of(work).body(number)));
    let bodies: Vec<_> = bodies.collect();
    let programs: Vec<_> =
        session.programs().iter().map(|session| Program::start(session, &bodies)).collect::<Outcome<_>>()?;
    let mut slowest: [[Vec<f64>; 2]; 3] = Default::default();
    for round in 0..session.rounds {
        session.say(format_args!("slowest answers during a flood, round {}", round + 1));
        for turn in turns(round, programs.len()) {
            let Program { service, posts, probes } = &programs[turn];
            let (count, connections) = (PASSES * posts.len(), CONNECTIONS);
            let posts = Flood { requests: posts, count, connections, is_pinned: true, ..Flood::default() };
            for (slowest, times) in slowest.iter_mut().zip(during(service.address, posts, probes)?) {
                slowest[turn].push(percentile(&times, 0.99).as_secs_f64() * 1e3);
            }
        }
    }
    programs.into_iter().try_for_each(|program| program.service.stop())?;
    let rows = [
        ("GET /me", Some(Goal::AtMost(6.0))),
        ("a page of 100", Some(Goal::AtMost(6.0))),
        ("another account's post of one client", None),
    ];
    let row = |((what, goal), slowest): ((&str, Option<Goal>), [Vec<f64>; 2])| {
        let work = format!("p99 of {what} while {CONNECTIONS} connections post 500s");
        Row { goal, ..alone("latency", work, Unit::Milliseconds, slowest) }
    };
    Ok(rows.into_iter().zip(slowest).map(row).collect())
}

/// A program that is measured, with a list to read.
struct Program {
    service: Service,
    posts: Vec<Vec<u8>>,
    /// The requests of `GET /me`, of a page, and of posts of one client.
    probes: [Vec<Vec<u8>>; 3],
}

impl Program {
    fn start(session: &Session, bodies: &[Vec<u8>]) -> Outcome<Self> {
        let service = session.new_service("service")?;
        let (database, accounts) = (service.database().to_owned(), service.accounts(3 + CONNECTIONS)?);
        service.stop()?;
        fill_clients(&database, &accounts[..1], CLIENTS)?;
        let service = Service::start(&session.on(&database))?;
        warm_up(&service, CONNECTIONS)?;
        let one = |index| post(CLIENTS_PATH, &accounts[2].key, &body_of(std::iter::once(client(index, Work::First))));
        let probes = [
            vec![get("/api/v1/me", &accounts[1].key)],
            vec![get(FIRST_PAGE, &accounts[0].key)],
            (0..ONES).map(one).collect(),
        ];
        Ok(Self { service, posts: posts_to(&accounts[3..], bodies), probes })
    }
}

/// The latencies of each probe during a flood. Each probe has its own connection.
fn during(address: SocketAddr, posts: Flood<'_>, probes: &[Vec<Vec<u8>>; 3]) -> Outcome<[Vec<Duration>; 3]> {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let is_over = &is_over;
        let [me, page, ones] = probes;
        let probes = [(me, EVERY[0]), (page, EVERY[1]), (ones, EVERY[2])]
            .map(|(requests, every)| scope.spawn(move || probe(address, requests, every, is_over)));
        let flooded = flood(address, posts);
        is_over.store(true, Ordering::Relaxed);
        let times = probes.map(|probe| probe.join().unwrap_or_else(|_| Err("a probe panicked".into())));
        flooded?;
        let [me, page, ones] = times;
        Ok([me?, page?, ones?])
    })
}

/// Sends requests at a fixed interval until the flood is over; returns their latencies.
fn probe(address: SocketAddr, requests: &[Vec<u8>], every: Duration, is_over: &AtomicBool) -> Outcome<Vec<Duration>> {
    let mut channel = Channel::open(address)?;
    let mut times = Vec::new();
    for request in requests.iter().cycle() {
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        let began = Instant::now();
        channel.answer(request)?;
        let took = began.elapsed();
        times.extend(with_missed(took, every));
        thread::sleep(every.saturating_sub(took));
    }
    Ok(times)
}

/// A latency, and those of the requests that were due during it but were not sent: each would have waited
/// for the rest of it. Otherwise a stalled service would be probed less often (coordinated omission).
fn with_missed(took: Duration, every: Duration) -> impl Iterator<Item = Duration> {
    std::iter::successors(Some(took), move |took| took.checked_sub(every).filter(|rest| !rest.is_zero()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_answer_stands_for_those_that_were_due_meanwhile() {
        let check = |took: u64, expected: &[u64]| {
            let times = with_missed(Duration::from_millis(took), Duration::from_millis(5));
            assert!(times.eq(expected.iter().map(|millis| Duration::from_millis(*millis))), "{took}");
        };
        check(3, &[3]);
        check(5, &[5]);
        check(17, &[17, 12, 7, 2]);
    }
}
