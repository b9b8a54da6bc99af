//! Both forms of every query do the same: a row of bound parameters at a time, and a set in one
//! JSON parameter. The same script runs through both; after each step the answers and the whole
//! databases are equal.

use std::rc::Rc;

use crate::script::{firm_of_the_script, other_firm, step};
use crate::support::{
    FORMS, Shared, at, database, dump,
    firm::{Firm, hash_of, lookup_key, person, update_of},
    id,
};
use matterbook_core::{
    client::ClientFields,
    store::{
        ChangeSet, ClientSearch, ConsoleAnswer, ConsoleCommand, Decided, NewClient, SearchText, Snapshot,
        StoredResponse,
    },
};
use matterbook_store_sql::queries;

/// Clients of a firm, the last ones changed last. The name of the first 200 has another word.
fn add_clients(driver: &Shared, firm: &Firm, count: i64) {
    let sql = "
        with recursive number (n) as (select 1 union all select n + 1 from number where n < ?1)
        insert into clients (account_id, id, last_name, do_not_mail, created_at, updated_at, unit_hash, fingerprint)
        select (select id from accounts where public_id = ?2), unhex(printf('%032x', (n * 7919) % 1000003)),
          iif(n < 200, 'Number ', 'Somebody ') || n, 0, n, n, 0, x'' from number";
    driver.connection.execute(sql, (count, firm.account.as_bytes().as_slice())).unwrap();
}

#[test]
fn row_form_and_set_form_do_the_same() {
    let drivers = FORMS.map(|form| Shared::new(&database(), form));
    let firms = drivers.each_ref().map(|driver| {
        other_firm(driver);
        firm_of_the_script(driver)
    });
    let mut randoms = [fastrand::Rng::with_seed(1), fastrand::Rng::with_seed(1)];
    let mut now = at(10);
    for number in 1_000..2_500 {
        let [rows, set] = [0, 1].map(|index| step(&firms[index], &mut randoms[index], number, now));
        assert_eq!(rows, set, "step {number}");
        if number % 50 == 0 {
            let [rows, set] = drivers.each_ref().map(|driver| dump(&driver.connection));
            for (rows, set) in rows.iter().zip(&set) {
                assert_eq!(rows, set, "step {number}");
            }
            assert_eq!(rows.len(), set.len());
        }
        now = now.plus_seconds(i64::try_from(randoms[0].u64(..20)).unwrap());
        randoms[1].u64(..20);
    }
    // A search that looks at every client, because none of the newest is found.
    let [rows, set] = drivers.each_ref().map(|driver| {
        let firm = Firm::create(driver, 3);
        firm.sign_in(now);
        add_clients(driver, &firm, 2_500);
        let search = ClientSearch { text: SearchText::new("number 1"), ..ClientSearch::default() };
        let (mut found, mut before) = (Vec::new(), None);
        loop {
            let search = ConsoleCommand::SearchClients { search: search.clone(), before, limit: 7 };
            let ConsoleAnswer::Clients(clients, next) = firm.ask(now, search) else { panic!("no clients") };
            found.extend(clients.iter().map(|client| client.fields.last_name.clone().unwrap_or_default().to_string()));
            before = next;
            if before.is_none() {
                return found;
            }
        }
    });
    assert_eq!(rows, set);
    let expected = (1..200).rev().filter(|number: &i32| number.to_string().starts_with('1'));
    assert_eq!(rows, expected.map(|number| format!("Number {number}")).collect::<Vec<_>>(), "the newest change first");
    // The script reaches every set query in both forms.
    let used = drivers.each_ref().map(|driver| driver.used.borrow().clone());
    for query in queries::all().into_iter().filter(|query| query.set_sql.is_some()) {
        for used in &used {
            assert!(used.contains_key(query.name), "{} is never run", query.name);
        }
    }
    let connection = Rc::clone(&drivers[0].connection);
    let batches = "select count(*) from commits where import_id is not null and login_id is not null";
    let batches: i64 = connection.query_row(batches, [], |row| row.get(0)).unwrap();
    assert!(batches > 100, "{batches} changes are batches of an import");
    let states: i64 = connection.query_row("select count(*) from client_states", [], |row| row.get(0)).unwrap();
    assert!(states > 0, "the script leaves earlier states");
}

#[test]
fn a_client_that_loses_a_field_is_matched_as_before() {
    for form in FORMS {
        let firm = Firm::create(&Shared::new(&database(), form), 1);
        let phone = Some("+12175550111".into());
        let fields = ClientFields { external_id: None, phone, ..person("7") };
        let change = |number, lookup_keys, change_set: ChangeSet, matched: usize| {
            let decide = Box::new(move |snapshot: &Snapshot| {
                assert_eq!(snapshot.clients.len(), matched, "{form:?}");
                let response = StoredResponse { status: 200, body: String::new(), replayed: false };
                Decided { change_set: change_set.clone(), response }
            });
            firm.change(firm.request(number, at(1_000 * i64::try_from(number).unwrap()), lookup_keys, decide))
                .unwrap()
                .unwrap();
        };
        let (person, fingerprint) = (hash_of(&fields), fields.fingerprint());
        let created = vec![NewClient { id: id(77), fields: fields.clone(), person, fingerprint }];
        change(1, Vec::new(), ChangeSet { created, ..ChangeSet::default() }, 0);
        let before = firm.page(at(1_500), None, 1).clients.remove(0);
        let update = update_of(&before, ClientFields { phone: None, ..fields.clone() });
        assert_eq!(update.new_hash, None);
        change(2, Vec::new(), ChangeSet { updated: vec![update], ..ChangeSet::default() }, 0);
        change(3, vec![lookup_key(&fields)], ChangeSet::default(), 1);
    }
}
