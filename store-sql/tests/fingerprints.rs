//! A client that comes again as it is stored needs no lookup; and what is cached is never taken for stored where it
//! may not be.

use crate::support::{
    Form, Shared, at, block_on, database,
    firm::Firm,
    post::{client, post},
};
use matterbook_core::store::{ChangeRequest, OperatorCommand, StoredResponse};
use matterbook_store_sql::{FingerprintCache, Preparation};

/// A firm with clients, and the cache of its host.
struct Host {
    driver: Shared,
    firm: Firm,
    cache: FingerprintCache,
}

impl Host {
    /// Each client is written by this host.
    fn with(clients: &[String]) -> Self {
        let driver = Shared::new(&database(), Form::Rows);
        let firm = Firm::create(&driver, 1);
        let host = Self { driver, firm, cache: FingerprintCache::default() };
        host.write(1, clients);
        host
    }

    /// A post at a second of its number.
    fn post(&self, number: u128, clients: &[String]) -> ChangeRequest {
        post(&self.firm, number, at(i64::try_from(number).unwrap()), clients).0
    }

    fn write(&self, number: u128, clients: &[String]) -> StoredResponse {
        let written = block_on(self.firm.store.write(self.post(number, clients).into())).unwrap();
        written.cache_update.into_iter().for_each(|update| self.cache.apply(update));
        written.response.unwrap()
    }

    /// Whether a post has nothing to write, and whether clients were looked up for it.
    fn prepare(&self, number: u128, clients: &[String]) -> (bool, bool) {
        self.driver.used.borrow_mut().clear();
        let prepared = block_on(self.firm.store.prepare(&self.cache, self.post(number, clients))).unwrap();
        let used = self.driver.used.borrow();
        let looks_up = used.keys().any(|name| name.starts_with("lookup_"));
        (matches!(prepared, Preparation::Answered(Some(_))), looks_up)
    }
}

const UNCHANGED_BY_LOOKUP: (bool, bool) = (true, true);
const UNCHANGED_BY_CACHE: (bool, bool) = (true, false);
const CHANGED_BY_LOOKUP: (bool, bool) = (false, true);

fn clients(external_ids: &[&str], phone: &str) -> Vec<String> {
    external_ids.iter().map(|external_id| client(external_id, phone)).collect()
}

#[test]
fn clients_written_or_looked_up_before_need_no_lookup() {
    let both = clients(&["a", "b"], "0100");
    let host = Host::with(&both);
    assert_eq!(host.prepare(2, &both), UNCHANGED_BY_CACHE, "written by this host");
    host.write(3, &[client("a", "0101"), client("c", "0100")]);
    assert_eq!(host.prepare(4, &clients(&["a"], "0101")), UNCHANGED_BY_CACHE, "as it was changed");
    assert_eq!(host.prepare(6, &clients(&["a"], "0100")), CHANGED_BY_LOOKUP, "as it was before");
    assert_eq!(host.prepare(7, &clients(&["b", "c"], "0100")), UNCHANGED_BY_CACHE, "the commit left b as it was");
}

#[test]
fn after_a_commit_of_another_process_clients_are_looked_up_again() {
    let both = clients(&["a", "b"], "0100");
    let host = Host::with(&both);
    host.firm.change(host.post(2, &clients(&["a"], "0101"))).unwrap();
    assert_eq!(host.prepare(3, &both), CHANGED_BY_LOOKUP);
    host.firm.change(host.post(4, &clients(&["a"], "0100"))).unwrap();
    assert_eq!(host.prepare(6, &both), UNCHANGED_BY_LOOKUP);
    assert_eq!(host.prepare(7, &both), UNCHANGED_BY_CACHE, "looked up since");
}

#[test]
fn an_erased_client_is_created_again() {
    let both = clients(&["a", "b"], "0100");
    let host = Host::with(&both);
    let client = host.firm.page(at(1_000), None, 10).clients[0].id;
    host.firm.operate(OperatorCommand::EraseClient { account: host.firm.account, client }, at(2));
    assert_eq!(host.prepare(3, &both), CHANGED_BY_LOOKUP);
    let response = host.write(4, &both);
    assert_eq!((response.body.matches("Created").count(), response.body.matches("Updated").count()), (1, 1));
}

#[test]
fn a_commit_that_was_rolled_back_is_never_cached() {
    let host = Host::with(&clients(&["a", "b"], "0100"));
    host.driver.connection.execute_batch("begin").unwrap();
    let written = block_on(host.firm.store.write(host.post(2, &clients(&["a"], "0101")).into())).unwrap();
    assert!(written.cache_update.is_some());
    host.driver.connection.execute_batch("rollback").unwrap();
    // Another process commits at the time that the commit would have had.
    host.firm.change(post(&host.firm, 3, at(2), &clients(&["b"], "0101")).0).unwrap();
    assert_eq!(host.prepare(4, &clients(&["a"], "0101")), CHANGED_BY_LOOKUP);
}

#[test]
fn settlements_are_looked_up() {
    let settled = client("a", "0100").replace('{', r#"{"settled_on":"2026-01-02","#);
    let posted = [settled.clone(), client("b", "0100")];
    let host = Host::with(&posted);
    assert_eq!(host.prepare(2, &posted), UNCHANGED_BY_LOOKUP);
    // As before, and then corrected: only the settlement tells that none begins.
    let corrected = settled.replace("01-02", "01-03");
    host.write(3, &[settled, corrected]);
    let count = "select count(*) from settlements";
    assert_eq!(host.driver.connection.query_row(count, [], |row| row.get::<_, i64>(0)), Ok(1));
}

#[test]
fn a_revoked_key_gets_no_answer_from_the_cache() {
    let both = clients(&["a", "b"], "0100");
    let host = Host::with(&both);
    host.firm.operate(OperatorCommand::RevokeKey { key: host.firm.key_id }, at(2));
    let prepared = block_on(host.firm.store.prepare(&host.cache, host.post(3, &both))).unwrap();
    assert!(matches!(prepared, Preparation::Answered(None)));
}
