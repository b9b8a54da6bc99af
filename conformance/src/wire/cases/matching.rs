//! Whether an incoming client matches a stored one, on both endpoints (group M of the specification).

use serde_json::{Value, json};

use crate::wire::{CaseResult, Failure, Firm, Service, failure::equal, firm::keeps_result_shape};

cases! { "matching":
    "M1, M26" => a_known_external_id_is_that_client,
    "M27" => a_match_without_an_id_takes_the_incoming_one,
    "M27" => of_two_matches_the_one_without_an_id_takes_it,
    "M27" => a_match_with_another_id_is_a_conflict,
    "M28" => without_an_id_exactly_one_match_is_that_client,
    "M28" => without_an_id_several_matches_are_a_conflict,
    "M29" => a_name_without_place_that_nothing_tells_apart_is_a_conflict,
    "M29, M30" => a_name_without_place_that_something_tells_apart_is_created,
    "M30" => a_new_name_is_created,
    "M4, M30" => a_full_key_does_not_meet_an_incomplete_record,
    "M30, T7, T9" => nobody_to_settle_is_404_with_an_id_and_400_without,
    "T7, T8" => settling_needs_a_date_and_an_identification,
    "M3, M7, M8, M9, M10, M12, M16, M19, M22, M24, M35" => fields_equal_after_folding_match_one_client,
    "M2, M9, M11, M13, M19, M22, M24, M35" => fields_different_after_folding_are_two_clients,
    "M4, U4" => matching_follows_a_client_that_moved,
}

/// A person with name, street and ZIP, all optional parts given as one JSON object.
pub(super) fn person(more: &Value) -> Value {
    let mut person = json!({"first_name": "Ada", "last_name": "Reyes", "address_line1": "12 Elm St", "zip": "62704"});
    if let (Some(person), Some(more)) = (person.as_object_mut(), more.as_object()) {
        person.extend(more.clone());
    }
    person
}

/// Posts to both endpoints in turn, to two firms in the same state, and holds both to one status.
pub(super) fn both(
    service: &dyn Service,
    known: &[Value],
    incoming: &Value,
    status: &str,
) -> Result<Vec<Option<usize>>, Failure> {
    let mut met = Vec::new();
    for settling in [false, true] {
        let firm = Firm::open(service)?;
        let ids = known.iter().map(|client| firm.create(client)).collect::<Result<Vec<_>, _>>()?;
        let (answer, result) = if settling {
            let mut body = incoming.clone();
            body["settled_on"] = json!("2025-06-07");
            let answer = firm.settle(&body)?;
            if status == "conflict" {
                answer.expect_error(409, "conflict")?;
            } else {
                answer.expect_status(200)?;
            }
            let result = answer.at("/result").clone();
            keeps_result_shape(&answer, &result, 0)?;
            (answer, result)
        } else {
            let answer = firm.post_clients(std::slice::from_ref(incoming))?;
            let result = answer.at("/results/0").clone();
            (answer, result)
        };
        if result["status"] != json!(status) {
            return Err(answer.failure(format!("status {status}")));
        }
        met.push(ids.iter().position(|id| result["id"] == json!(id)));
    }
    Ok(met)
}

fn a_known_external_id_is_that_client(service: &dyn Service) -> CaseResult {
    let known = [person(&json!({"external_id": "a"})), json!({"external_id": "b", "last_name": "Other"})];
    // The id decides, whatever the name and place say.
    let incoming = person(&json!({"external_id": "b"}));
    equal("an external_id that a client has", &both(service, &known, &incoming, "updated")?, &vec![Some(1); 2])?;
    let incoming = json!({"external_id": " a "});
    equal("an external_id alone, with spaces", &both(service, &known, &incoming, "updated")?, &vec![Some(0); 2])?;
    let incoming = json!({"external_id": "A", "last_name": "Else"});
    equal("an external_id in another case", &both(service, &known, &incoming, "created")?, &vec![None; 2])?;
    let numbers = [json!({"external_id": 17, "last_name": "Other"})];
    let incoming = json!({"external_id": "17"});
    equal("17 and \"17\"", &both(service, &numbers, &incoming, "updated")?, &vec![Some(0); 2])
}

