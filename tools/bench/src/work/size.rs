//! New clients in a database that holds a million, in other accounts or in the same one, against the same
//! posts to an empty table.

use super::{Measured, Session, Side, compared, requests::warm_up, turns, verify};
use crate::{
    Outcome,
    clients::{BATCH_ROWS, Bodies, Work},
    figures::thousands,
    fill::fill_clients,
    load::{Flood, post},
    report::{Row, Unit},
    service::{Account, Service},
};

/// The accounts that share the existing clients.
const OTHER_ACCOUNTS: usize = 100;
const CONNECTIONS: usize = 8;

pub(super) fn measure(session: &Session) -> Outcome<Vec<Row>> {
    let clients = session.size(1_000_000, 50_000);
    let batches = session.size(200, 10);
    session.say(format_args!("{} clients in other accounts, and in one", thousands(clients)));
    let (others, accounts) = filled(session, "others", OTHER_ACCOUNTS + session.rounds, OTHER_ACCOUNTS, clients)?;
    let (same, account) = filled(session, "same", 1, 1, clients)?;
    let mut empty_side = Side::default();
    let mut sides: [[Side; 2]; 2] = Default::default();
    for round in 0..session.rounds {
        session.say(format_args!("posts to large tables, round {}", round + 1));
        let first = clients / BATCH_ROWS + round * batches;
        let texts: Vec<_> = (first..first + batches).map(|number| Bodies::Of(Work::First).body(number)).collect();
        let empty = session.new_service("service")?;
        warm_up(&empty, CONNECTIONS)?;
        let newcomer = empty.account()?;
        for turn in turns(round, 3) {
            let (service, account) = match turn {
                0 => (&empty, &newcomer),
                1 => (&others, &accounts[OTHER_ACCOUNTS + round]),
                _ => (&same, &account[0]),
            };
            let requests: Vec<_> = texts.iter().map(|text| post("/api/v1/clients", &account.key, text)).collect();
            let requests = Flood {
                requests: &requests,
                count: batches,
                connections: CONNECTIONS,
                keeps_bodies: true,
                ..Flood::default()
            };
            let (measured, answers) = Measured::flood(&service.process, service.address, requests, BATCH_ROWS as f64)?;
            answers.iter().try_for_each(|answer| verify::ids(answer, |_| "created").map(drop))?;
            match turn {
                0 => empty_side.0.push(measured),
                _ => sides[turn - 1][0].0.push(measured),
            }
        }
        empty.stop()?;
    }
    others.stop()?;
    same.stop()?;
    let [others, same] = &sides;
    let row = |programs, place| {
        let work = format!("500 new, {} clients {place}, {CONNECTIONS} connections", thousands(clients));
        compared("size", work, Unit::ClientsPerSecond, programs, ("empty table", &empty_side))
    };
    Ok(vec![row(others, "in other accounts"), row(same, "in the same account")])
}

/// A service whose first `holding` accounts share so many clients.
fn filled(
    session: &Session,
    name: &str,
    accounts: usize,
    holding: usize,
    clients: usize,
) -> Outcome<(Service, Vec<Account>)> {
    let service = session.new_service(name)?;
    let database = service.database().to_owned();
    let accounts = service.accounts(accounts)?;
    service.stop()?;
    fill_clients(&database, &accounts[..holding], clients)?;
    let service = Service::start(&session.on(&database))?;
    warm_up(&service, CONNECTIONS)?;
    Ok((service, accounts))
}
