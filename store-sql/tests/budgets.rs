//! What each verb costs in a large database: 100,000 clients of one account, 1,000,000 prospects
//! over 3,000 counties. Costs are steps of SQLite's virtual machine, which do not depend on the
//! machine that runs the test; a row read takes some ten to thirty.

use std::rc::Rc;

use crate::support::{
    FORMS, Form, Shared, at, block_on, database,
    firm::{DELAY_SECONDS, Firm},
    id,
};
use matterbook_core::{
    matching::PersonHash,
    store::{
        ChangeSet, ClientFilter, ClientPage, ClientPageQuery, Decide, Decided, LookupKey, NAMESAKES_SHOWN,
        OperatorCommand, Position, ProspectOrder, ProspectPageQuery, Store, StoredResponse, View,
    },
    time::Timestamp,
};
use rusqlite::Connection;

/// Rows of clients `from..to` of the first account, each changed in a commit of its own.
fn add_clients(connection: &Connection, from: i64, to: i64) {
    let sql = "
        with recursive number (n) as (select ?1 union all select n + 1 from number where n + 1 < ?2)
        insert into clients (account_id, id, external_id, first_name, last_name, address_line1, zip, phone,
          do_not_mail, created_at, updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint)
        select 1, unhex(printf('%032x', n * 7919 % 1000003)), 'e' || n, 'Ada', 'Number ' || n, n || ' Main St',
          '62704', '+1', 0, ?3 + n, ?3 + n, n * 104729 % 1000003, n, 0, 62704, x'' from number";
    connection.execute(sql, (from, to, at(0).micros())).unwrap();
    let sql = "update accounts set last_commit_at = ?1 where id = 1";
    connection.execute(sql, [at(0).micros() + to]).unwrap();
}

/// Prospects `from..to`, in turn over 3,000 counties from 10000 on, all in one year; `county`
/// puts them in one county instead.
fn add_prospects(connection: &Connection, from: i64, to: i64, county: Option<&str>, crash_date: &str) {
    let sql = "
        with recursive number (n) as (select ?1 union all select n + 1 from number where n + 1 < ?2)
        insert into prospects (id, source_id, first_name, crash_date, crash_county_fips, crash_year, added_at)
        select unhex(printf('%032x', n)), 's' || n, 'Ada', ?4, coalesce(?3, printf('%05d', 10000 + n % 3000)),
          cast(substr(?4, 1, 4) as integer), ?5 + n from number";
    connection.execute(sql, (from, to, county, crash_date, at(0).micros())).unwrap();
    let sql = "update prospect_clock set last_change_at = max(last_change_at, ?1)";
    connection.execute(sql, [at(0).micros() + to]).unwrap();
}

/// Runs something and hands back what it came to, with its cost.
fn cost<Outcome>(driver: &Shared, run: impl FnOnce() -> Outcome) -> (Outcome, i64) {
    let before = driver.steps.get();
    let outcome = run();
    (outcome, driver.steps.get() - before)
}

/// Asserts that a cost lies within its budget, and not far below: a budget that is too large would
/// not notice.
#[track_caller]
fn assert_within(what: &str, cost: i64, budget: i64) {
    assert!(cost <= budget, "{what} costs {cost}, more than {budget}");
    assert!(cost >= budget / 2, "{what} costs {cost}: lower its budget of {budget}");
}

fn prospects(firm: &Firm, order: ProspectOrder, limit: u32) -> (usize, Option<Position>) {
    let view = View { now: at(100_000), delay_seconds: 3_600 };
    let query = ProspectPageQuery { view, order, limit };
    let page = block_on(firm.store.prospects(&firm.key, &query)).unwrap().unwrap();
    (page.prospects.len(), page.next)
}

const OLDEST: ProspectOrder = ProspectOrder::Oldest { after: None };

