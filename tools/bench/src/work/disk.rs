//! New and updated clients on a disk that takes 2 ms for each sync, against the bare loop on the same disk.

use super::{
    Measured, Session, Side, compared,
    requests::{warm_up, warm_up_order},
    turns, verify,
};
use crate::{
    Outcome,
    clients::{BATCH_ROWS, Bodies, Work},
    floor::{BareTables, Order, Tuning, Way},
    load::{Flood, post},
    place::slow_disk,
    report::{Row, Unit},
    service::{Service, Start},
};

const CONNECTIONS: usize = 8;

pub(super) fn measure(session: &Session) -> Outcome<Vec<Row>> {
    let count = session.size(60, 15);
    let preload = slow_disk(&session.directory)?;
    let kinds = [("new", Work::First, Way::Insert, "created"), ("updates", Work::Changed, Way::Upsert, "updated")];
    let mut sides: [([Side; 2], Side); 2] = Default::default();
    for round in 0..session.rounds {
        session.say(format_args!("a disk with 2 ms syncs, round {}", round + 1));
        let start = session.on(&session.new_file("service")?);
        let service = Service::start(&Start { preload: Some(preload.clone()), ..start })?;
        let account = service.account()?;
        warm_up(&service, CONNECTIONS)?;
        let mut tables = BareTables::on(session.new_file("bare")?, Tuning::Plain, Some(&preload))?;
        tables.order(&warm_up_order())?;
        for ((_, work, way, status), (ours, bare)) in kinds.iter().zip(&mut sides) {
            let bodies = Bodies::Of(*work);
            let requests: Vec<_> =
                (0..count).map(|number| post("/api/v1/clients", &account.key, &bodies.body(number))).collect();
            for turn in turns(round, 2) {
                if turn == 0 {
                    let requests = Flood {
                        requests: &requests,
                        count,
                        connections: CONNECTIONS,
                        keeps_bodies: true,
                        ..Flood::default()
                    };
                    let (measured, answers) =
                        Measured::flood(&service.process, service.address, requests, BATCH_ROWS as f64)?;
                    answers.iter().try_for_each(|answer| verify::ids(answer, |_| status).map(drop))?;
                    ours[0].0.push(measured);
                } else {
                    let order = Order::Post { accounts: vec![1], bodies, first: 0, count, way: *way };
                    bare.0.push(Measured::order(&mut tables, &order, (count * BATCH_ROWS) as f64, count as f64)?);
                }
            }
        }
        service.stop()?;
    }
    let rows = kinds.iter().zip(&sides).map(|((name, ..), (ours, bare))| {
        let work = format!("500 {name}, 2 ms syncs, {CONNECTIONS} connections");
        compared("disk", work, Unit::ClientsPerSecond, ours, ("bare loop there", bare))
    });
    Ok(rows.collect())
}
