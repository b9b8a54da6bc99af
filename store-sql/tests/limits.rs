//! The limits of D1, at the largest request there is: 500 clients, every field as long as it may
//! be, half of them new. The driver under test asserts the size of every parameter.

mod support;

use matterbook_core::{
    client::ClientFields,
    matching::{Facts, identities},
    store::{
        Answer, ChangeSet, ClientUpdate, Decided, NewClient, OperatorCommand, SavedAnswer, SettlementChange, Snapshot,
        Store, Want,
    },
};
use matterbook_store_sql::{
    SqlStore,
    driver::{Driver, DriverError, Isolation, Rows, Statement},
};
use support::{
    Form, Shared, at, database,
    firm::{Firm, hash_of, want},
    id,
};

/// A client as large as it may be: every character takes four bytes.
fn largest(number: usize) -> ClientFields {
    let text = |length: usize| Some(format!("{number:04}{}", "\u{1F600}".repeat(length - 4)));
    ClientFields {
        external_id: text(200),
        first_name: text(200),
        last_name: text(200),
        address_line1: text(300),
        address_line2: text(300),
        city: text(200),
        state: Some("CA".to_owned()),
        zip: Some("62704-1234".to_owned()),
        email: text(320),
        phone: Some("+12175550123".to_owned()),
        case_type: text(200),
        opened_on: Some("2026-01-01".parse().unwrap()),
        settled_on: Some("2026-01-02".parse().unwrap()),
        do_not_mail: true,
    }
}

/// Creates who is not there, changes everything of who is, settles everybody and saves the answer.
fn decide(people: Vec<ClientFields>) -> impl FnMut(&Snapshot) -> Decided + Send {
    move |snapshot| {
        let mut change_set = ChangeSet::default();
        for (number, fields) in people.iter().enumerate() {
            let person = hash_of(fields);
            let known = snapshot.clients.iter().find(|client| {
                client.fields.first_name.is_some()
                    && client.fields.zip == fields.zip
                    && hash_of(&client.fields).place == person.place
            });
            let client = known.map_or(id(1_000_000 + number as u128), |known| known.id);
            match known {
                None => change_set.created.push(NewClient { id: client, fields: fields.clone(), person }),
                Some(before) => change_set.updated.push(ClientUpdate {
                    id: client,
                    before: before.clone(),
                    person_before: hash_of(&before.fields),
                    after: ClientFields { last_name: fields.first_name.clone(), ..fields.clone() },
                    person_after: hash_of(&ClientFields { last_name: fields.first_name.clone(), ..fields.clone() }),
                }),
            }
            change_set.settlements.push(SettlementChange::Begun {
                id: id(2_000_000 + number as u128),
                client,
                settled_on: "2026-01-02".parse().unwrap(),
                former_dates: Vec::new(),
            });
        }
        let answer = Answer { status: 200, body: "x".repeat(200_000), replayed: false };
        change_set.saved_answer = Some(SavedAnswer { request_digest: "d".repeat(43), answer: answer.clone() });
        Decided { change_set, answer }
    }
}

#[test]
fn the_largest_request_stays_within_the_limits() {
    let driver = Shared::new(&database(), Form::Set);
    let firm = Firm::create(&driver, 1);
    let people: Vec<_> = (0..500).map(largest).collect();
    // Half of them are there already, without their external ids; somebody was erased.
    let known: Vec<_> =
        people.iter().take(250).map(|fields| ClientFields { external_id: None, ..fields.clone() }).collect();
    let create = move |_: &Snapshot| {
        let created = known.iter().enumerate().map(|(number, fields)| NewClient {
            id: id(500_000 + number as u128),
            fields: fields.clone(),
            person: hash_of(fields),
        });
        let change_set = ChangeSet { created: created.collect(), ..ChangeSet::default() };
        Decided { change_set, answer: Answer { status: 200, body: String::new(), replayed: false } }
    };
    firm.change(firm.request(1, at(1), Vec::new(), Box::new(create))).unwrap().unwrap();
    firm.put(2, at(2), &[("gone", "+1")]);
    let gone = firm.walk(at(1_000), 100).0.pop().unwrap().id;
    firm.operate(OperatorCommand::EraseClient { account: firm.account, client: gone }, at(3));

    let wants = people.iter().map(|fields| {
        let external_id = fields.external_id.as_deref();
        Want { identities: identities(firm.account, external_id, &Facts::of(fields)), ..want(fields) }
    });
    let mut request = firm.request(3, at(4), wants.collect(), Box::new(decide(people.clone())));
    request.idempotency_key = Some("k".repeat(255));
    let (batches, statements) = (driver.batches.get(), driver.statements.get());
    firm.change(request).unwrap().unwrap();
    assert_eq!(driver.batches.get() - batches, 2, "one look, one commit");
    let statements = driver.statements.get() - statements;
    assert!(statements < 20, "{statements} statements");
    let count = |sql| driver.connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("select count(*) from clients"), 500);
    assert_eq!(count("select count(*) from clients where external_id is not null"), 500);
    assert_eq!(count("select count(*) from settlements"), 500);
    assert_eq!(count("select count(*) from client_states"), 250);
}

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
fn futures_move_between_threads_where_the_driver_does() {
    fn is_send<T: Send>(future: T) -> T {
        future
    }
    let store = SqlStore::new(Anywhere);
    let firm = Firm::create(&Shared::new(&database(), Form::Rows), 1);
    drop(is_send(store.holder(&firm.key)));
    drop(is_send(store.change(firm.put_request(1, at(1), &[]))));
    drop(is_send(store.operate(OperatorCommand::ListKeys { account: id(1) }, support::firm::entry(at(1), 1))));
    let client = OperatorCommand::EraseClient { account: id(1), client: id(2) };
    drop(is_send(store.operate(client, support::firm::entry(at(1), 1))));
}
