//! The first and the last page of 100 of a list of 100,000 clients, against the raw read of their rows.

use super::{Measured, Session, Side, compared, over, turns, verify};
use crate::{
    Outcome,
    figures::thousands,
    fill::fill_clients,
    floor::{BareTables, Order, Page, Tuning},
    load::{Channel, Flood, get},
    report::{Goal, Row, Unit},
    service::{Account, Service},
};

pub(super) fn measure(session: &Session) -> Outcome<Vec<Row>> {
    let clients = session.size(100_000, 10_000);
    session.say(format_args!("a list of {} clients", thousands(clients)));
    let programs: Vec<_> =
        session.programs().iter().map(|session| Program::start(session, clients)).collect::<Outcome<_>>()?;
    let first = &programs[0];
    let mut tables = BareTables::on(first.service.database().to_owned(), Tuning::AsService, None)?;
    let mut rows = Vec::new();
    for (connections, goal) in [(1, Goal::AtLeast(0.33)), (8, Goal::AtLeast(0.9))] {
        for (name, page) in [("first", Page::First), ("last", Page::Last)] {
            let count = session.size(if connections == 1 { 2_000 } else { 6_000 }, 2_000);
            let order = Order::Read { account: first.account.id.clone(), page, times: count };
            let (mut sides, mut raw): ([Side; 2], Side) = Default::default();
            for round in 0..session.rounds {
                session.say(format_args!("the {name} page over {connections} connections, round {}", round + 1));
                for turn in turns(round, programs.len() + 1) {
                    if let Some(Program { service, account, last_page }) = programs.get(turn) {
                        let requests = [get(if page == Page::First { FIRST_PAGE } else { last_page }, &account.key)];
                        let flood = Flood { requests: &requests, count, connections, ..Flood::default() };
                        sides[turn].0.push(Measured::flood(&service.process, service.address, flood, 1.0)?.0);
                    } else {
                        raw.0.push(Measured::order(&mut tables, &order, count as f64, count as f64)?);
                    }
                }
            }
            let work = format!("{name} page of 100 of {}, {}", thousands(clients), over(connections));
            let row = compared("pages", work, Unit::PagesPerSecond, &sides, ("raw read", &raw));
            rows.push(Row { goal: Some(goal), ..row });
        }
    }
    programs.into_iter().try_for_each(|program| program.service.stop())?;
    Ok(rows)
}

/// A program that is measured, with a filled account.
struct Program {
    service: Service,
    account: Account,
    last_page: String,
}

impl Program {
    fn start(session: &Session, clients: usize) -> Outcome<Self> {
        let service = session.new_service("service")?;
        let (database, account) = (service.database().to_owned(), service.account()?);
        service.stop()?;
        fill_clients(&database, std::slice::from_ref(&account), clients)?;
        let service = Service::start(&session.on(&database))?;
        let last_page = last_page(&service, &account)?;
        Ok(Self { service, account, last_page })
    }
}

/// The path of the first page.
pub const FIRST_PAGE: &str = "/api/v1/clients?limit=100";

/// The path of the last page of an account's list. All pages must be full.
///
/// # Errors
/// When a page is not full.
pub fn last_page(service: &Service, account: &Account) -> Outcome<String> {
    let mut channel = Channel::open(service.address)?;
    let mut path = FIRST_PAGE.to_owned();
    loop {
        match verify::page(&channel.answer(&get(&path, &account.key))?, "clients")? {
            Some(cursor) => path = format!("{FIRST_PAGE}&cursor={cursor}"),
            None => return Ok(path),
        }
    }
}
