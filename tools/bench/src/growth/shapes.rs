//! Each operation by the batch size, and by the connections.

use super::{Figure, millis, per_second};
use crate::{
    Outcome,
    clients::{BATCH_ROWS, Work, body_of, client},
    fill::fill_clients,
    load::{get, post},
    service::{Account, Service},
    work::{FIRST_PAGE, Session},
};

/// Clients of the list that is read over many connections.
const CLIENTS: usize = 10_000;
/// Clients posted in a round, for any batch size.
const CLIENTS_A_ROUND: usize = 10_000;
/// The most posts of a round.
const POSTS_MAX: usize = 1_000;

/// New clients, drawn one after the other.
struct Newcomers(usize);

impl Newcomers {
    /// Posts of so many new clients each, for each round, and the same clients changed.
    fn posts(&mut self, account: &Account, rounds: usize, count: usize, size: usize) -> [Vec<Vec<Vec<u8>>>; 2] {
        let first = self.0;
        self.0 += rounds * count * size;
        [Work::First, Work::Changed].map(|work| {
            let body = |from: usize| body_of((from..from + size).map(|index| client(index, work)));
            let request = |number: usize| post("/api/v1/clients", &account.key, &body(first + number * size));
            (0..rounds).map(|round| (round * count..(round + 1) * count).map(request).collect()).collect()
        })
    }
}

/// Over the clients of one post.
pub(super) fn batches(session: &Session) -> Outcome<Figure> {
    let mut figure = Figure::new(
        "growth-batches",
        "Clients a second, by the clients of one post",
        "clients in a post",
        "clients a second",
    );
    let service = session.new_service("service")?;
    let mut newcomers = Newcomers(0);
    for size in [1, 5, 20, 100, BATCH_ROWS] {
        session.say(format_args!("posts of {size}"));
        for connections in [1, 8] {
            let account = service.account()?;
            let count = (CLIENTS_A_ROUND / size).min(session.size(POSTS_MAX, POSTS_MAX / 5));
            let [new, changed] = newcomers.posts(&account, session.rounds, count, size);
            for (name, rounds) in [("new", &new), ("updates", &changed), ("unchanged", &changed)] {
                let figures = per_second(millis(&service, connections, rounds)?, size);
                figure.add(&format!("{name}, {connections} conn."), size, figures);
            }
        }
    }
    service.stop()?;
    Ok(figure)
}

/// Over the connections.
pub(super) fn connections(session: &Session) -> Outcome<Figure> {
    let mut figure =
        Figure::new("growth-connections", "Requests a second, by connections", "connections", "requests a second");
    let service = session.new_service("service")?;
    let (database, accounts) = (service.database().to_owned(), service.accounts(1)?);
    service.stop()?;
    fill_clients(&database, &accounts, CLIENTS)?;
    let service = Service::start(&session.on(&database))?;
    let mut newcomers = Newcomers(CLIENTS);
    for connections in [1, 2, 4, 8, 16, 32, 64, 128] {
        session.say(format_args!("{connections} connections"));
        let me = vec![vec![get("/api/v1/me", &accounts[0].key); session.size(20_000, 2_000)]; session.rounds];
        let pages = vec![vec![get(FIRST_PAGE, &accounts[0].key); session.size(2_000, 200)]; session.rounds];
        // A new account, because a filled one would slow down the last posts.
        let empty = service.account()?;
        let [ones, _] = newcomers.posts(&empty, session.rounds, session.size(1_000, 200), 1);
        let [batches, _] = newcomers.posts(&empty, session.rounds, session.size(128, 32), BATCH_ROWS);
        let operations =
            [("GET /me", me), ("page of 100", pages), ("one new client", ones), ("500 new clients", batches)];
        for (name, rounds) in operations {
            figure.add(name, connections, per_second(millis(&service, connections, &rounds)?, 1));
        }
        service.empty_log()?;
    }
    service.stop()?;
    Ok(figure)
}
