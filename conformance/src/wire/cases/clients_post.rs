//! `POST /clients`: what is saved, what is kept, and what each client's result says.

use serde_json::{Value, json};

use crate::wire::{CaseResult, Failure, Firm, Service, failure::equal};

cases! { "clients_post":
    "H28, M26, M30" => a_new_client_is_created_and_a_known_one_updated,
    "H27" => results_are_in_the_order_sent,
    "E9, U6" => one_clients_error_does_not_stop_the_others,
    "U5" => an_item_sees_what_items_before_it_did,
    "M30" => a_new_client_needs_a_first_or_a_last_name,
    "N8, N9" => every_error_of_a_client_is_in_one_message_in_order,
    "E4" => an_error_never_repeats_the_value,
    "U1, U4" => given_values_replace,
    "N1, U1" => blank_and_missing_values_never_erase,
    "N36, U2" => do_not_mail_goes_on_and_never_off,
    "U8" => an_unchanged_client_is_updated_and_its_time_stands_still,
    "U14" => a_changed_client_moves_updated_at_and_keeps_created_at,
    "U12" => a_record_read_back_and_posted_changes_nothing,
    "N11, U6" => an_error_in_a_batch_saves_nothing_of_its_client,
    "D8" => the_same_external_id_in_two_accounts_is_two_clients,
}

/// A client with every field given.
pub(super) fn full(external_id: &str) -> Value {
    json!({
        "external_id": external_id,
        "first_name": "Ada",
        "last_name": "Reyes",
        "address_line1": "12 Elm Street",
        "address_line2": "Apt 4",
        "city": "Springfield",
        "state": "IL",
        "zip": "62704",
        "email": "ada@example.com",
        "phone": "+12175550123",
        "case_type": "Motor vehicle",
        "opened_on": "2024-02-03",
        "settled_on": "2025-04-05",
        "do_not_mail": false,
    })
}

/// The record's fields of a client, without id and times.
pub(super) fn fields(record: &Value) -> Value {
    let mut fields = record.clone();
    if let Some(object) = fields.as_object_mut() {
        for name in ["id", "created_at", "updated_at"] {
            object.remove(name);
        }
    }
    fields
}

fn a_new_client_is_created_and_a_known_one_updated(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&full("a"))?;
    firm.post_client(&full("a"), "updated")?.expect("/results/0/id", id.as_str())?;
    equal("the saved client", &fields(&firm.show(&id)?), &full("a"))
}

fn results_are_in_the_order_sent(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let batch: Vec<Value> =
        (0..40).rev().map(|number| json!({"external_id": number, "last_name": format!("Name {number}")})).collect();
    let answer = firm.post_clients(&batch)?;
    for (index, client) in batch.iter().enumerate() {
        let id = answer.text(&format!("/results/{index}/id"))?;
        equal(&format!("client {index}"), &firm.show(&id)?["last_name"], &client["last_name"])?;
    }
    Ok(())
}

fn one_clients_error_does_not_stop_the_others(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let answer = firm.post_clients(&[
        json!({"external_id": "1", "last_name": "Ray"}),
        json!({"external_id": "2", "last_name": "Ray", "zip": "123"}),
        json!({"external_id": "3"}),
        json!({"external_id": "4", "last_name": "Ray", "state": "Narnia"}),
        json!({"external_id": "5", "last_name": "Ray"}),
    ])?;
    for (index, status) in ["created", "error", "error", "error", "created"].into_iter().enumerate() {
        answer.expect(&format!("/results/{index}/status"), status)?;
    }
    answer.expect_words("/results/1/message", &["zip"])?.expect_words("/results/3/message", &["state"])?;
    Ok(())
}

fn an_item_sees_what_items_before_it_did(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let person = json!({"first_name": "Ada", "last_name": "Reyes", "address_line1": "12 Elm St", "zip": "62704"});
    let mut moved = person.clone();
    moved["external_id"] = json!("taken");
    let answer = firm.post_clients(&[
        person.clone(),
        person,
        moved,
        json!({"external_id": "taken", "city": "Springfield"}),
        json!({"external_id": "other", "first_name": "Ada", "last_name": "Reyes", "address_line1": "12 Elm St", "zip": "62704"}),
    ])?;
    for (index, status) in ["created", "updated", "updated", "updated", "conflict"].into_iter().enumerate() {
        answer.expect(&format!("/results/{index}/status"), status)?;
    }
    let id = answer.text("/results/0/id")?;
    for index in 1..4 {
        answer.expect(&format!("/results/{index}/id"), id.as_str())?;
    }
    let record = firm.show(&id)?;
    equal("the client", &(&record["external_id"], &record["city"]), &(&json!("taken"), &json!("Springfield")))
}

