//! Pages of 100 prospects in 5 of 3,000 counties, among a million prospects, against the same among 10,000.

use super::{Measured, Session, Side, compared, turns, verify};
use crate::{
    Outcome,
    figures::thousands,
    fill::fill_prospects,
    load::{Channel, Flood, get},
    prospects::{OPEN_COUNTIES, county_fips},
    report::{Goal, Row, Unit},
    service::{Account, Service},
};

const CONNECTIONS: usize = 8;
const FEW: usize = 10_000;

pub(super) fn measure(session: &Session) -> Outcome<Vec<Row>> {
    let many = session.size(1_000_000, 50_000);
    session.say(format_args!("{} and {} prospects", thousands(FEW), thousands(many)));
    // The programs among many prospects, and then the service among few.
    let mut services: Vec<_> =
        session.programs().iter().map(|session| filled(session, "many", many)).collect::<Outcome<_>>()?;
    let programs = services.len();
    services.push(filled(session, "few", FEW)?);
    let mut rows = Vec::new();
    for (name, path) in
        [("oldest", "/api/v1/prospects?limit=100"), ("newest", "/api/v1/prospects?order=newest&limit=100")]
    {
        let count = session.size(4_000, 2_000);
        let (mut sides, mut few): ([Side; 2], Side) = Default::default();
        for round in 0..session.rounds {
            session.say(format_args!("{name} prospects, round {}", round + 1));
            for turn in turns(round, services.len()) {
                let (service, account) = &services[turn];
                let requests = [get(path, &account.key)];
                let answer = Channel::open(service.address)?.answer(&requests[0])?;
                verify::page(&answer, "prospects")?;
                let requests = Flood { requests: &requests, count, connections: CONNECTIONS, ..Flood::default() };
                let side = if turn < programs { &mut sides[turn] } else { &mut few };
                side.0.push(Measured::flood(&service.process, service.address, requests, 1.0)?.0);
            }
        }
        let work = format!("page of 100 prospects, {name}, among {}, {CONNECTIONS} connections", thousands(many));
        let row = compared("prospects", work, Unit::PagesPerSecond, &sides, ("among 10,000", &few));
        rows.push(Row { goal: Some(Goal::AtLeast(0.8)), ..row });
    }
    services.into_iter().try_for_each(|(service, _)| service.stop())?;
    Ok(rows)
}

fn filled(session: &Session, name: &str, prospects: usize) -> Outcome<(Service, Account)> {
    let service = session.new_service(name)?;
    let (database, account) = (service.database().to_owned(), service.account()?);
    for county in OPEN_COUNTIES {
        service.grant(&account, &county_fips(county), "2024-01-01")?;
    }
    service.stop()?;
    fill_prospects(&database, prospects)?;
    Ok((Service::start(&session.on(&database))?, account))
}
