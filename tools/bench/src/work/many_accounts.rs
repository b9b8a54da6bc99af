//! New clients of 200 accounts, against the bare loop that writes to one account, as in all other rows, and
//! against the same loop with as many accounts.

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
    report::{Row, Unit},
};

const ACCOUNTS: usize = 200;
const CONNECTIONS: usize = 8;

pub(super) fn measure(session: &Session) -> Outcome<Vec<Row>> {
    let bodies = Bodies::Of(Work::First);
    let count = session.size(ACCOUNTS, ACCOUNTS / 4);
    let texts: Vec<_> = (0..count).map(|number| bodies.body(number)).collect();
    let (mut ours, mut one, mut many): ([Side; 2], Side, Side) = Default::default();
    for round in 0..session.rounds {
        session.say(format_args!("{ACCOUNTS} accounts, round {}", round + 1));
        let service = session.new_service("service")?;
        let accounts = service.accounts(ACCOUNTS)?;
        warm_up(&service, CONNECTIONS)?;
        let mut of_one = BareTables::on(session.new_file("one")?, Tuning::Plain, None)?;
        let mut of_many = BareTables::on(session.new_file("many")?, Tuning::Plain, None)?;
        for tables in [&mut of_one, &mut of_many] {
            tables.order(&warm_up_order())?;
        }
        let requests: Vec<_> = texts
            .iter()
            .zip(accounts.iter().cycle())
            .map(|(text, account)| post("/api/v1/clients", &account.key, text))
            .collect();
        let order = |accounts| Order::Post { accounts, bodies, first: 0, count, way: Way::Insert };
        let (items, posts) = ((count * BATCH_ROWS) as f64, count as f64);
        for turn in turns(round, 3) {
            match turn {
                0 => {
                    let requests = Flood {
                        requests: &requests,
                        count,
                        connections: CONNECTIONS,
                        keeps_bodies: true,
                        ..Flood::default()
                    };
                    let (measured, answers) =
                        Measured::flood(&service.process, service.address, requests, BATCH_ROWS as f64)?;
                    answers.iter().try_for_each(|answer| verify::ids(answer, |_| "created").map(drop))?;
                    ours[0].0.push(measured);
                }
                1 => one.0.push(Measured::order(&mut of_one, &order(vec![1]), items, posts)?),
                _ => {
                    let accounts = (1..=i64::try_from(ACCOUNTS)?).collect();
                    many.0.push(Measured::order(&mut of_many, &order(accounts), items, posts)?);
                }
            }
        }
        service.stop()?;
    }
    let work = format!("500 new, {ACCOUNTS} accounts, {CONNECTIONS} connections");
    let mut row = compared("accounts", work, Unit::ClientsPerSecond, &ours, ("bare loop", &one));
    row.more_floors = vec![many.floor_of(&ours[0], "bare loop, 200 accounts")];
    Ok(vec![row])
}