fn a_new_client_needs_a_first_or_a_last_name(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.create(&json!({"first_name": "Ada"}))?;
    firm.create(&json!({"last_name": "Reyes"}))?;
    for nameless in [
        json!({}),
        json!({"external_id": "n"}),
        json!({"first_name": " ", "last_name": "", "email": "a@example.com"}),
        json!({"address_line1": "1 Elm St", "zip": "62704"}),
    ] {
        firm.post_client(&nameless, "error")?.expect_words("/results/0/message", &["first_name", "last_name"])?;
    }
    Ok(())
}

fn every_error_of_a_client_is_in_one_message_in_order(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let wrong = json!({
        "do_not_mail": "perhaps",
        "external_id": 1.5,
        "settled_on": "soon",
        "opened_on": "13/45/2024",
        "case_type": 5,
        "phone": "12",
        "email": "nobody",
        "zip": "1",
        "state": "Narnia",
        "city": true,
        "address_line2": [],
        "address_line1": {},
        "last_name": "x".repeat(201),
        "first_name": 7,
    });
    let answer = firm.post_client(&wrong, "error")?;
    let message = answer.text("/results/0/message")?;
    let order = [
        "first_name",
        "last_name",
        "address_line1",
        "address_line2",
        "city",
        "state",
        "zip",
        "email",
        "phone",
        "case_type",
        "opened_on",
        "settled_on",
        "external_id",
        "do_not_mail",
    ];
    let places: Vec<Option<usize>> = order.iter().map(|name| message.find(name)).collect();
    if places.iter().any(Option::is_none) || !places.is_sorted() {
        return Err(answer.failure(format!("a message that names, in this order, {}", order.join(", "))));
    }
    Ok(())
}

fn an_error_never_repeats_the_value(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let wrong = json!({
        "last_name": "Ray", "state": "Qwertyland", "zip": "9182", "email": "qwerty.example", "phone": "918273",
        "opened_on": "qwerty 9", "do_not_mail": "qwerty", "external_id": "q".repeat(201),
    });
    let mut wrong = wrong;
    wrong["zip"] = json!("918273645564");
    let answer = firm.post_client(&wrong, "error")?;
    let message = answer.text("/results/0/message")?.to_lowercase();
    for piece in ["qwerty", "918273", "qqq"] {
        if message.contains(piece) {
            return Err(answer.failure("a message without the value that was sent"));
        }
    }
    Ok(())
}

/// A different value for each field but the id.
const REPLACEMENTS: [(&str, &str); 12] = [
    ("first_name", "Adela"),
    ("last_name", "Reyes-Moore"),
    ("address_line1", "99 Oak Avenue"),
    ("address_line2", "Unit 9"),
    ("city", "Peoria"),
    ("state", "WI"),
    ("zip", "53703"),
    ("email", "adela@example.com"),
    ("phone", "+12175550199"),
    ("case_type", "Slip and fall"),
    ("opened_on", "2024-02-04"),
    ("settled_on", "2025-04-06"),
];

fn given_values_replace(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&full("a"))?;
    let mut expected = full("a");
    for (name, value) in REPLACEMENTS {
        firm.post_client(&json!({"external_id": "a", name: value}), "updated")?.expect("/results/0/id", id.as_str())?;
        expected[name] = json!(value);
        equal(&format!("the client after {name} was sent alone"), &fields(&firm.show(&id)?), &expected)?;
    }
    Ok(())
}

fn blank_and_missing_values_never_erase(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&full("a"))?;
    for blank in [json!(null), json!(""), json!("   "), json!("\u{a0}\u{200b}\u{feff}\t\n")] {
        let mut client = json!({"external_id": "a"});
        for (name, _) in REPLACEMENTS {
            client[name] = blank.clone();
        }
        client["do_not_mail"] = blank;
        firm.post_client(&client, "updated")?;
        equal("the client after blank values", &fields(&firm.show(&id)?), &full("a"))?;
    }
    firm.post_client(&json!({"external_id": "a"}), "updated")?;
    equal("the client after missing values", &fields(&firm.show(&id)?), &full("a"))?;
    // A blank external_id is none: the client is found by its name, street and ZIP, and keeps its id.
    let mut client = full("");
    client["case_type"] = json!("Other");
    firm.post_client(&client, "updated")?.expect("/results/0/id", id.as_str())?;
    equal("the id after a blank one", &firm.show(&id)?["external_id"], &json!("a"))
}

