//! A nightly sync, most of whose clients are known and unchanged: of those no field is read (design section 8),
//! and the others are found as in any post.

mod support;

use support::{
    FORMS, Form, Shared, at, database, dump,
    firm::Firm,
    post::{client, post},
};

/// The clients of the first night.
fn first_night() -> Vec<String> {
    (0..60).map(|number| client(&format!("e{number:02}"), "0100")).collect()
}

/// Posts both nights. Answers what the second came to with the database after it, and which queries were run
/// for that.
fn second_night(
    form: Form,
    clients: &[String],
) -> ((String, Vec<impl PartialEq + std::fmt::Debug>), Vec<&'static str>) {
    let driver = Shared::new(&database(), form);
    let firm = Firm::create(&driver, 1);
    firm.change(post(&firm, 1, at(1), &first_night()).0).unwrap();
    driver.used.borrow_mut().clear();
    let answer = firm.change(post(&firm, 2, at(2), clients).0).unwrap().unwrap();
    let used = driver.used.borrow().keys().copied().collect();
    ((answer.body, dump(&driver.connection)), used)
}

#[test]
fn of_unchanged_clients_no_field_is_read() {
    for form in FORMS {
        let (_, used) = second_night(form, &first_night());
        assert_eq!(used.contains(&"same_by_external_id"), form == Form::Rows, "{form:?}: {used:?}");
    }
}

#[test]
fn among_unchanged_clients_the_others_are_found() {
    let mut clients = first_night();
    clients[30] = client("e30", "0101").replace("Ada", "Eve");
    clients[40] = client("new", "0100");
    clients[50] = client("e51", "0100");
    clients[59] = clients[30].replace(r#""external_id":"e30","#, "");
    let [(by_rows, used), (in_sets, _)] = FORMS.map(|form| second_night(form, &clients));
    assert!(used.contains(&"same_by_external_id") && used.contains(&"met_by_external_id"), "{used:?}");
    assert_eq!(by_rows, in_sets);
    assert_eq!(by_rows.0.matches("Created").count(), 1, "{}", by_rows.0);
}