fn a_match_without_an_id_takes_the_incoming_one(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&person(&json!({})))?;
    firm.post_client(&person(&json!({"external_id": "new"})), "updated")?.expect("/results/0/id", id.as_str())?;
    equal("the id it took", &firm.show(&id)?["external_id"], &json!("new"))?;
    let incoming = person(&json!({"external_id": "new"}));
    equal("on both endpoints", &both(service, &[person(&json!({}))], &incoming, "updated")?, &vec![Some(0); 2])
}

/// Two clients of one name at one place, which no request creates side by side: the second, who has
/// the id `mover`, moves in with the first, who has none.
pub(super) fn neighbours(firm: &Firm<'_>) -> Result<[String; 2], Failure> {
    let resident = firm.create(&person(&json!({})))?;
    let mover = firm.create(&person(&json!({"external_id": "mover", "address_line1": "1 First St"})))?;
    firm.post_client(&person(&json!({"external_id": "mover"})), "updated")?;
    Ok([resident, mover])
}

fn of_two_matches_the_one_without_an_id_takes_it(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let [resident, mover] = neighbours(&firm)?;
    firm.post_client(&person(&json!({"external_id": "new"})), "updated")?.expect("/results/0/id", resident.as_str())?;
    firm.post_client(&json!({"external_id": "mover"}), "updated")?.expect("/results/0/id", mover.as_str())?;
    // Now both have ids, and a third one is a conflict.
    firm.post_client(&person(&json!({"external_id": "third"})), "conflict")?;
    Ok(())
}

fn a_match_with_another_id_is_a_conflict(service: &dyn Service) -> CaseResult {
    let known = [person(&json!({"external_id": "a"}))];
    let incoming = person(&json!({"external_id": "b"}));
    equal("a match with another id", &both(service, &known, &incoming, "conflict")?, &vec![None; 2])
}

fn without_an_id_exactly_one_match_is_that_client(service: &dyn Service) -> CaseResult {
    for known in [person(&json!({})), person(&json!({"external_id": "a"}))] {
        let decoy = json!({"first_name": "Ada", "last_name": "Reyes", "address_line1": "13 Elm St", "zip": "62704"});
        let met = both(service, &[decoy, known], &person(&json!({})), "updated")?;
        equal("one match, no id sent", &met, &vec![Some(1); 2])?;
    }
    Ok(())
}

fn without_an_id_several_matches_are_a_conflict(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    neighbours(&firm)?;
    let answer = firm.post_client(&person(&json!({})), "conflict")?;
    answer.expect_absent("/results/0/id")?;
    firm.settle(&person(&json!({"settled_on": "2025-01-01"})))?.expect_error(409, "conflict")?;
    Ok(())
}

fn a_name_without_place_that_nothing_tells_apart_is_a_conflict(service: &dyn Service) -> CaseResult {
    let name = json!({"first_name": "Ada", "last_name": "Reyes"});
    let with = |more: Value| {
        let mut client = name.clone();
        if let (Some(client), Some(more)) = (client.as_object_mut(), more.as_object()) {
            client.extend(more.clone());
        }
        client
    };
    let rows = [
        (name.clone(), name.clone()),
        (name.clone(), person(&json!({}))),
        (with(json!({"address_line1": "12 Elm Street"})), person(&json!({}))),
        (with(json!({"zip": "62704-1234"})), person(&json!({}))),
        (with(json!({"zip": "62704"})), with(json!({"address_line1": "12 Elm St"}))),
        (with(json!({"address_line1": "12 Elm St"})), name.clone()),
        (with(json!({"external_id": "a"})), name.clone()),
        (with(json!({"external_id": "a"})), person(&json!({}))),
        (name.clone(), with(json!({"external_id": "a"}))),
    ];
    for (incoming, known) in rows {
        let firm = Firm::open(service)?;
        firm.create(&known)?;
        firm.post_client(&incoming, "conflict")?;
        if incoming["external_id"].is_string() {
            let mut body = incoming.clone();
            body["settled_on"] = json!("2025-01-01");
            firm.settle(&body)?.expect_error(409, "conflict")?.expect("/result/status", "conflict")?;
        }
    }
    Ok(())
}

