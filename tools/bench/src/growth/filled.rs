//! A service with filled accounts, and requests for their clients.

use crate::{
    Outcome,
    clients::{BATCH_ROWS, Work, body_of, client},
    fill::fill_clients,
    load::post,
    service::{Account, Service},
    work::Session,
};

/// A service with clients.
pub(super) struct Filled {
    pub(super) service: Service,
    pub(super) accounts: Vec<Account>,
    /// Clients of one batch.
    pub(super) at_once: usize,
    /// Existing batches.
    pub(super) batches: usize,
}

impl Filled {
    /// So many accounts with so many clients each.
    pub(super) fn new(session: &Session, accounts: usize, clients_each: usize) -> Outcome<Self> {
        let service = session.new_service("service")?;
        let (database, accounts) = (service.database().to_owned(), service.accounts(accounts)?);
        service.stop()?;
        let clients = clients_each * accounts.len();
        fill_clients(&database, &accounts, clients)?;
        let at_once = clients_each.min(BATCH_ROWS);
        let service = Service::start(&session.on(&database))?;
        Ok(Self { service, accounts, at_once, batches: clients / at_once })
    }

    /// The account that a batch belongs to.
    pub(super) fn account(&self, batch: usize) -> &Account {
        &self.accounts[batch % self.accounts.len()]
    }

    /// The post of a batch. Batches after the existing ones have new clients.
    pub(super) fn post(&self, batch: usize, work: Work) -> Vec<u8> {
        let rows = batch * self.at_once..(batch + 1) * self.at_once;
        let body = body_of(rows.map(|index| client(index, work)));
        post("/api/v1/clients", &self.account(batch).key, &body)
    }

    /// So many of the existing batches, evenly distributed.
    pub(super) fn some_batches(&self, count: usize) -> impl Iterator<Item = usize> {
        let count = count.min(self.batches);
        (0..count).map(move |place| place * self.batches / count)
    }
}