#[test]
fn prospects_cost_what_they_return() {
    let connection = database();
    let driver = Shared::new(&connection, Form::Rows);
    let firm = Firm::create(&driver, 1);
    for fips in ["90001", "90002", "90003", "90004", "90005"] {
        firm.grant(fips, "2025-06-01");
    }
    for (index, fips) in (0_i64..).zip(["90001", "90002", "90003", "90004", "90005"]) {
        add_prospects(&connection, 2_000_000 + index * 300, 2_000_000 + (index + 1) * 300, Some(fips), "2025-07-01");
    }
    let newest = ProspectOrder::Newest { added_since: at(0) };
    let place = Position { at: Timestamp::from_micros(at(0).micros() + 2_000_400), id: id(0) };
    let deep = ProspectOrder::Oldest { after: Some(place) };
    let pages = |what: &str| {
        [("oldest", OLDEST, 100), ("deep", deep, 100), ("newest", newest, 500)].map(|(name, order, limit)| {
            let ((found, _), cost) = cost(&driver, || prospects(&firm, order, limit));
            assert_eq!(found, usize::try_from(limit).unwrap(), "{what}: {name}");
            cost
        })
    };

    add_prospects(&connection, 0, 10_000, None, "2025-07-01");
    let small = pages("10,000 prospects");
    add_prospects(&connection, 10_000, 700_000, None, "2025-07-01");
    add_prospects(&connection, 700_000, 1_000_000, Some("90001"), "2023-01-01");
    let large = pages("1,000,000 prospects, 300,000 of them in earlier years of a granted county");
    assert_eq!(small, large);
    assert_within("the oldest 100", large[0], 22_000);
    assert_within("the newest 500", large[2], 100_000);

    // In the grant's own year, before its date: passed over, a bounded number with each page.
    connection
        .execute("update prospects set crash_year = 2025, crash_date = '2025-01-01' where crash_year = 2023", [])
        .unwrap();
    let ((found, next), cost_of_scan) = cost(&driver, || prospects(&firm, OLDEST, 100));
    assert_eq!((found, next.is_some()), (0, true), "the page is empty, and goes on");
    assert_within("a page that passes over 1,000", cost_of_scan, 180_000);
    let (_, cost_of_scan) = cost(&driver, || prospects(&firm, newest, 500));
    assert!(cost_of_scan <= 1_000_000, "the newest look at a bounded number: {cost_of_scan}");
    let walk = (0..1_000).try_fold((0, None), |(found, after), _| {
        let (more, next) = prospects(&firm, ProspectOrder::Oldest { after }, 100);
        if next.is_some() { Ok((found + more, next)) } else { Err(found + more) }
    });
    assert_eq!(walk, Err(1_500), "a walk comes to the end and finds all");
}

fn clients(firm: &Firm, query: &ClientPageQuery) -> (usize, Option<Position>) {
    let page = block_on(ClientPage::read(&firm.store, &firm.key, query)).unwrap().unwrap();
    (page.clients.len(), page.next)
}

/// What the same work costs among 1,000 and among 100,000 clients.
fn client_costs(form: Form, count: i64) -> Vec<(&'static str, i64, u64)> {
    let connection: Rc<Connection> = database();
    let driver = Shared::new(&connection, form);
    let firm = Firm::create(&driver, 1);
    add_clients(&connection, 0, count);
    let now = at(10_000);
    let view = View { now, delay_seconds: DELAY_SECONDS };
    let query = ClientPageQuery {
        view,
        after: None,
        seen_until: None,
        updated_since: None,
        filter: ClientFilter::default(),
        limit: 100,
    };
    let mut costs = Vec::new();
    let mut measure = |what: &'static str, run: &dyn Fn()| {
        let (steps, changes) = (driver.steps.get(), driver.changes.get());
        run();
        costs.push((what, driver.steps.get() - steps, driver.changes.get() - changes));
    };
    let page = |query: ClientPageQuery, expected: usize| assert_eq!(clients(&firm, &query).0, expected);
    measure("first page", &|| page(query.clone(), 100));
    let after = Some(Position { at: at(0).next(), id: id(0) });
    measure("page after a place", &|| page(ClientPageQuery { after, ..query.clone() }, 100));
    let by_external_id = ClientFilter { external_id: Some("e7".into()), ..ClientFilter::default() };
    measure("by external id", &|| page(ClientPageQuery { filter: by_external_id.clone(), ..query.clone() }, 1));
    let by_id = ClientFilter { id: Some(id(7 * 7_919)), ..ClientFilter::default() };
    measure("by id", &|| page(ClientPageQuery { filter: by_id.clone(), ..query.clone() }, 1));
    let since = Some(at(0).next());
    measure("updated since", &|| page(ClientPageQuery { updated_since: since, ..query.clone() }, 100));
    measure("who holds the key", &|| drop(block_on(firm.store.key_owner(&firm.key, at(0))).unwrap().unwrap()));

    let batch =
        |prefix: &str, phone: &'static str| (0..500).map(|n| (format!("{prefix}{n}"), phone)).collect::<Vec<_>>();
    let put = |number: u128, now, clients: &[(String, &'static str)]| {
        let clients: Vec<_> = clients.iter().map(|(id, phone)| (id.as_str(), *phone)).collect();
        firm.put(number, now, &clients);
    };
    measure("500 unchanged", &|| put(1, now, &batch("e", "+1")));
    measure("500 created", &|| put(2, now, &batch("new", "+1")));
    measure("500 updated", &|| put(3, now, &batch("e", "+2")));
    measure("500 updated that have earlier states", &|| put(4, at(20_000), &batch("e", "+3")));
    measure("page through live states", &|| {
        let view = View { now: at(20_001), ..view };
        page(ClientPageQuery { view, ..query.clone() }, 100);
    });
    costs
}

