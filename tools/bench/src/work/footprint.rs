//! Memory, the size of the program, and the time until it answers.

use std::{net::SocketAddr, time::Duration};

use super::{Session, alone, over, requests::posts_to, turns};
use crate::{
    Outcome,
    clients::{Bodies, Work},
    load::{Flood, flood},
    place::Memory,
    report::{Goal, Row, Unit},
    service::{Account, Service},
};

const CONNECTIONS: usize = 8;
/// Long enough for the log to fill.
const BEFORE_KILL: Duration = Duration::from_millis(500);

pub(super) fn measure(session: &Session) -> Outcome<Vec<Row>> {
    let programs = session.programs();
    let mut figures: [[Vec<f64>; 2]; 6] = Default::default();
    for round in 0..session.rounds {
        for turn in turns(round, programs.len()) {
            session.say(format_args!("memory and start, round {}", round + 1));
            let round = measure_program(&programs[turn])?;
            figures.iter_mut().zip(round).for_each(|(figures, figure)| figures[turn].push(figure));
        }
    }
    let loaded = format!("memory after a flood, {} of {CONNECTIONS} accounts", over(CONNECTIONS));
    let rows = [
        ("memory, idle", Unit::Megabytes, None),
        (&loaded, Unit::Megabytes, Some(Goal::AtMost(64.0))),
        ("memory at most, during it", Unit::Megabytes, None),
        ("size of the program", Unit::Megabytes, None),
        ("start after a clean stop", Unit::Milliseconds, None),
        ("start after a kill", Unit::Milliseconds, None),
    ];
    let row = |((work, unit, goal), figures)| Row { goal, ..alone("footprint", work, unit, figures) };
    Ok(rows.into_iter().zip(figures).map(row).collect())
}

/// One program's figures, in the order of the rows.
fn measure_program(session: &Session) -> Outcome<[f64; 6]> {
    let batches = session.size(104, 24);
    let service = session.new_service("service")?;
    let accounts = service.accounts(CONNECTIONS)?;
    let [first, changed] = [Work::First, Work::Changed].map(|work| posts(&accounts, work, batches));
    post_all(service.address, &first, 1)?;
    post_all(service.address, &changed, 1)?;
    let loaded = memory(&service)?;
    let start = session.on(service.database());
    service.stop()?;
    let service = Service::start(&start)?;
    let after_stop = service.start_time;
    let idle = memory(&service)?;
    kill_while_posting(service, &[first, changed].concat())?;
    let service = Service::start(&start)?;
    let after_kill = service.start_time;
    service.stop()?;
    let size = std::fs::metadata(&session.program)?.len() as f64 / 1e6;
    let [after_stop, after_kill] = [after_stop, after_kill].map(|time| time.as_secs_f64() * 1e3);
    Ok([idle.megabytes, loaded.megabytes, loaded.peak_megabytes, size, after_stop, after_kill])
}

/// Kills the service in the middle of posts.
fn kill_while_posting(service: Service, requests: &[Vec<u8>]) -> Outcome<()> {
    let address = service.address;
    std::thread::scope(|scope| {
        // It fails when the service is killed.
        scope.spawn(|| post_all(address, requests, usize::MAX / requests.len()).is_err());
        std::thread::sleep(BEFORE_KILL);
        service.process.kill()
    })
}

fn memory(service: &Service) -> Outcome<Memory> {
    service.process.memory().ok_or_else(|| "this system does not tell a process's memory".into())
}

fn posts(accounts: &[Account], work: Work, batches: usize) -> Vec<Vec<u8>> {
    let body = |number| Bodies::Of(work).body(number);
    posts_to(accounts, &(0..batches / accounts.len()).map(body).collect::<Vec<_>>())
}

fn post_all(address: SocketAddr, requests: &[Vec<u8>], times: usize) -> Outcome<()> {
    let count = times * requests.len();
    let posts = Flood { requests, count, connections: CONNECTIONS, is_pinned: true, ..Flood::default() };
    flood(address, posts).map(drop)
}
