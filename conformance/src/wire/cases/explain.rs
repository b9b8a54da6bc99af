//! `explain=true` on both POSTs: why each result is what it is (docs/decisions/0014).

use serde_json::{Value, json};

use crate::wire::{Answer, CaseResult, Failure, Firm, Service, failure::equal};

cases! { "explain":
    "X5" => every_result_has_the_explanations_members,
    "X1, X5" => nobody_who_does_not_ask_is_told,
    "X6" => it_says_by_what_a_client_was_found,
    "X7" => it_says_what_changed,
    "T2, T4, X7" => a_settled_date_that_begins_nothing_is_no_change,
    "X8" => it_says_what_was_repaired,
    "X8" => an_error_has_the_repairs_of_what_can_be_read,
    "X9" => a_conflict_names_who_is_in_the_way_the_oldest_first,
    "X9" => a_conflict_names_at_most_20,
    "X10" => it_says_that_line_2_differs,
    "T10, X5" => a_settled_case_is_explained_in_a_conflict_too,
    "X3, X9" => a_dry_run_explains_and_names_only_who_exists,
    "X5" => the_work_is_the_same,
}

pub(super) const EXPLAINED: &str = "/clients?explain=true";
pub(super) const TRIED: &str = "/clients?explain=true&dry_run=true";
pub(super) const SETTLED: &str = "/cases/settled?explain=true";

pub(super) fn ray(id: &str) -> Value {
    json!({"external_id": id, "first_name": "Ada", "last_name": "Ray", "address_line1": "1 Elm St", "zip": "02139"})
}

/// Posts clients, and holds each result to the shape of an explained one.
pub(super) fn explained(firm: &Firm<'_>, path: &str, clients: &Value) -> Result<Answer, Failure> {
    let answer = firm.post(path, &json!({ "clients": clients }))?.ok()?;
    for (index, result) in answer.array("/results")?.iter().enumerate() {
        keeps_shape(&answer, result, &format!("result {index}"), path.contains("dry_run"))?;
    }
    Ok(answer)
}

fn keeps_shape(answer: &Answer, result: &Value, which: &str, dry_run: bool) -> CaseResult {
    let mut members: Vec<&str> =
        result.as_object().map(|object| object.keys().map(String::as_str).collect()).unwrap_or_default();
    members.sort_unstable();
    let expected = match result["status"].as_str() {
        Some("created" | "updated") if dry_run && result.get("id").is_none() => {
            vec!["changed", "index", "matched_by", "repaired", "status"]
        }
        Some("created" | "updated") => vec!["changed", "id", "index", "matched_by", "repaired", "status"],
        Some("conflict") => vec!["candidates", "changed", "index", "matched_by", "message", "repaired", "status"],
        _ => vec!["changed", "index", "matched_by", "message", "repaired", "status"],
    };
    members.retain(|member| !["ignored", "problems"].contains(member));
    if members == expected && result["changed"].is_array() && result["repaired"].is_object() {
        return Ok(());
    }
    Err(answer.failure(format!("{which} with the members {expected:?}")))
}

/// Posts one client and hands back its result.
pub(super) fn result_of(firm: &Firm<'_>, client: &Value) -> Result<Value, Failure> {
    Ok(explained(firm, EXPLAINED, &json!([client]))?.at("/results/0").clone())
}

fn every_result_has_the_explanations_members(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let clients = json!([ray("a"), ray("a"), ray("b"), {"zip": "1"}, 7, {"external_id": "c"}, {}]);
    for path in [TRIED, EXPLAINED] {
        let statuses: Vec<Value> = explained(&firm, path, &clients)?
            .array("/results")?
            .iter()
            .map(|result| result["status"].clone())
            .collect();
        let expected = ["created", "updated", "conflict", "error", "error", "error", "error"].map(Value::from);
        equal(&format!("{path}: the statuses"), &statuses, &expected.to_vec())?;
    }
    Ok(())
}