/// A filter that few clients pass: each page looks at so many clients only, and the walk misses none.
#[test]
fn a_filter_looks_at_a_bounded_number_of_clients_and_misses_none() {
    let connection: Rc<Connection> = database();
    let driver = Shared::new(&connection, Form::Rows);
    let firm = Firm::create(&driver, 1);
    add_clients(&connection, 0, 25_000);
    let last = "update clients set email = 'last@example.com' where updated_at = (select max(updated_at) from clients)";
    assert_eq!(connection.execute(last, []).unwrap(), 1);
    let view = View { now: at(10_000), delay_seconds: DELAY_SECONDS };
    let filter = ClientFilter { email: Some("last@example.com".into()), ..ClientFilter::default() };
    let mut query = ClientPageQuery { view, after: None, seen_until: None, updated_since: None, filter, limit: 100 };
    let mut pages = Vec::new();
    loop {
        let ((found, next), cost) = cost(&driver, || clients(&firm, &query));
        assert!(cost < 350_000, "a page takes {cost} steps");
        pages.push(found);
        query.after = next;
        if next.is_none() {
            break;
        }
    }
    assert_eq!(pages, [0, 0, 1]);
}

/// The upper bounds of the work: steps in the row form and in the set form, and table rows written.
///
/// The set form takes extra steps: it parses each row once, compares fingerprints, packs rows into JSON
/// and preserves fields that the request omits. On D1 these steps cost less than they save: parsing a text
/// again for every value, and passing values through JavaScript. The row form also compares fingerprints
/// for unchanged clients, since the comparison is cheaper than reading their fields.
const BUDGETS: [(&str, [i64; 2], u64); 11] = [
    ("first page", [4_000, 4_000], 0),
    ("page after a place", [4_000, 4_000], 0),
    ("by external id", [400, 400], 0),
    ("by id", [300, 300], 0),
    ("updated since", [4_000, 4_000], 0),
    ("who holds the key", [40, 40], 0),
    ("500 unchanged", [28_500, 38_000], 0),
    ("500 created", [102_000, 121_000], 502),
    ("500 updated", [152_500, 175_000], 1_002),
    ("500 updated that have earlier states", [152_500, 175_000], 1_002),
    ("page through live states", [10_000, 10_000], 0),
];

#[test]
fn clients_cost_what_is_changed_or_returned() {
    for (place, form) in FORMS.into_iter().enumerate() {
        let small = client_costs(form, 1_000);
        let large = client_costs(form, 100_000);
        assert_eq!(small, large, "nothing costs more among 100,000 clients");
        for (found, (what, steps, changes)) in large.iter().zip(BUDGETS) {
            assert_eq!(found.0, what);
            assert_within(what, found.1, steps[place]);
            assert_eq!(found.2, changes, "{what}: rows of tables written");
        }
    }
}