fn a_name_without_place_that_something_tells_apart_is_created(service: &dyn Service) -> CaseResult {
    let with = |more: Value| {
        let mut client = json!({"first_name": "Ada", "last_name": "Reyes"});
        if let (Some(client), Some(more)) = (client.as_object_mut(), more.as_object()) {
            client.extend(more.clone());
        }
        client
    };
    let rows = [
        (with(json!({"external_id": "b"})), with(json!({"external_id": "a"}))),
        (with(json!({"external_id": "b"})), person(&json!({"external_id": "a"}))),
        (with(json!({"address_line1": "13 Elm St"})), person(&json!({}))),
        (with(json!({"zip": "62705"})), person(&json!({}))),
        (with(json!({"zip": "62705"})), with(json!({"zip": "62704"}))),
        (json!({"first_name": "Ada"}), person(&json!({}))),
        (json!({"last_name": "Reyes"}), json!({"first_name": "Reyes"})),
    ];
    for (incoming, known) in rows {
        let firm = Firm::open(service)?;
        firm.create(&known)?;
        firm.post_client(&incoming, "created")?;
    }
    Ok(())
}

fn a_new_name_is_created(service: &dyn Service) -> CaseResult {
    let known = [person(&json!({"external_id": "a"}))];
    for incoming in [
        person(&json!({"external_id": "b", "last_name": "Stone"})),
        person(&json!({"last_name": "Stone"})),
        json!({"external_id": "b", "last_name": "Stone"}),
    ] {
        equal("a name that nobody has", &both(service, &known, &incoming, "created")?, &vec![None; 2])?;
    }
    Ok(())
}

fn a_full_key_does_not_meet_an_incomplete_record(service: &dyn Service) -> CaseResult {
    let known = [
        json!({"first_name": "Ada", "last_name": "Reyes"}),
        json!({"external_id": "a", "first_name": "Ada", "last_name": "Reyes", "zip": "62704"}),
    ];
    for known in known {
        let met = both(service, &[known], &person(&json!({})), "created")?;
        equal("a full key beside a record without a place", &met, &vec![None; 2])?;
    }
    Ok(())
}

fn nobody_to_settle_is_404_with_an_id_and_400_without(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.settle(&json!({"external_id": "nobody", "settled_on": "2025-01-01"}))?
        .expect_error(404, "not_found")?
        .expect_words("/error/message", &["first_name", "last_name"])?;
    firm.settle(
        &json!({"external_id": "nobody", "settled_on": "2025-01-01", "address_line1": "1 Elm St", "zip": "62704"}),
    )?
    .expect_error(404, "not_found")?;
    firm.settle(&json!({"settled_on": "2025-01-01", "address_line1": "1 Elm St", "zip": "62704"}))?
        .expect_error(400, "invalid_request")?;
    let answer =
        firm.settle(&json!({"external_id": "nobody", "settled_on": "2025-01-01", "last_name": "Ray"}))?.ok()?;
    answer.expect("/result/status", "created")?;
    Ok(())
}

fn settling_needs_a_date_and_an_identification(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let rows: [(Value, &[&str]); 9] = [
        (json!({}), &["settled_on"]),
        (json!({"external_id": "a"}), &["settled_on"]),
        (json!({"external_id": "a", "settled_on": ""}), &["settled_on"]),
        (json!({"external_id": "a", "settled_on": "soon"}), &["settled_on"]),
        (json!({"settled_on": "2025-01-01"}), &["external_id"]),
        (json!({"settled_on": "2025-01-01", "last_name": "Ray"}), &["address_line1", "zip"]),
        (json!({"settled_on": "2025-01-01", "last_name": "Ray", "zip": "62704"}), &["address_line1"]),
        (json!({"settled_on": "2025-01-01", "last_name": "Ray", "address_line1": "1 Elm St"}), &["zip"]),
        (json!({"settled_on": "2025-01-01", "address_line1": "1 Elm St", "zip": "62704"}), &["name"]),
    ];
    for (body, words) in rows {
        firm.settle(&body)?.expect_refusal(words)?;
    }
    let many = json!({"external_id": "a", "settled_on": "soon", "zip": "1", "phone": "2"});
    let answer = firm.settle(&many)?;
    answer.expect_refusal(&["zip", "phone", "settled_on"])?;
    Ok(())
}

