//! New clients of 200 accounts.

use super::{
    Measured, Session, Side, compared,
    posts::{turns, warm_up, warm_up_order},
    verify,
};
use crate::{
    Outcome,
    clients::{BATCH_ROWS, Bodies, Work},
    floor::{BareTables, Order, Tuning, Way},
    load::{Flood, post},
    report::{Goal, Row, Unit},
};

const ACCOUNTS: usize = 200;
const CONNECTIONS: usize = 8;

pub(super) fn measure(session: &Session) -> Outcome<Vec<Row>> {
    let bodies = Bodies::Of(Work::First);
    let count = session.size(ACCOUNTS, ACCOUNTS / 4);
    let texts: Vec<_> = (0..count).map(|number| bodies.body(number)).collect();
    let (mut ours, mut bare) = (Side::default(), Side::default());
    for round in 0..session.rounds {
        session.say(format_args!("{ACCOUNTS} accounts, round {}", round + 1));
        let service = session.new_service("service")?;
        let accounts = service.accounts(ACCOUNTS)?;
        warm_up(&service, CONNECTIONS)?;
        let mut tables = BareTables::on(session.new_file("bare")?, Tuning::Plain, None)?;
        tables.order(&warm_up_order())?;
        let requests: Vec<_> = texts
            .iter()
            .zip(accounts.iter().cycle())
            .map(|(text, account)| post("/api/v1/clients", &account.key, text))
            .collect();
        for turn in turns(round, 2) {
            if turn == 0 {
                let requests = Flood { requests: &requests, count, connections: CONNECTIONS, keeps_bodies: true };
                let (measured, answers) =
                    Measured::flood(&service.process, service.address, requests, BATCH_ROWS as f64)?;
                answers.iter().try_for_each(|answer| verify::ids(answer, |_| "created").map(drop))?;
                ours.0.push(measured);
            } else {
                let accounts = (1..=i64::try_from(ACCOUNTS)?).collect();
                let order = Order::Post { accounts, bodies, first: 0, count, way: Way::Insert };
                bare.0.push(Measured::order(&mut tables, &order, (count * BATCH_ROWS) as f64, count as f64)?);
            }
        }
        service.stop()?;
    }
    let work = format!("500 new, {ACCOUNTS} accounts, {CONNECTIONS} connections");
    let mut row = compared("accounts", work, Unit::ClientsPerSecond, &ours, ("bare loop", &bare));
    row.goal = Some(Goal::new(2.0, 2.6));
    Ok(vec![row])
}