/// What a page of 100 costs where every client was changed at 1,000 s, and `count` earlier states of
/// them are kept, whether they can be shown or not.
fn page_costs_among_states(form: Form, count: i64) -> Vec<(&'static str, usize, i64)> {
    let connection = database();
    let driver = Shared::new(&connection, form);
    let firm = Firm::create(&driver, 1);
    add_clients(&connection, 0, count);
    let later = at(1_000).micros() - at(0).micros();
    // The trigger keeps the states.
    let change = "update clients set previous_period = (updated_at + ?1) & -134217728,
        previous_updated_at = updated_at, updated_at = updated_at + ?1";
    connection.execute(change, [later]).unwrap();
    let commit_at = |seconds: i64| {
        let sql = "update accounts set last_commit_at = ?1 where id = 1";
        connection.execute(sql, [at(seconds).micros()]).unwrap();
    };
    let mut costs = Vec::new();
    let mut measure = |what: &'static str, now: i64, after: i64, delay_seconds: u32| {
        let view = View { now: at(now), delay_seconds };
        let after = (after > 0).then(|| Position { at: Timestamp::from_micros(at(after).micros() + 50), id: id(0) });
        let query = ClientPageQuery {
            view,
            after,
            seen_until: None,
            updated_since: None,
            filter: ClientFilter::default(),
            limit: 100,
        };
        let ((found, _), steps) = cost(&driver, || clients(&firm, &query));
        costs.push((what, found, steps));
        let since = ClientPageQuery { after: None, updated_since: after.map(|place| place.at), ..query };
        let ((found, _), steps) = cost(&driver, || clients(&firm, &since));
        costs.push((what, found, steps));
    };
    commit_at(1_001);
    measure("every state can be shown", 1_030, 0, 60);
    measure("no state can be shown", 2_000, 0, 60);
    measure("no state can be shown, in the middle", 2_000, 1_000, 60);
    measure("no delay", 1_030, 0, 0);
    measure("a clock is wrong", 900, 0, 60);
    commit_at(1_990);
    measure("every state is dead, and somebody else changed", 2_000, 0, 60);
    costs
}

#[test]
fn a_page_reads_no_state_that_it_cannot_show() {
    for form in FORMS {
        let small = page_costs_among_states(form, 1_000);
        let large = page_costs_among_states(form, 20_000);
        assert_eq!(small, large, "nothing costs more among 20,000 states");
        for (what, found, steps) in large {
            let (expected, budget) = match what {
                "every state can be shown" => (100, 6_000),
                _ => (100, 5_000),
            };
            assert_eq!(found, expected, "{what}");
            assert_within(what, steps, budget);
        }
    }
}

#[test]
fn clients_with_one_name_are_read_once_for_a_batch() {
    for form in FORMS {
        let connection = database();
        let driver = Shared::new(&connection, form);
        let firm = Firm::create(&driver, 1);
        add_clients(&connection, 0, 1_000);
        connection.execute("update clients set name_hash = 7", []).unwrap();
        let look = |count: u128| {
            let person = PersonHash { name: Some(7), ..PersonHash::default() };
            let lookup_keys = (0..count).map(|number| LookupKey {
                external_id: (number % 2 == 1).then(|| format!("new{number}").into()),
                person,
                settles: true,
                ..LookupKey::default()
            });
            let shown = usize::try_from(count).unwrap() + NAMESAKES_SHOWN;
            let decide: Decide = Box::new(move |snapshot| {
                assert_eq!(snapshot.clients.len(), shown);
                let response = StoredResponse { status: 200, body: String::new(), replayed: false };
                Decided { change_set: ChangeSet::default(), response }
            });
            cost(&driver, || firm.change(firm.request(count, at(10_000), lookup_keys.collect(), decide)).unwrap()).1
        };
        // One is shown 21 of the name, a hundred are shown 120.
        let (one, many) = (look(1), look(100));
        assert!(many < 10 * one, "one of that name costs {one}, a hundred cost {many}");
        add_clients(&connection, 1_000, 20_000);
        connection.execute("update clients set name_hash = 7", []).unwrap();
        assert_eq!(look(1), one, "twenty thousand of the name cost what a thousand cost");
    }
}

#[test]
fn an_operators_list_costs_what_it_returns() {
    let driver = Shared::new(&database(), Form::Rows);
    let firms: Vec<_> = (1..300).map(|number| Firm::create(&driver, number)).collect();
    let list = || drop(firms[0].operate(OperatorCommand::ListAccounts { after: None, limit: 10 }, at(1)));
    let ((), steps) = cost(&driver, list);
    assert_within("a list of 10 accounts", steps, 800);
}