/// A second post of a person written otherwise, held to a status.
fn second(service: &dyn Service, rows: &[(Value, Value)], status: &str) -> CaseResult {
    let firm = Firm::open(service)?;
    for (number, (one, other)) in rows.iter().enumerate() {
        // Each pair lives at a ZIP of its own, so pairs do not meet.
        let zip = format!("{:05}", 10_000 + number);
        let at = |more: &Value| {
            let mut client = person(&json!({ "zip": zip }));
            if let (Some(client), Some(more)) = (client.as_object_mut(), more.as_object()) {
                client.extend(more.clone());
            }
            client
        };
        let answer = firm.post_clients(&[at(one), at(other)])?;
        answer.expect("/results/0/status", "created")?;
        if answer.at("/results/1/status") != &json!(status) {
            let came = answer.at("/results/1").to_string();
            return Err(Failure::new(format!("{one} and then {other}"), format!("status {status}"), came));
        }
    }
    Ok(())
}

fn fields_equal_after_folding_match_one_client(service: &dyn Service) -> CaseResult {
    let street = |text: &str| json!({"address_line1": text});
    let last = |text: &str| json!({"last_name": text});
    second(
        service,
        &[
            (last("Reyes"), last("REYES")),
            (last("O'Brien"), last("OBrien")),
            (last("O’Brien"), last("O´Brien")),
            (last("Muñoz"), last("Munoz")),
            (last("Reyes-Moore"), last("Reyes  Moore")),
            (last("Reyes, Jr."), last("REYES JR")),
            (last("Straße"), last("STRASSE")),
            (json!({"first_name": "J.R."}), json!({"first_name": "JR"})),
            (street("12 Elm Street"), street("12 ELM ST.")),
            (street("12 North Elm Avenue"), street("12 N Elm Ave")),
            (street("12 Elm St Apartment 4"), street("12 Elm St Apt 4")),
            (street("P.O. Box 12"), street("PO BOX 12")),
            (street("343 Park Avenue Unit 2 East"), street("343 Park Ave Unit 2 East")),
            (street("343 Park Avenue, Lower Level"), street("343 Park Ave Lower Level")),
            (street("343 Park Avenue Apt 4, Chicago"), street("343 Park Ave Apt 4, Chicago")),
            (street("343 Park Avenue PMB #5"), street("343 Park Ave PMB 5")),
            (street("4567 Highway 64"), street("4567 Hwy 64")),
            (street("4567 Route 88"), street("4567 Rt 88")),
            (street("4567 County Road 33"), street("4567 CR 33")),
            (street("4567 I-10"), street("4567 Interstate 10")),
            (street("4567 Farm to Market 1200"), street("4567 FM 1200")),
        ],
        "updated",
    )?;
    let firm = Firm::open(service)?;
    firm.create(&person(&json!({"zip": "62704"})))?;
    firm.post_client(&person(&json!({"zip": "62704-1234"})), "updated")?;
    Ok(())
}

fn fields_different_after_folding_are_two_clients(service: &dyn Service) -> CaseResult {
    let street = |text: &str| json!({"address_line1": text});
    let last = |text: &str| json!({"last_name": text});
    let first = |text: &str| json!({"first_name": text});
    second(
        service,
        &[
            (last("Reyes Jr"), last("Reyes")),
            (last("Reyes Jr"), last("Reyes Sr")),
            (last("Reyes II"), last("Reyes III")),
            (first("Ada"), first("Ada M")),
            (first("Mr Ada"), first("Mrs Ada")),
            (first("राम"), first("रमा")),
            (json!({"first_name": "Reyes", "last_name": "Ada"}), json!({})),
            (street("123 E St"), street("123 East St")),
            (street("12-14 Elm St"), street("1214 Elm St")),
            (street("12 Elm St"), street("12 Elm Ave")),
            (street("12 N Elm St"), street("12 S Elm St")),
            (street("12 Elm St Apt 4"), street("12 Elm St Apt 5")),
            (street("123 E St Lower Level"), street("123 East St Lower Level")),
            (street("12 Elm St PMB 4"), street("12 Elm St PMB 5")),
            (street("4567 SR 220"), street("4567 State Route 220")),
            (street("4567 Highway 64"), street("4567 Route 64")),
        ],
        "created",
    )
}

fn matching_follows_a_client_that_moved(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&person(&json!({"external_id": "a"})))?;
    firm.post_client(&json!({"external_id": "a", "address_line1": "7 Oak Ave", "zip": "53703"}), "updated")?;
    let moved = person(&json!({"address_line1": "7 Oak Avenue", "zip": 53703}));
    firm.post_client(&moved, "updated")?.expect("/results/0/id", id.as_str())?;
    firm.post_client(&person(&json!({})), "created")?;
    Ok(())
}
