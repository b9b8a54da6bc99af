//! What a conflict answers: who is in the way, how many they are, and what it keeps from being saved.

use serde_json::{Value, json};

use super::matching::person;
use crate::wire::{CaseResult, Firm, Service, failure::equal};

cases! { "conflicts":
    "U18" => what_keeps_do_not_mail_from_being_turned_on_says_so,
    "M33" => a_conflict_with_several_names_each_of_them,
    "M33, M36" => twenty_thousand_equal_people_are_a_conflict,
    "M33, T10, U6" => a_conflict_saves_nothing_and_says_who_stood_in_the_way,
}

fn what_keeps_do_not_mail_from_being_turned_on_says_so(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&person(&json!({"external_id": "a"})))?;
    let lost = ["do_not_mail was not turned on."];
    for (client, status) in [
        (json!({"external_id": "a", "do_not_mail": true, "zip": "021"}), "error"),
        (json!({"external_id": "a", "do_not_mail": "yes", "settled_on": "soon", "new_settlement": 7}), "error"),
        (json!({"external_id": "b", "do_not_mail": true}), "error"),
        (json!({"do_not_mail": true, "city": "Reno"}), "error"),
        (json!({"first_name": "Ada", "last_name": "Reyes", "do_not_mail": true}), "conflict"),
        (person(&json!({"external_id": "b", "do_not_mail": true})), "conflict"),
    ] {
        let answer = firm.post_client(&client, status)?;
        answer.expect_words("/results/0/message", &lost)?;
        let mut without = client.clone();
        without["do_not_mail"] = json!(false);
        let answer = firm.post_client(&without, status)?;
        if answer.text("/results/0/message")?.contains("do_not_mail") {
            return Err(answer.failure("no word of do_not_mail, which was not sent"));
        }
    }
    let sent = json!({"external_id": "a", "do_not_mail": true, "settled_on": "soon"});
    firm.settle(&sent)?.expect_refusal(&lost)?;
    firm.settle(&json!({"external_id": "a", "do_not_mail": true}))?.expect_refusal(&lost)?;
    let unknown = json!({"external_id": "b", "do_not_mail": true, "settled_on": "2025-01-01"});
    firm.settle(&unknown)?.expect_error(404, "not_found")?.expect_words("/error/message", &lost)?;
    let other = person(&unknown);
    firm.settle(&other)?.expect_error(409, "conflict")?.expect_words("/error/message", &lost)?;
    equal("do_not_mail", &firm.show(&id)?["do_not_mail"], &json!(false))
}

fn a_conflict_with_several_names_each_of_them(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.create(&person(&json!({"address_line1": "1 Fir St"})))?;
    for id in ["case-1", "case-2"] {
        firm.create(&person(&json!({"external_id": id, "address_line1": format!("{id} Oak St")})))?;
    }
    let name = json!({"first_name": "Ada", "last_name": "Reyes"});
    let words = ["3 clients", "\"case-1\"", "\"case-2\"", "1 with no external_id", "address_line1 and zip"];
    firm.post_client(&name, "conflict")?.expect_words("/results/0/message", &words)?;
    for id in ["case-3", "case-4"] {
        firm.create(&person(&json!({"external_id": id, "address_line1": format!("{id} Oak St")})))?;
    }
    let answer = firm.post_client(&name, "conflict")?;
    answer.expect_words("/results/0/message", &["5 clients", "\"case-1\"", "\"case-3\"", "1 more"])?;
    let moved = ["case-1", "case-2"].map(|id| person(&json!({"external_id": id})));
    firm.post_clients(&moved)?.expect("/results/1/status", "updated")?;
    let third = person(&json!({"external_id": "case-9"}));
    firm.post_client(&third, "conflict")?
        .expect_words("/results/0/message", &["2 clients", "\"case-1\"", "\"case-2\""])?;
    firm.settle(&person(&json!({"settled_on": "2025-01-01"})))?
        .expect_error(409, "conflict")?
        .expect_words("/error/message", &["2 clients", "\"case-1\"", "\"case-2\""])?;
    Ok(())
}

/// A firm overwrites names and addresses of all its clients with one word, and goes on posting.
fn twenty_thousand_equal_people_are_a_conflict(service: &dyn Service) -> CaseResult {
    const PEOPLE: usize = 20_000;
    let firm = Firm::open(service)?;
    let redacted = json!({"last_name": "Redacted", "address_line1": "Redacted", "zip": "00000"});
    let with_id = |number: usize| {
        let mut client = redacted.clone();
        client["external_id"] = json!(format!("R-{number}"));
        client
    };
    for first in (0..PEOPLE).step_by(250) {
        let both = |number| [json!({"external_id": format!("R-{number}"), "last_name": "N"}), with_id(number)];
        let clients: Vec<Value> = (first..first + 250).flat_map(both).collect();
        let answer = firm.post_clients(&clients)?;
        answer.expect("/results/0/status", "created")?.expect("/results/499/status", "updated")?;
    }
    let more_than_20 = ["More than 20 clients", "\"R-0\", \"R-1\", \"R-2\" and more"];
    for client in [redacted.clone(), with_id(PEOPLE)] {
        firm.post_client(&client, "conflict")?.expect_words("/results/0/message", &more_than_20)?;
    }
    let name = json!({"last_name": "Redacted"});
    firm.post_client(&name, "conflict")?.expect_words("/results/0/message", &["More than 20 clients"])?;
    let mut settled = redacted.clone();
    settled["settled_on"] = json!("2025-01-01");
    firm.settle(&settled)?.expect_error(409, "conflict")?.expect_words("/result/message", &more_than_20)?;
    // Of a batch, the others are saved.
    let mut clients = vec![redacted.clone(); 499];
    clients.push(json!({"external_id": "new", "last_name": "Else"}));
    let answer = firm.post_clients(&clients)?;
    answer.expect("/results/0/status", "conflict")?.expect("/results/499/status", "created")?;
    firm.post_client(&with_id(PEOPLE - 1), "updated")?;
    Ok(())
}

fn a_conflict_saves_nothing_and_says_who_stood_in_the_way(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&person(&json!({"external_id": "case-4711"})))?;
    let before = firm.show(&id)?;
    let other = person(&json!({"external_id": "case-9", "city": "Peoria", "settled_on": "2025-01-01"}));
    firm.post_client(&other, "conflict")?.expect_words("/results/0/message", &["case-4711"])?;
    let answer = firm.settle(&other)?;
    answer.expect_error(409, "conflict")?.expect("/result/index", 0)?.expect("/result/status", "conflict")?;
    answer.expect_words("/result/message", &["case-4711"])?;
    equal("the client that stood in the way", &firm.show(&id)?, &before)?;
    equal("settlements", &firm.settlements()?, &Vec::new())?;
    // The id that was refused is still free.
    firm.post_client(&json!({"external_id": "case-9"}), "error")?;
    Ok(())
}