fn nobody_who_does_not_ask_is_told(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.post_clients(&[ray("a"), ray("b"), json!({"zip": 1}), json!({"external_id": "a", "city": " Reno "})])?;
    for member in ["matched_by", "changed", "repaired", "candidates"] {
        let answer = firm.post("/clients?explain=false&dry_run=false", &json!({"clients": [ray("b")]}))?.ok()?;
        answer.expect("/results/0/status", "conflict")?.expect_absent(&format!("/results/0/{member}"))?;
    }
    Ok(())
}

fn it_says_by_what_a_client_was_found(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let place = json!({"first_name": "ADA", "last_name": "ray", "address_line1": "1 Elm Street", "zip": 2139});
    for (client, status, matched_by) in [
        (ray("a"), "created", json!(null)),
        (ray("a"), "updated", json!("external_id")),
        (json!({"external_id": "a", "last_name": "Stone"}), "updated", json!("external_id")),
        (ray("b"), "created", json!(null)),
        (place, "updated", json!("name_address_zip")),
        (ray("c"), "conflict", json!(null)),
        (json!({"first_name": "Ada", "last_name": "Ray"}), "conflict", json!(null)),
        (json!({"external_id": "a", "zip": "1"}), "error", json!(null)),
        (json!({"external_id": "nobody"}), "error", json!(null)),
    ] {
        let result = result_of(&firm, &client)?;
        let found = (&result["status"], &result["matched_by"]);
        equal(&format!("what becomes of {client}, and by what it was found"), &found, &(&json!(status), &matched_by))?;
    }
    Ok(())
}

fn it_says_that_line_2_differs(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let at = |line1: &str, line2: &str| json!({"first_name": "Ada", "last_name": "Ray", "address_line1": line1, "address_line2": line2, "zip": "02139"});
    let with_id = |id: &str, client: Value| {
        let mut client = client;
        client["external_id"] = json!(id);
        client
    };
    let told = |client: &Value| -> Result<Value, Failure> {
        let answer = firm.post(TRIED, &json!({"clients": [client]}))?.ok()?;
        Ok(answer.at("/results/0/note").clone())
    };
    firm.create(&with_id("a", at("1 Elm St", "Apt 4")))?;
    let differs = json!("line 2 differs");
    for (client, note) in [
        (at("1 Elm St", "Apt 5"), &differs),
        (at("1 Elm St", "c/o Ruiz"), &differs),
        (with_id("b", at("1 Elm St", "Apt 5")), &differs),
        (at("1 Elm St", "#4"), &Value::Null),
        (at("1 Elm St", ""), &Value::Null),
        (at("1 Elm St Apt 4", "rear door"), &Value::Null),
        (with_id("a", at("1 Elm St", "Apt 5")), &Value::Null),
        (at("9 Elm St", "Apt 5"), &Value::Null),
    ] {
        equal(&format!("the note about {client}"), &told(&client)?, note)?;
    }
    Ok(())
}

fn it_says_what_changed(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for (client, changed) in [
        (
            json!({"do_not_mail": "no", "external_id": "a", "zip": 2139, "last_name": "Ray", "city": " "}),
            json!(["last_name", "zip", "external_id"]),
        ),
        (json!({"external_id": "a", "zip": "02139", "last_name": " Ray ", "city": ""}), json!([])),
        (
            json!({"external_id": "a", "do_not_mail": "yes", "state": "illinois", "last_name": "RAY", "zip": "02139"}),
            json!(["last_name", "state", "do_not_mail"]),
        ),
        (json!({"external_id": "a", "do_not_mail": true, "state": "IL"}), json!([])),
        (
            json!({
                "external_id": "a", "first_name": "A", "address_line1": "B", "address_line2": "C", "city": "D",
                "email": "e@example.com", "phone": "617-555-0142", "case_type": "F", "opened_on": "1/5/2026",
                "settled_on": "2/5/2026",
            }),
            json!([
                "first_name",
                "address_line1",
                "address_line2",
                "city",
                "email",
                "phone",
                "case_type",
                "opened_on",
                "settled_on",
            ]),
        ),
        (json!({"external_id": "a", "phone": "(617) 555-0142", "opened_on": "Jan 5, 2026"}), json!([])),
        (json!({"external_id": "a", "city": "E", "zip": "1"}), json!([])),
    ] {
        equal(&format!("what {client} changes"), &result_of(&firm, &client)?["changed"], &changed)?;
    }
    // Each client of a batch is compared with what those before it made.
    let clients = json!([{"external_id": "a", "city": "G"}, {"external_id": "a", "city": "G", "state": "MA"}]);
    let answer = explained(&firm, EXPLAINED, &clients)?;
    answer.expect("/results/0/changed", json!(["city"]))?.expect("/results/1/changed", json!(["state"]))?;
    Ok(())
}

