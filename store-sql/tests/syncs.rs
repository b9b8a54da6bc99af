//! A nightly sync, most of whose clients are known and unchanged: the others are found as in any post, and both
//! forms of the queries leave the same database.

use crate::support::{
    FORMS, Form, Shared, at, database, dump,
    firm::Firm,
    post::{client, post},
};

/// The clients of the first night.
fn first_night() -> Vec<String> {
    (0..60).map(|number| client(&format!("e{number:02}"), "0100")).collect()
}

/// Posts both nights. Gives the answer to the second and the database after it.
fn second_night(form: Form, clients: &[String]) -> (String, Vec<impl PartialEq + std::fmt::Debug>) {
    let driver = Shared::new(&database(), form);
    let firm = Firm::create(&driver, 1);
    firm.change(post(&firm, 1, at(1), &first_night()).0).unwrap();
    let answer = firm.change(post(&firm, 2, at(2), clients).0).unwrap().unwrap();
    (answer.body, dump(&driver.connection))
}

#[test]
fn a_sync_writes_only_new_and_changed_clients() {
    let mut clients = first_night();
    clients[30] = client("e30", "0101").replace("Ada", "Eve");
    clients[40] = client("new", "0100");
    clients[50] = client("e51", "0100");
    clients[59] = clients[30].replace(r#""external_id":"e30","#, "");
    let [by_rows, in_sets] = FORMS.map(|form| second_night(form, &clients));
    assert_eq!(by_rows, in_sets);
    assert_eq!(by_rows.0.matches("Created").count(), 1, "{}", by_rows.0);
}
