//! Posts of 500 clients: new, updated, unchanged, and the mixture of a nightly sync. The floors are bare
//! loops on the same tables.

use std::{
    path::Path,
    time::{Duration, SystemTime},
};

use super::{
    Measured, Session, Side, compared, over,
    requests::{posts_to, warm_up, warm_up_order},
    turns, verify,
};
use crate::{
    Outcome,
    clients::{BATCH_ROWS, Bodies, Work, is_known_in_sync},
    figures::{Spread, percentile},
    floor::{BareSockets, BareTables, BareWeb, Order, Tuning, Way},
    load::Flood,
    report::{Goal, Row, Unit},
    service::Service,
};

/// The length of the service's answer to a post of 500.
const ANSWER_BYTES: usize = 42_000;

/// One kind of post. All kinds follow one another on the same databases.
struct Kind {
    name: &'static str,
    bodies: Bodies,
    way: Way,
    lean_way: Way,
    /// Over one connection, and over eight of eight accounts.
    goals: Option<[Goal; 2]>,
}

/// The kinds, in the order in which they are posted. The clients of `count` batches are known to the last.
const fn kinds(count: usize) -> [Kind; 4] {
    [
        Kind {
            name: "new",
            bodies: Bodies::Of(Work::First),
            way: Way::Insert,
            lean_way: Way::Insert,
            goals: Some([Goal::new(1.1, 1.4), Goal::new(1.4, 1.8)]),
        },
        Kind {
            name: "updates",
            bodies: Bodies::Of(Work::Changed),
            way: Way::Upsert,
            lean_way: Way::Change,
            goals: Some([Goal::new(1.6, 2.4), Goal::new(2.2, 3.3)]),
        },
        Kind {
            name: "unchanged",
            bodies: Bodies::Of(Work::Changed),
            way: Way::Upsert,
            lean_way: Way::LookUp,
            goals: Some([Goal::new(4.5, 5.2), Goal::new(7.0, 8.3)]),
        },
        Kind {
            name: "30 % known",
            bodies: Bodies::Sync { known: count * BATCH_ROWS },
            way: Way::Upsert,
            lean_way: Way::Upsert,
            goals: None,
        },
    ]
}

/// The connections, and the accounts that they post to.
#[derive(Clone, Copy)]
struct Load {
    connections: usize,
    accounts: usize,
}

impl std::fmt::Display for Load {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&over(self.connections))?;
        match (self.connections, self.accounts) {
            (1, _) => Ok(()),
            (_, 1) => formatter.write_str(" of one account"),
            (_, accounts) => write!(formatter, " of {accounts} accounts"),
        }
    }
}

/// The measurements of one kind.
#[derive(Default)]
struct Sides {
    service: Side,
    bare: Side,
    lean: Side,
    parse: Side,
    sockets: Side,
}

/// Over one connection, and over eight connections, each of which posts to its own account.
pub(super) fn measure(session: &Session) -> Outcome<Vec<Row>> {
    let [one, eight] = [Load { connections: 1, accounts: 1 }, Load { connections: 8, accounts: 8 }];
    let mut rows = Vec::new();
    let mut slowest = Vec::new();
    for (place, load) in [one, eight].into_iter().enumerate() {
        let (measured, p99) = measure_load(session, "posts", load, Some(place))?;
        rows.extend(measured);
        slowest.push(p99);
    }
    rows.extend(slowest);
    Ok(rows)
}

/// Over eight connections that all post to one account.
pub(super) fn measure_one_account(session: &Session) -> Outcome<Vec<Row>> {
    let (mut rows, p99) = measure_load(session, "one_account", Load { connections: 8, accounts: 1 }, None)?;
    rows.push(p99);
    Ok(rows)
}

/// The rows of each kind, and the 99th percentile; the goals are those at a place, if any.
fn measure_load(session: &Session, group: &'static str, load: Load, goals: Option<usize>) -> Outcome<(Vec<Row>, Row)> {
    let count = session.size(200, 80);
    let kinds = kinds(count);
    let bodies = |kind: &Kind| (0..count / load.accounts).map(|number| kind.bodies.body(number)).collect::<Vec<_>>();
    let bodies: Vec<_> = kinds.iter().map(bodies).collect();
    let mut sides: [Sides; 4] = Default::default();
    for round in 0..session.rounds {
        session.say(format_args!("posts over {load}, round {}", round + 1));
        measure_round(session, load, round, &kinds, &bodies, &mut sides)?;
    }
    let row = |(kind, sides): (&Kind, &Sides)| {
        let work = format!("500 {}, {load}", kind.name);
        let mut row = compared(group, work, Unit::ClientsPerSecond, &sides.service, ("bare loop", &sides.bare));
        row.goal = goals.and_then(|place| kind.goals.map(|goals| goals[place]));
        row.more_floors =
            [("leanest loop", &sides.lean), ("warp that parses", &sides.parse), ("sockets", &sides.sockets)]
                .into_iter()
                .filter(|(_, side)| !side.0.is_empty())
                .map(|(name, side)| side.floor_of(&sides.service, name))
                .collect();
        row
    };
    let rows = kinds.iter().zip(&sides).map(row).collect();
    let goal = goals.map(|place| [Goal::new(5.0, 3.0), Goal::new(40.0, 25.0)][place]);
    Ok((rows, Row { goal, ..slowest(group, load, &sides[..2]) }))
}