fn a_settled_date_that_begins_nothing_is_no_change(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.create(&ray("a"))?;
    let settled = |date: &str| json!({"external_id": "a", "settled_on": date});
    for (date, changed) in [
        ("2025-01-02", json!(["settled_on"])),
        ("2025-01-02", json!([])),
        ("2025-03-04", json!(["settled_on"])),
        // A late retry of the first.
        ("2025-01-02", json!([])),
    ] {
        let answer = firm.post(SETTLED, &settled(date))?.ok()?;
        keeps_shape(&answer, answer.at("/result"), "the result", false)?;
        answer.expect("/result/changed", changed)?.expect("/result/matched_by", "external_id")?;
    }
    Ok(())
}

/// What is sent, and what is kept of it where that is something else.
const REPAIRS: [(&str, &str, Option<&str>); 26] = [
    ("first_name", "\"Ada\"", None),
    ("first_name", "\" Ada\\u200b\"", Some("\"Ada\"")),
    ("last_name", "\"Mu\\u0308ller\"", Some("\"M\u{fc}ller\"")),
    ("address_line1", "\"1  elm st\"", None),
    ("address_line2", "\"\\u00a0Apt \\\"4\\\"\\t\"", Some("\"Apt \\\"4\\\"\"")),
    ("city", "\"  \"", None),
    ("state", "\"IL\"", None),
    ("state", "\"Mass.\"", Some("\"MA\"")),
    ("zip", "62704", None),
    ("zip", "2134", Some("\"02134\"")),
    ("zip", "62704.0", Some("\"62704\"")),
    ("zip", "\"62704 1234\"", Some("\"62704-1234\"")),
    ("email", "\"Ada@example.com\"", None),
    ("email", "\"Ada@EXAMPLE.com\"", Some("\"Ada@example.com\"")),
    ("phone", "\"+16175550142\"", None),
    ("phone", "6175550142", Some("\"+16175550142\"")),
    ("phone", "\"(617) 555-0142 x9\"", Some("\"+16175550142\"")),
    ("case_type", "\"auto \"", Some("\"auto\"")),
    ("opened_on", "\"2026-01-05\"", None),
    ("opened_on", "\"Jan 5, 2026\"", Some("\"2026-01-05\"")),
    ("settled_on", "\"2026-01-05T23:59:59-08:00\"", Some("\"2026-01-05\"")),
    ("external_id", "12345678901234567890123", None),
    ("external_id", "\" A 1 \"", Some("\"A 1\"")),
    ("do_not_mail", "true", None),
    ("do_not_mail", "\"Yes\"", Some("true")),
    ("do_not_mail", "\"off\"", Some("false")),
];