fn do_not_mail_goes_on_and_never_off(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&json!({"external_id": "a", "last_name": "Ray"}))?;
    equal("do_not_mail at first", &firm.show(&id)?["do_not_mail"], &json!(false))?;
    firm.post_client(&json!({"external_id": "a", "do_not_mail": "yes"}), "updated")?;
    for off in [json!(false), json!("no"), json!("false"), json!("0"), json!("off"), json!(null), json!("")] {
        firm.post_client(&json!({"external_id": "a", "do_not_mail": off}), "updated")?;
        equal("do_not_mail, once on", &firm.show(&id)?["do_not_mail"], &json!(true))?;
    }
    for number in [json!(0), json!(1), json!("maybe"), json!([])] {
        firm.post_client(&json!({"external_id": "a", "do_not_mail": number}), "error")?
            .expect_words("/results/0/message", &["do_not_mail"])?;
    }
    Ok(())
}

fn an_unchanged_client_is_updated_and_its_time_stands_still(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&full("a"))?;
    let before = firm.show(&id)?;
    for client in [
        full("a"),
        json!({"external_id": "a"}),
        json!({"external_id": "a", "state": "Illinois", "phone": "(217) 555-0123", "settled_on": "Apr 5, 2025"}),
        json!({"external_id": "a", "do_not_mail": "no"}),
    ] {
        firm.post_client(&client, "updated")?.expect("/results/0/id", id.as_str())?;
        equal("a client that nothing changed for", &firm.show(&id)?, &before)?;
    }
    firm.settle(&json!({"external_id": "a", "settled_on": "2025-04-05"}))?.ok()?.expect("/result/status", "updated")?;
    equal("a client settled again on the same date", &firm.show(&id)?, &before)?;
    let feed = firm.settlements()?;
    equal(
        "its settlements",
        &feed.iter().map(|row| &row["changed_at"]).collect::<Vec<_>>(),
        &vec![&before["updated_at"]],
    )
}

fn a_changed_client_moves_updated_at_and_keeps_created_at(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&full("a"))?;
    let mut before = firm.show(&id)?;
    equal("a new client's times", &before["created_at"], &before["updated_at"])?;
    for city in ["Peoria", "Joliet", "Aurora"] {
        firm.post_client(&json!({"external_id": "a", "city": city}), "updated")?;
        let after = firm.show(&id)?;
        equal("created_at after a change", &after["created_at"], &before["created_at"])?;
        let later = after["updated_at"].as_str() > before["updated_at"].as_str();
        if !later {
            return Err(Failure::new("a change of the city", "a later updated_at", format!("{before} then {after}")));
        }
        before = after;
    }
    Ok(())
}

fn a_record_read_back_and_posted_changes_nothing(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let keyed = json!({"first_name": "Bo", "last_name": "Li", "address_line1": "5 Oak Ave", "zip": "02139-1234"});
    for (client, status) in [
        (full("a"), "updated"),
        (json!({"external_id": "name only", "last_name": "Ray", "do_not_mail": true}), "updated"),
        (keyed, "updated"),
        (json!({"first_name": "Cher"}), "conflict"),
    ] {
        let id = firm.create(&client)?;
        let record = firm.show(&id)?;
        firm.post_client(&record, status)?;
        equal("the record posted back", &firm.show(&id)?, &record)?;
    }
    Ok(())
}

fn an_error_in_a_batch_saves_nothing_of_its_client(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&full("a"))?;
    let before = firm.show(&id)?;
    firm.post_client(&json!({"external_id": "a", "city": "Peoria", "zip": "1"}), "error")?;
    equal("a client after an error", &firm.show(&id)?, &before)
}

fn the_same_external_id_in_two_accounts_is_two_clients(service: &dyn Service) -> CaseResult {
    let (one, other) = (Firm::open(service)?, Firm::open(service)?);
    let first = one.create(&full("a"))?;
    let second = other.create(&full("a"))?;
    other.post_client(&json!({"external_id": "a", "city": "Peoria"}), "updated")?;
    equal("the first account's client", &one.show(&first)?["city"], &json!("Springfield"))?;
    equal("the second account's client", &other.show(&second)?["city"], &json!("Peoria"))?;
    let path = one.path(&format!("/clients/{second}"));
    one.operator().call("GET", &path)?.expect_error(404, "not_found")?;
    Ok(())
}
