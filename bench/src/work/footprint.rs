//! What the service takes of the machine: memory, the program's size, the time until it answers.

use std::{net::SocketAddr, time::Duration};

use super::{Session, over, requests::posts_to};
use crate::{
    Outcome,
    clients::{Bodies, Work},
    figures::Spread,
    load::{Flood, flood},
    place::Memory,
    report::{Goal, Row, Unit},
    service::{Account, Service},
};

const CONNECTIONS: usize = 8;
/// Long enough for the log to fill.
const BEFORE_KILL: Duration = Duration::from_millis(500);

pub(super) fn measure(session: &Session) -> Outcome<Vec<Row>> {
    let batches = session.size(104, 24);
    let mut figures: [Vec<f64>; 5] = Default::default();
    for round in 0..session.rounds {
        session.say(format_args!("memory and start, round {}", round + 1));
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
        let millis = [after_stop, after_kill].map(|time| time.as_secs_f64() * 1e3);
        let round = [idle.megabytes, loaded.megabytes, loaded.peak_megabytes, millis[0], millis[1]];
        figures.iter_mut().zip(round).for_each(|(figures, figure)| figures.push(figure));
    }
    let program = Spread::of([std::fs::metadata(&session.program)?.len() as f64 / 1e6]);
    let [idle, loaded, peak, after_stop, after_kill] = figures.map(Spread::of);
    let row = |work: &str, unit, figure, goal| Row::alone("footprint", work, unit, figure, goal);
    let loaded_name = format!("memory after a flood, {} of {CONNECTIONS} accounts", over(CONNECTIONS));
    Ok(vec![
        row("memory, idle", Unit::Megabytes, idle, Goal::new(8.0, 6.0)),
        row(&loaded_name, Unit::Megabytes, loaded, Goal::new(64.0, 45.0)),
        row("memory at most, during it", Unit::Megabytes, peak, Goal::new(64.0, 45.0)),
        row("size of the program", Unit::Megabytes, program, Goal::new(8.0, 5.0)),
        row("start after a clean stop", Unit::Milliseconds, after_stop, Goal::new(6.0, 3.0)),
        row("start after a kill", Unit::Milliseconds, after_kill, Goal::new(100.0, 40.0)),
    ])
}

/// Kills the service while it is being posted to.
fn kill_while_posting(service: Service, requests: &[Vec<u8>]) -> Outcome<()> {
    let address = service.address;
    std::thread::scope(|scope| {
        // It ends with the service.
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
