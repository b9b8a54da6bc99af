//! Whom a roster knows as its account's last commit left them is found without a look into the database; and
//! what a roster knows is never taken for true where it may not be (design section 8).

mod support;

use std::sync::Arc;

use matterbook_core::store::{Answer, ChangeRequest, OperatorCommand};
use matterbook_store_sql::{Looked, RecentChanges, Roster};
use support::{
    Form, Shared, at, database,
    firm::Firm,
    post::{client, post},
};

/// A firm with clients, its writer, and the roster of both.
struct Host {
    driver: Shared,
    firm: Firm,
    roster: Arc<Roster>,
    recent: RecentChanges,
}

impl Host {
    fn new() -> Self {
        let driver = Shared::new(&database(), Form::Rows);
        let firm = Firm::create(&driver, 1);
        let roster = Arc::<Roster>::default();
        let recent = RecentChanges::beside(Arc::clone(&roster));
        Self { driver, firm, roster, recent }
    }

    /// With these clients, written by another process.
    fn knowing(clients: &[String]) -> Self {
        let host = Self::new();
        host.firm.change(host.post(1, clients)).unwrap();
        host
    }

    /// A post at a second of its number.
    fn post(&self, number: u128, clients: &[String]) -> ChangeRequest {
        post(&self.firm, number, at(i64::try_from(number).unwrap()), clients).0
    }

    fn write(&mut self, number: u128, clients: &[String]) -> Answer {
        let mut proposal = self.post(number, clients).into();
        support::block_on(self.firm.store.write(&mut self.recent, &mut proposal)).unwrap().unwrap()
    }

    /// Whether a post writes nothing, and by how many queries for clients that was found out.
    fn looked_at(&self, number: u128, clients: &[String]) -> (bool, usize) {
        self.driver.used.borrow_mut().clear();
        let looked = support::block_on(self.firm.store.propose(&self.roster, self.post(number, clients))).unwrap();
        let used = self.driver.used.borrow();
        let searches =
            ["same_by_external_id", "met_by_external_id", "next_external_id", "met_by_person", "met_by_name"];
        let searches = searches.iter().filter(|name| used.contains_key(*name)).count();
        (matches!(looked, Looked::Answered(Some(_))), searches)
    }
}

fn clients(external_ids: &[&str], phone: &str) -> Vec<String> {
    external_ids.iter().map(|external_id| client(external_id, phone)).collect()
}

const UNCHANGED_WITHOUT_A_SEARCH: (bool, usize) = (true, 0);
const CHANGED_WITHOUT_A_SEARCH: (bool, usize) = (false, 0);

#[test]
fn whoever_was_written_or_looked_at_is_found_without_a_search() {
    let both = clients(&["a", "b"], "0100");
    let host = Host::knowing(&both);
    let (is_unchanged, searches) = host.looked_at(2, &both);
    assert!(is_unchanged && searches > 0, "{searches}");
    assert_eq!(host.looked_at(3, &both), UNCHANGED_WITHOUT_A_SEARCH);

    let mut host = Host::knowing(&both);
    host.write(2, &both);
    assert_eq!(host.looked_at(3, &both), UNCHANGED_WITHOUT_A_SEARCH, "by the writer, which had nothing to write");

    let mut host = Host::new();
    host.write(1, &both);
    assert_eq!(host.looked_at(2, &both), UNCHANGED_WITHOUT_A_SEARCH);
    let changed = [client("a", "0101"), client("c", "0100")];
    host.write(3, &changed);
    assert_eq!(host.looked_at(4, &changed), UNCHANGED_WITHOUT_A_SEARCH);
    assert_eq!(host.looked_at(4, &clients(&["b"], "0100")), UNCHANGED_WITHOUT_A_SEARCH, "who stayed as it was");
    assert!(!host.looked_at(4, &clients(&["a"], "0100")).0, "and what it was is a change again");
}

#[test]
fn what_was_looked_at_while_a_commit_was_under_way_is_known_after_it() {
    let mut host = Host::knowing(&clients(&["a", "b", "c"], "0100"));
    let posted = [client("a", "0100"), client("b", "0101")];
    let (beside, roster, request) = (host.firm.over(&host.driver), Arc::clone(&host.roster), host.post(3, &posted));
    let (proposals, proposed) = std::sync::mpsc::channel();
    host.driver.interruptions.borrow_mut().push_back(Box::new(move || {
        proposals.send(support::block_on(beside.store.propose(&roster, request)).unwrap()).unwrap();
    }));
    host.write(2, &clients(&["c"], "0101"));
    let Ok(Looked::ToWrite(mut proposal)) = proposed.recv() else { panic!("b has another phone") };
    support::block_on(host.firm.store.write(&mut host.recent, &mut proposal)).unwrap();
    assert_eq!(host.looked_at(4, &posted), UNCHANGED_WITHOUT_A_SEARCH);
    assert_eq!(host.looked_at(6, &clients(&["c"], "0101")), UNCHANGED_WITHOUT_A_SEARCH);
}

