//! The store's futures move between threads where the driver does.

use crate::support::{Form, Shared, at, database, firm::Firm, id};
use matterbook_core::store::{OperatorCommand, OperatorStore, Store};
use matterbook_store_sql::{
    SqlStore,
    driver::{Driver, DriverError, Isolation, Rows, Statement},
};

/// A driver that can be used from any thread.
struct Anywhere;

impl Driver for Anywhere {
    fn isolation(&self) -> Isolation {
        Isolation::Batch
    }

    async fn run(&self, _: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        Err(DriverError::Failed("nowhere".to_owned()))
    }

    async fn back_off(&self, _: u32) -> bool {
        false
    }
}

#[test]
fn futures_move_between_threads() {
    fn is_send<T: Send>(future: T) -> T {
        future
    }
    let store = SqlStore::new(Anywhere);
    let firm = Firm::create(&Shared::new(&database(), Form::Rows), 1);
    drop(is_send(store.key_owner(&firm.key, at(0))));
    drop(is_send(store.change(firm.put_request(1, at(1), &[]))));
    drop(is_send(store.operate(OperatorCommand::ListKeys { account: id(1) }, crate::support::firm::entry(at(1), 1))));
    let client = OperatorCommand::EraseClient { account: id(1), client: id(2) };
    drop(is_send(store.operate(client, crate::support::firm::entry(at(1), 1))));
}
