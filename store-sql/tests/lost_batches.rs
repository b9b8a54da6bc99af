//! Commits where requests or answers are lost (S5, S14).

use std::cell::RefCell;

use crate::scene::scene;
use crate::support::{Fault, Form, Shared, at, block_on, database, firm::Firm, kind};
use matterbook_core::{
    account::Grant,
    store::{
        ClientFilter, ClientPage, ClientPageQuery, OperatorCommand, ProspectOrder, ProspectPageQuery, Store as _, View,
    },
};

/// What a request comes to when these things happen to its batches, the first of which looks and
/// the second of which commits: the answer's body, or `Failed` or `Unknown`.
fn check(faults: &[Fault], expected: Result<&str, &str>, clients: i64) {
    let scene = scene();
    scene.driver.faults.borrow_mut().extend(faults.iter().copied());
    let result = scene.firm.change(scene.firm.put_request(1, at(1), &[("7", "+1")]));
    scene.driver.faults.borrow_mut().clear();
    let found = result.map(|response| response.unwrap().body).map_err(kind);
    assert_eq!(found, expected.map(str::to_owned), "{faults:?}");
    assert_eq!(scene.count("select count(*) from clients"), clients, "{faults:?}");
    assert_eq!(scene.count("select count(*) from commits"), clients, "{faults:?}");
}

#[test]
fn lost_requests_and_lost_answers() {
    use Fault::{LostAnswer, LostBatch, None};
    let created = Ok("created 1, updated 0");
    check(&[LostBatch], created, 1);
    check(&[LostAnswer, LostBatch], created, 1);
    check(&[LostBatch; 5], Err("Failed"), 0);
    check(&[None, LostBatch], created, 1);
    check(&[None, LostAnswer], created, 1);
    check(&[None, LostBatch, LostBatch, None, LostAnswer], created, 1);
    check(&[None, LostAnswer, LostAnswer, LostBatch], created, 1);
    check(&[None, LostBatch, None, LostBatch, None, LostAnswer], created, 1);
    check(&[&[None][..], &[LostBatch; 20]].concat(), Err("Unknown"), 0);
    check(&[&[None, LostAnswer][..], &[LostBatch; 20]].concat(), Err("Unknown"), 1);
    // The last read works and finds nothing, but what was lost may land yet.
    check(&[None, LostBatch].repeat(8), Err("Unknown"), 0);
}

#[test]
fn a_read_that_is_lost_is_repeated() {
    let scene = scene();
    scene.firm.put(1, at(1), &[("7", "+1")]);
    let view = View { now: at(100), delay_seconds: 60 };
    let clients = ClientPageQuery {
        view,
        after: None,
        seen_until: None,
        updated_since: None,
        filter: ClientFilter::default(),
        limit: 10,
    };
    let prospects = ProspectPageQuery { view, order: ProspectOrder::Oldest { after: None }, limit: 10 };
    let (store, key) = (&scene.firm.store, &scene.firm.key);
    for (lost, is_found) in [(1, true), (4, true), (5, false)] {
        let lose = || scene.driver.faults.borrow_mut().extend([Fault::LostAnswer].repeat(lost));
        lose();
        assert_eq!(block_on(store.key_owner(key, at(0))).is_ok(), is_found, "the owner of a key, {lost} lost");
        lose();
        let page = block_on(ClientPage::read(store, key, &clients));
        assert_eq!(page.is_ok_and(|page| page.unwrap().clients.len() == 1), is_found, "a page, {lost} lost");
        lose();
        assert_eq!(block_on(store.prospects(key, &prospects)).is_ok(), is_found, "prospects, {lost} lost");
    }
}

#[test]
fn contention_after_a_lost_batch_leaves_it_unknown() {
    let scene = scene();
    scene.driver.faults.borrow_mut().extend([Fault::None, Fault::LostBatch]);
    scene.meanwhile(|_| {});
    for number in 2..20 {
        scene.meanwhile(move |others| drop(others.put(number, at(2), &[("7", &format!("+{number}"))])));
    }
    let result = scene.firm.change(scene.firm.put_request(1, at(1), &[("7", "+1")]));
    assert_eq!(result.map_err(kind), Err("Unknown"));
}

#[test]
fn within_one_transaction_nothing_is_unknown() {
    let connection = database();
    let driver = Shared::new(&connection, Form::Rows);
    let firm = Firm::create(&driver, 1);
    // Of an account without clients the read is one batch here.
    driver.faults.borrow_mut().extend([Fault::None, Fault::LostBatch]);
    let result = firm.change(firm.put_request(1, at(1), &[("7", "+1")]));
    assert_eq!(result.map_err(kind), Err("Failed"));
    let account = firm.account;
    let grant = Grant { fips: "06037".to_owned(), from_date: "2025-01-01".parse().unwrap() };
    driver.faults.borrow_mut().push_back(Fault::LostBatch);
    let result = firm.try_operate(OperatorCommand::GrantCounty { account, grant }, at(2));
    assert_eq!(result.map_err(kind), Err("Failed"));
}

#[test]
fn a_batch_that_lands_late_is_the_one_that_counts() {
    // The first attempt is lost for now; while the second is on its way, it lands.
    let scene = scene();
    let landed_late = scene.firm.put_request(1, at(1), &[("7", "+1")]);
    scene.driver.faults.borrow_mut().extend([Fault::None, Fault::LostBatch]);
    scene.meanwhile(|_| {});
    let late = RefCell::new(Some(landed_late));
    scene.meanwhile(move |others| drop(others.change(late.take().unwrap())));
    let response = scene.firm.put(1, at(1), &[("7", "+1")]);
    assert_eq!(response.body, "created 1, updated 0");
    assert_eq!(scene.count("select count(*) from clients"), 1);
    assert_eq!(scene.count("select count(*) from commits"), 1);
}
