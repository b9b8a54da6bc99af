//! Each operation by the clients in an account, and by the accounts.

use super::{Figure, filled::Filled, millis};
use crate::{
    Outcome,
    clients::Work,
    load::get,
    work::{FIRST_PAGE, Session, last_page},
};

/// Batches of a round.
const BATCHES: usize = 20;
/// Reads of a round.
const READS: usize = 500;
/// Small accounts are measured in a group: posts to one account would soon exceed its clients.
const SMALL_ACCOUNTS: usize = 10;
/// Clients of each account in the figure by accounts.
const CLIENTS_EACH: usize = 100;

/// Over the clients of an account.
pub(super) fn clients(session: &Session) -> Outcome<Figure> {
    let mut figure = Figure::new(
        "growth-clients",
        "A request over one connection, by the clients of its account",
        "clients in the account",
        "milliseconds",
    );
    for clients in [1_000, 10_000, 100_000, session.size(1_000_000, 200_000)] {
        session.say(format_args!("{clients} clients in an account"));
        let accounts = if clients <= 10_000 { SMALL_ACCOUNTS } else { 1 };
        let filled = Filled::new(session, accounts, clients)?;
        let last = last_page(&filled.service, &filled.accounts[0])?;
        let mut read = |name: &str, path: &str| {
            let requests = vec![get(path, &filled.accounts[0].key); READS];
            figure.add(name, clients, millis(&filled.service, 1, &vec![requests; session.rounds])?);
            Outcome::Ok(())
        };
        read("GET /me", "/api/v1/me")?;
        read("first page of 100", FIRST_PAGE)?;
        read("last page of 100", &last)?;
        posts(session, &filled, &mut figure, clients)?;
        filled.service.stop()?;
    }
    Ok(figure)
}

/// Over the accounts, each with as many clients.
pub(super) fn accounts(session: &Session) -> Outcome<Figure> {
    let mut figure = Figure::new(
        "growth-accounts",
        "A request over one connection, by the accounts, of 100 clients each",
        "accounts",
        "milliseconds",
    );
    for accounts in [1, 100, session.size(10_000, 1_000)] {
        session.say(format_args!("{accounts} accounts"));
        let filled = Filled::new(session, accounts, CLIENTS_EACH)?;
        let mut read = |name: &str, path: &str| {
            let account = |place: usize| &filled.accounts[place * 7_919 % accounts];
            let requests: Vec<_> = (0..READS).map(|place| get(path, &account(place).key)).collect();
            figure.add(name, accounts, millis(&filled.service, 1, &vec![requests; session.rounds])?);
            Outcome::Ok(())
        };
        read("GET /me", "/api/v1/me")?;
        read("page of 100", FIRST_PAGE)?;
        posts(session, &filled, &mut figure, accounts)?;
        filled.service.stop()?;
    }
    Ok(figure)
}

/// Posts to filled accounts, unchanged clients first.
fn posts(session: &Session, filled: &Filled, figure: &mut Figure, size: usize) -> Outcome<()> {
    let name = |what: &str| format!("{} {what}", filled.at_once);
    let batches: Vec<_> = filled.some_batches(BATCHES).collect();
    let round_of = |work: &dyn Fn(usize) -> Work, round: usize| -> Vec<Vec<u8>> {
        let places = round * BATCHES..(round + 1) * BATCHES;
        places.map(|place| filled.post(batches[place % batches.len()], work(place / batches.len()))).collect()
    };
    let rounds =
        |work: &dyn Fn(usize) -> Work| (0..session.rounds).map(|round| round_of(work, round)).collect::<Vec<_>>();
    figure.add(&name("unchanged"), size, millis(&filled.service, 1, &rounds(&|_| Work::First))?);
    // Changed at first, and changed back the next time.
    let changing = |pass: usize| if pass.is_multiple_of(2) { Work::Changed } else { Work::First };
    figure.add(&name("updates"), size, millis(&filled.service, 1, &rounds(&changing))?);
    // Few new clients, so that the size hardly changes.
    let count = (filled.batches / 10).clamp(5, BATCHES);
    let new: Vec<Vec<_>> = (0..session.rounds)
        .map(|round| filled.batches + round * count)
        .map(|first| (first..first + count).map(|batch| filled.post(batch, Work::First)).collect())
        .collect();
    figure.add(&name("new"), size, millis(&filled.service, 1, &new)?);
    Ok(())
}
