//! The posts of a measurement, and those before it that warm the service up.

use crate::{
    Outcome,
    clients::{Bodies, Work},
    floor::{Order, Way},
    load::{Flood, flood, post},
    service::{Account, Service},
};

/// The path that batches are posted to.
pub(super) const CLIENTS_PATH: &str = "/api/v1/clients";

/// Batches of the account that warms a side up.
const WARM_UP_BATCHES: usize = 10;
/// The first number of those batches, above all measured ones.
const WARM_UP_FROM: usize = 1_000_000;

/// Posts to the accounts in turn; each account gets every body. Over as many pinned connections as there
/// are accounts, each connection posts to one account.
pub(super) fn posts_to(accounts: &[Account], bodies: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let posts = bodies.iter().flat_map(|body| accounts.iter().map(move |account| (account, body)));
    posts.map(|(account, body)| post(CLIENTS_PATH, &account.key, body)).collect()
}

/// Posts to an account of its own, so that the statements are prepared and the log has its length.
///
/// # Errors
/// When a post fails.
pub(super) fn warm_up(service: &Service, connections: usize) -> Outcome<()> {
    let account = service.account()?;
    for work in [Work::First, Work::Changed, Work::Changed] {
        let body = |number| Bodies::Of(work).body(WARM_UP_FROM + number);
        let requests = posts_to(std::slice::from_ref(&account), &(0..WARM_UP_BATCHES).map(body).collect::<Vec<_>>());
        let count = requests.len();
        flood(service.address, Flood { requests: &requests, count, connections, ..Flood::default() })?;
    }
    Ok(())
}

/// The same for a bare loop.
pub(super) fn warm_up_order() -> Order {
    let bodies = Bodies::Of(Work::First);
    Order::Post { accounts: vec![1_000_000], bodies, first: WARM_UP_FROM, count: WARM_UP_BATCHES, way: Way::Insert }
}