fn it_says_what_was_repaired(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let bodies: Vec<String> = REPAIRS.iter().map(|(field, sent, _)| format!("{{\"{field}\": {sent}}}")).collect();
    let body = format!("{{\"clients\": [{}]}}", bodies.join(", "));
    let answer = firm.send(&firm.request("POST", TRIED).json_text(&body))?.ok()?;
    for (index, (field, sent, kept)) in REPAIRS.iter().enumerate() {
        let value = |token: &str| serde_json::from_str::<Value>(token).unwrap_or_default();
        let expected = match kept {
            Some(kept) => json!({*field: {"from": value(sent), "to": value(kept)}}),
            None => json!({}),
        };
        let found = answer.at(&format!("/results/{index}/repaired"));
        equal(&format!("the repairs of {field} {sent}"), found, &expected)?;
    }
    // Also where the client is saved, and for the one client of a settled case.
    let client = json!({"external_id": " a ", "last_name": "Ray\t", "settled_on": "1/2/2025", "new_settlement": "yes"});
    let repaired = json!({
        "last_name": {"from": "Ray\t", "to": "Ray"},
        "settled_on": {"from": "1/2/2025", "to": "2025-01-02"},
        "external_id": {"from": " a ", "to": "a"},
    });
    equal("the repairs of a saved client", &result_of(&firm, &client)?["repaired"], &repaired)?;
    let settled = firm.post(SETTLED, &client)?.ok()?;
    equal("the repairs of a settled case", settled.at("/result/repaired"), &repaired)
}

fn an_error_has_the_repairs_of_what_can_be_read(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for (client, repaired) in [
        (
            json!({"first_name": " Ada", "zip": "123", "state": "illinois"}),
            json!({"first_name": {"from": " Ada", "to": "Ada"}, "state": {"from": "illinois", "to": "IL"}}),
        ),
        (json!({"external_id": " nobody"}), json!({"external_id": {"from": " nobody", "to": "nobody"}})),
        (json!({"first_name": 7}), json!({})),
        (json!("not a client"), json!({})),
    ] {
        let result = result_of(&firm, &client)?;
        let found = (&result["status"], &result["matched_by"], &result["changed"], &result["repaired"]);
        let expected = (&json!("error"), &json!(null), &json!([]), &repaired);
        equal(&format!("the explanation of {client}"), &found, &expected)?;
    }
    Ok(())
}

fn a_conflict_names_who_is_in_the_way_the_oldest_first(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let first = firm.create(&ray("a"))?;
    // By its id alone at first, so that it may get the same name and address.
    let second = firm.create(&json!({"external_id": "b", "last_name": "Stone"}))?;
    firm.post_client(&ray("b"), "updated")?;
    let elsewhere =
        firm.create(&json!({"first_name": "Ada", "last_name": "Ray", "address_line1": "9 Oak Ave", "zip": "90210"}))?;
    let name = json!({"first_name": "Ada", "last_name": "Ray"});
    let mut place = name.clone();
    place["address_line1"] = json!("1 Elm Street");
    place["zip"] = json!("02139-0001");
    for (client, candidates) in [
        (ray("c"), json!([first, second])),
        (place, json!([first, second])),
        (name.clone(), json!([first, second, elsewhere])),
        (json!({"first_name": "ada", "last_name": "RAY", "zip": "90210"}), json!([elsewhere])),
        (json!({"external_id": "d", "first_name": "Ada", "last_name": "Ray"}), json!([elsewhere])),
    ] {
        let result = result_of(&firm, &client)?;
        let found = (&result["status"], &result["candidates"]);
        equal(&format!("who is in the way of {client}"), &found, &(&json!("conflict"), &candidates))?;
    }
    // A client that the same batch created conflicts too.
    let clients = json!([{"first_name": "Ada", "last_name": "Ray", "address_line1": "3 Ash Ct", "zip": "60601"}, name]);
    let answer = explained(&firm, EXPLAINED, &clients)?;
    let new = answer.text("/results/0/id")?;
    answer.expect("/results/1/candidates", json!([first, second, elsewhere, new]))?;
    Ok(())
}