#[test]
fn in_a_first_import_nobody_is_searched_for() {
    let mut host = Host::new();
    host.write(1, &clients(&["a", "b"], "0100"));
    let more = [client("c", "0100"), client("d", "0100").replace(r#""external_id":"d","#, "")];
    assert_eq!(host.looked_at(2, &more), CHANGED_WITHOUT_A_SEARCH);
    host.write(2, &more);
    let third = clients(&["e"], "0100");
    assert_eq!(host.looked_at(3, &third), CHANGED_WITHOUT_A_SEARCH);

    // Somebody else, who knows nothing of it, adds whom this host then finds.
    host.firm.change(host.post(4, &third)).unwrap();
    let (is_unchanged, searches) = host.looked_at(6, &third);
    assert!(is_unchanged && searches > 0, "{searches}");
    assert!(host.write(7, &clients(&["f"], "0100")).body.contains("Created"));
    let (is_unchanged, searches) = host.looked_at(8, &clients(&["g"], "0100"));
    assert!(!is_unchanged && searches > 0, "{searches}: who came from elsewhere is not in the roster");
}

#[test]
fn a_known_person_is_no_stranger_by_any_external_id_name_or_place_that_it_came_to_have() {
    let without_external_id = |client: String, external_id: &str| {
        let shorter = client.replace(&format!(r#""external_id":"{external_id}","#), "");
        assert_ne!(shorter, client);
        shorter
    };
    let mut host = Host::new();
    let nameless = without_external_id(client("a", "0100"), "a");
    host.write(1, std::slice::from_ref(&nameless));
    // Found by name and place, it gets an external id; and by that another name, and another place.
    let moved = client("a", "0100").replace("Ada", "Grace");
    let removed = moved.replace("1 Oak", "2 Elm");
    for (number, posted) in (2..).zip([client("a", "0100"), moved.clone(), removed.clone()]) {
        let answer = host.write(number, &[posted]);
        assert!(answer.body.contains("Updated"), "{}", answer.body);
    }
    let again = without_external_id(removed, "a");
    assert!(host.looked_at(6, &[again]).0, "just as it is");
    // Nobody goes by these any more.
    assert!(!host.looked_at(7, &[nameless]).0 && !host.looked_at(8, &[without_external_id(moved, "a")]).0);
}

#[test]
fn after_a_commit_of_another_process_nothing_is_taken_for_known() {
    let both = clients(&["a", "b"], "0100");
    let mut host = Host::new();
    host.write(1, &both);
    host.firm.change(host.post(2, &clients(&["a"], "0101"))).unwrap();
    assert!(!host.looked_at(3, &both).0, "a has another phone");
    host.firm.change(host.post(4, &clients(&["a"], "0100"))).unwrap();
    let (is_unchanged, searches) = host.looked_at(6, &both);
    assert!(is_unchanged && searches > 0, "{searches}");
    assert_eq!(host.looked_at(7, &both), UNCHANGED_WITHOUT_A_SEARCH, "who was looked at since");
}

#[test]
fn who_was_erased_is_new_when_posted_again() {
    let both = clients(&["a", "b"], "0100");
    let mut host = Host::new();
    host.write(1, &both);
    let client = host.firm.page(at(1_000), None, 10).clients[0].id;
    host.firm.operate(OperatorCommand::EraseClient { account: host.firm.account, client }, at(2));
    assert!(!host.looked_at(3, &both).0);
    let answer = host.write(4, &both);
    assert_eq!((answer.body.matches("Created").count(), answer.body.matches("Updated").count()), (1, 1));
}

/// Another process may commit at the very time of a commit that came to nothing.
#[test]
fn what_was_rolled_back_was_never_known() {
    let mut host = Host::new();
    host.write(1, &clients(&["a", "b"], "0100"));
    host.driver.connection.execute_batch("begin").unwrap();
    host.write(2, &clients(&["a"], "0101"));
    host.recent.clear();
    host.driver.connection.execute_batch("rollback").unwrap();
    let request = post(&host.firm, 3, at(2), &clients(&["b"], "0101")).0;
    host.firm.change(request).unwrap();
    assert!(!host.looked_at(4, &clients(&["a"], "0101")).0, "a never had this phone");
}

#[test]
fn settlements_are_looked_for() {
    let settled = client("a", "0100").replace("{", r#"{"settled_on":"2026-01-02","#);
    let posted = [settled.clone(), client("b", "0100")];
    let mut host = Host::new();
    host.write(1, &posted);
    let (is_unchanged, searches) = host.looked_at(2, &posted);
    assert!(is_unchanged && searches > 0, "{searches}");
    // As posted before, and then corrected: only who knows the settlement can tell that none begins.
    let corrected = settled.replace("01-02", "01-03");
    host.write(3, &[settled, corrected]);
    let count = "select count(*) from settlements";
    assert_eq!(host.driver.connection.query_row(count, [], |row| row.get::<_, i64>(0)), Ok(1));
}

#[test]
fn a_key_that_was_revoked_is_no_key_though_all_is_known() {
    let both = clients(&["a", "b"], "0100");
    let mut host = Host::new();
    host.write(1, &both);
    host.firm.operate(OperatorCommand::RevokeKey { key: host.firm.key_id }, at(2));
    let looked = support::block_on(host.firm.store.propose(&host.roster, host.post(3, &both))).unwrap();
    assert!(matches!(looked, Looked::Answered(None)));
}