/// The 99th percentile of the posts that write, round by round.
fn slowest(group: &'static str, load: Load, sides: &[Sides]) -> Row {
    let rounds = sides[0].service.0.iter().zip(&sides[1].service.0);
    let millis = rounds.map(|(new, updates)| {
        let times: Vec<Duration> = new.times.iter().chain(&updates.times).copied().collect();
        percentile(&times, 0.99).as_secs_f64() * 1e3
    });
    let work = format!("p99 of a 500 post, {load}");
    Row::alone(group, work, Unit::Milliseconds, Spread::of(millis), Goal::new(5.0, 3.0))
}

fn measure_round(
    session: &Session,
    load: Load,
    round: usize,
    kinds: &[Kind; 4],
    bodies: &[Vec<Vec<u8>>],
    sides: &mut [Sides; 4],
) -> Outcome<()> {
    let service = session.new_service("service")?;
    let accounts = service.accounts(load.accounts)?;
    warm_up(&service, load.connections)?;
    let mut bare = BareTables::on(session.new_file("bare")?, Tuning::Plain, None)?;
    let mut lean = BareTables::on(session.new_file("lean")?, Tuning::AsService, None)?;
    for tables in [&mut bare, &mut lean] {
        tables.order(&warm_up_order())?;
    }
    let constant = session.directory.join("constant.json");
    std::fs::write(&constant, "{}")?;
    let web = BareWeb::start(&constant)?;
    let sockets = BareSockets::start(ANSWER_BYTES)?;
    let mut known: Vec<Vec<String>> = Vec::new();
    for (kind, (bodies, sides)) in kinds.iter().zip(bodies.iter().zip(sides)) {
        let requests = posts_to(&accounts, bodies);
        let (count, connections) = (requests.len(), load.connections);
        let is_pinned = load.accounts > 1;
        let requests = Flood { requests: &requests, count, connections, is_pinned, keeps_bodies: true };
        let order = |way| Order::Post { accounts: vec![1], bodies: kind.bodies, first: 0, count, way };
        let (items, posts) = ((count * BATCH_ROWS) as f64, count as f64);
        for turn in turns(round, 3) {
            match turn {
                0 => sides.service.0.push(post_all(&service, kind, requests, &mut known)?),
                1 => sides.bare.0.push(Measured::order(&mut bare, &order(kind.way), items, posts)?),
                _ => sides.lean.0.push(Measured::order(&mut lean, &order(kind.lean_way), items, posts)?),
            }
        }
        if kind.name == "unchanged" {
            let requests = Flood { keeps_bodies: false, ..requests };
            let per_post = BATCH_ROWS as f64;
            sides.parse.0.push(Measured::flood(&web.process, web.address, requests, per_post)?.0);
            sides.sockets.0.push(Measured::flood(&sockets.process, sockets.address, requests, per_post)?.0);
        }
    }
    service.stop()
}

/// Posts all batches of a kind and verifies the answers.
fn post_all(service: &Service, kind: &Kind, requests: Flood<'_>, known: &mut Vec<Vec<String>>) -> Outcome<Measured> {
    let wal = service.database().with_extension("db-wal");
    let before = written(&wal)?;
    let (measured, answers) = Measured::flood(&service.process, service.address, requests, BATCH_ROWS as f64)?;
    check(kind.name, &answers, known)?;
    if kind.name == "unchanged" && written(&wal)? != before {
        return Err("a post that changed nothing wrote to the log".into());
    }
    Ok(measured)
}

/// Verifies statuses and ids: each client keeps the id that it was created with.
fn check(kind: &str, answers: &[Vec<u8>], known: &mut Vec<Vec<String>>) -> Outcome<()> {
    for (number, answer) in answers.iter().enumerate() {
        match kind {
            "new" => known.push(verify::ids(answer, |_| "created")?),
            "30 % known" => drop(verify::ids(answer, |row| if is_known_in_sync(row) { "updated" } else { "created" })?),
            _ if verify::ids(answer, |_| "updated")? == known[number] => {}
            _ => return Err("an updated client has another id than before".into()),
        }
    }
    Ok(())
}

/// The time of a file's last write, and its length.
fn written(file: &Path) -> Outcome<(SystemTime, u64)> {
    let about = std::fs::metadata(file)?;
    Ok((about.modified()?, about.len()))
}
