//! Posts of 500 clients: new, updated, unchanged, and as a nightly sync has them; against bare loops on
//! the same tables.

use std::{
    path::Path,
    time::{Duration, SystemTime},
};

use super::{Measured, Session, Side, compared, verify};
use crate::{
    Outcome,
    clients::{BATCH_ROWS, Bodies, Work, is_known_in_sync},
    figures::{Spread, percentile},
    floor::{BareSockets, BareTables, BareWeb, Order, Tuning, Way},
    load::{Flood, flood, post},
    report::{Goal, Row, Unit},
    service::Service,
};

const GROUP: &str = "posts";
/// Batches of an account of its own, before anything is measured.
pub(super) const WARM_UP_BATCHES: usize = 10;
/// Their numbers, past those of all others.
pub(super) const WARM_UP_FROM: usize = 1_000_000;
/// As long as the service's answer to a post of 500.
const ANSWER_BYTES: usize = 42_000;

/// What is posted, one after the other.
struct Kind {
    name: &'static str,
    way: Way,
    lean_way: Way,
    goals: Option<[Goal; 2]>,
}

const KINDS: [Kind; 4] = [
    Kind {
        name: "new",
        way: Way::Insert,
        lean_way: Way::Insert,
        goals: Some([Goal::new(1.1, 1.4), Goal::new(1.4, 1.8)]),
    },
    Kind {
        name: "updates",
        way: Way::Upsert,
        lean_way: Way::Change,
        goals: Some([Goal::new(1.6, 2.4), Goal::new(2.2, 3.3)]),
    },
    Kind {
        name: "unchanged",
        way: Way::Upsert,
        lean_way: Way::LookUp,
        goals: Some([Goal::new(4.5, 5.2), Goal::new(7.0, 8.3)]),
    },
    Kind { name: "30 % known", way: Way::Upsert, lean_way: Way::Upsert, goals: None },
];

/// What stands beside the service, of each kind.
#[derive(Default)]
struct Sides {
    service: Side,
    bare: Side,
    lean: Side,
    parse: Side,
    sockets: Side,
}

pub(super) fn measure(session: &Session) -> Outcome<Vec<Row>> {
    let count = session.size(200, 20);
    let bodies = [Work::First, Work::Changed, Work::Changed].map(Bodies::Of);
    let bodies: Vec<Bodies> = bodies.into_iter().chain([Bodies::Sync { known: count * BATCH_ROWS }]).collect();
    let texts: Vec<Vec<Vec<u8>>> = bodies.iter().map(|of| (0..count).map(|number| of.body(number)).collect()).collect();
    let mut rows = Vec::new();
    let mut p99 = Vec::new();
    for (place, connections) in [1, 8].into_iter().enumerate() {
        let mut sides: [Sides; 4] = Default::default();
        for round in 0..session.rounds {
            session.say(format_args!("posts over {connections} connections, round {}", round + 1));
            measure_round(session, connections, round, &bodies, &texts, &mut sides)?;
        }
        for (kind, sides) in KINDS.iter().zip(&sides) {
            let work = format!("500 {}, {}", kind.name, over(connections));
            let floor = ("bare loop", &sides.bare);
            let mut row = compared(GROUP, work, Unit::ClientsPerSecond, &sides.service, floor);
            row.goal = kind.goals.map(|goals| goals[place]);
            row.more_floors =
                [("leanest loop", &sides.lean), ("warp that parses", &sides.parse), ("sockets", &sides.sockets)]
                    .into_iter()
                    .filter(|(_, side)| !side.0.is_empty())
                    .map(|(name, side)| side.floor_of(&sides.service, name))
                    .collect();
            rows.push(row);
        }
        p99.push(slowest(&sides[..2], connections, place));
    }
    rows.extend(p99);
    Ok(rows)
}

/// The 99th percentile of the posts that write, round by round.
fn slowest(sides: &[Sides], connections: usize, place: usize) -> Row {
    let rounds = sides[0].service.0.iter().zip(&sides[1].service.0);
    let millis = rounds.map(|(new, updates)| {
        let times: Vec<Duration> = new.times.iter().chain(&updates.times).copied().collect();
        percentile(&times, 0.99).as_secs_f64() * 1e3
    });
    let goal = [Goal::new(5.0, 3.0), Goal::new(40.0, 25.0)][place];
    Row::alone(GROUP, format!("p99 of a 500 post, {}", over(connections)), Unit::Milliseconds, Spread::of(millis), goal)
}

fn measure_round(
    session: &Session,
    connections: usize,
    round: usize,
    bodies: &[Bodies],
    texts: &[Vec<Vec<u8>>],
    sides: &mut [Sides; 4],
) -> Outcome<()> {
    let service = session.new_service("service")?;
    let account = service.account()?;
    warm_up(&service, connections)?;
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
    for (kind, ((bodies, texts), sides)) in KINDS.iter().zip(bodies.iter().zip(texts).zip(sides)) {
        let requests: Vec<_> = texts.iter().map(|text| post(BareWeb::PARSE, &account.key, text)).collect();
        let count = requests.len();
        let requests = Flood { requests: &requests, count, connections, keeps_bodies: true };
        let order = |way| Order::Post { accounts: vec![1], bodies: *bodies, first: 0, count, way };
        let (items, posts) = ((count * BATCH_ROWS) as f64, count as f64);
        let wal = service.database().with_extension("db-wal");
        for turn in turns(round, 3) {
            match turn {
                0 => {
                    let before = written(&wal)?;
                    let (measured, answers) =
                        Measured::flood(&service.process, service.address, requests, BATCH_ROWS as f64)?;
                    sides.service.0.push(measured);
                    check(kind.name, &answers, &mut known)?;
                    if kind.name == "unchanged" && written(&wal)? != before {
                        return Err("a post that changed nothing wrote to the log".into());
                    }
                }
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

/// Whose turn it is in a round: there and back, so that each round begins with the side that the one
/// before ended with.
pub(super) fn turns(round: usize, sides: usize) -> Vec<usize> {
    let mut turns: Vec<_> = (0..sides).collect();
    if round % 2 == 1 {
        turns.reverse();
    }
    turns
}

/// Holds the answers to what they must be: everybody keeps the id that it was created with.
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

/// When a file was written last, and how long it is.
fn written(file: &Path) -> Outcome<(SystemTime, u64)> {
    let about = std::fs::metadata(file)?;
    Ok((about.modified()?, about.len()))
}

/// So many connections in words.
pub(super) fn over(connections: usize) -> String {
    if connections == 1 { "1 connection".to_owned() } else { format!("{connections} connections") }
}

/// Posts to an account of its own, so that statements are prepared and the log has its length.
pub(super) fn warm_up(service: &Service, connections: usize) -> Outcome<()> {
    let key = service.account()?.key;
    for work in [Work::First, Work::Changed, Work::Changed] {
        let body = |number| post(BareWeb::PARSE, &key, &Bodies::Of(work).body(WARM_UP_FROM + number));
        let requests: Vec<_> = (0..WARM_UP_BATCHES).map(body).collect();
        let count = requests.len();
        flood(service.address, Flood { requests: &requests, count, connections, keeps_bodies: false })?;
    }
    Ok(())
}

/// The same for a bare loop.
pub(super) fn warm_up_order() -> Order {
    let bodies = Bodies::Of(Work::First);
    Order::Post { accounts: vec![1_000_000], bodies, first: WARM_UP_FROM, count: WARM_UP_BATCHES, way: Way::Insert }
}