fn a_conflict_names_at_most_20(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let clients: Vec<Value> =
        (0..25).map(|number| json!({"external_id": number, "first_name": "Ada", "last_name": "Ray"})).collect();
    let created = firm.post_clients(&clients)?;
    let oldest: Vec<Value> = created.array("/results")?.iter().take(20).map(|result| result["id"].clone()).collect();
    let result = result_of(&firm, &json!({"first_name": "Ada", "last_name": "Ray"}))?;
    equal("who of 25 is named", &result["candidates"], &json!(oldest))
}

fn a_settled_case_is_explained_in_a_conflict_too(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&ray("a"))?;
    let mut rival = ray(" b");
    rival["settled_on"] = json!("2025-01-02");
    for path in [SETTLED, "/cases/settled?explain=true&dry_run=true"] {
        let answer = firm.post(path, &rival)?;
        answer.expect_error(409, "conflict")?;
        keeps_shape(&answer, answer.at("/result"), "the result", false)?;
        answer
            .expect("/result/candidates", json!([id]))?
            .expect("/result/matched_by", Value::Null)?
            .expect("/result/changed", json!([]))?
            .expect("/result/repaired", json!({"external_id": {"from": " b", "to": "b"}}))?;
    }
    Ok(())
}

fn a_dry_run_explains_and_names_only_who_exists(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&ray("a"))?;
    let clients = json!([
        {"first_name": "Ada", "last_name": "Ray", "address_line1": "3 Ash Ct", "zip": 60601},
        {"first_name": "Ada", "last_name": "Ray", "address_line1": "3 Ash Court", "zip": "60601", "city": "Chicago"},
        {"first_name": "Ada", "last_name": "Ray"},
        {"first_name": "Ada", "last_name": "Ray", "zip": "60601"},
        {"external_id": "a", "city": "Boston"},
    ]);
    let answer = explained(&firm, TRIED, &clients)?;
    for (index, status, matched_by, changed) in [
        (0, "created", json!(null), json!(["first_name", "last_name", "address_line1", "zip"])),
        (1, "updated", json!("name_address_zip"), json!(["address_line1", "city"])),
        (2, "conflict", json!(null), json!([])),
        (3, "conflict", json!(null), json!([])),
        (4, "updated", json!("external_id"), json!(["city"])),
    ] {
        let at = |member: &str| format!("/results/{index}/{member}");
        answer.expect(&at("status"), status)?.expect(&at("matched_by"), matched_by)?;
        answer.expect(&at("changed"), changed)?;
    }
    answer.expect_absent("/results/0/id")?.expect_absent("/results/1/id")?.expect("/results/4/id", id.as_str())?;
    answer.expect("/results/2/candidates", json!([id]))?.expect("/results/3/candidates", json!([]))?;
    // Nothing of it was saved.
    firm.post_clients(&[clients[0].clone()])?.expect("/results/0/status", "created")?;
    equal("the client's city", &firm.show(&id)?["city"], &Value::Null)
}

fn the_work_is_the_same(service: &dyn Service) -> CaseResult {
    let (told, untold) = (Firm::open(service)?, Firm::open(service)?);
    let clients = [ray("a"), json!({"external_id": "a", "city": " Reno"}), ray("b"), json!({"zip": "1"})];
    let with = explained(&told, EXPLAINED, &json!(clients))?;
    let without = untold.post_clients(&clients)?;
    let plain = |answer: &Answer| -> Vec<Value> {
        let pick = |result: &Value| json!([result["index"], result["status"], result["message"]]);
        answer.at("/results").as_array().into_iter().flatten().map(pick).collect()
    };
    equal("the results, explained or not", &plain(&with), &plain(&without))?;
    let record = |firm: &Firm<'_>, answer: &Answer| -> Result<Value, Failure> {
        let mut record = firm.show(&answer.text("/results/0/id")?)?;
        for member in ["id", "created_at", "updated_at"] {
            record[member].take();
        }
        Ok(record)
    };
    equal("the client", &record(&told, &with)?, &record(&untold, &without)?)
}
