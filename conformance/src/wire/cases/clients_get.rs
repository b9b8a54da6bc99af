//! `GET /clients`: the record, the order, the filters, the pages.

use serde_json::{Value, json};

use super::clients_post::{fields, full};
use crate::wire::{
    CaseResult, Failure, Firm, Service,
    failure::{equal, holds},
    wait_for_clients,
};

cases! { "clients_get":
    "V1" => an_account_without_clients_has_an_empty_page,
    "V1" => a_record_has_every_key_and_null_where_unknown,
    "V2" => rows_are_ordered_by_updated_at_and_id,
    "H20" => fifty_rows_unless_a_limit_is_given,
    "V8" => external_id_filters_exactly,
    "V12" => email_phone_and_name_filter_in_any_writing,
    "V12, C4" => a_filter_stays_with_its_cursor,
    "V12" => a_filter_that_cannot_be_read_is_refused,
    "V13" => one_client_is_shown_by_its_id,
    "V13, D8" => an_id_of_no_client_is_not_found,
    "V8" => updated_since_is_inclusive,
    "D8" => nothing_of_another_account_is_shown,
    "V3, V4" => a_walk_meets_every_client_once,
}

/// The ids of these rows.
pub(super) fn ids(rows: &[Value]) -> Vec<String> {
    rows.iter().map(|row| row["id"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Waits until `GET /clients` shows exactly so many clients, and hands them back.
pub(super) fn wait_for_count(firm: &Firm<'_>, count: usize) -> Result<Vec<Value>, Failure> {
    wait_for_clients(firm.service, || {
        let rows = firm.walk_clients("limit=100")?;
        holds(rows.len() == count, "GET /clients after the delay", &format!("{count} clients"), || {
            format!("{} clients", rows.len())
        })?;
        Ok(rows)
    })
}

/// Creates clients, each with a commit of its own, named by number; their ids in order.
pub(super) fn create_numbered(firm: &Firm<'_>, numbers: std::ops::Range<usize>) -> Result<Vec<String>, Failure> {
    numbers.map(|number| firm.create(&json!({"external_id": format!("n{number}"), "last_name": "Ray"}))).collect()
}

fn an_account_without_clients_has_an_empty_page(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for query in ["", "?limit=1", "?external_id=x", "?updated_since=2020-01-01T00:00:00Z"] {
        let answer = firm.get(&format!("/clients{query}"))?.ok()?;
        equal(&answer.sent, &answer.json, &json!({"clients": [], "next_cursor": null}))?;
    }
    Ok(())
}

fn a_record_has_every_key_and_null_where_unknown(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let whole = firm.create(&full("whole"))?;
    let bare = firm.create(&json!({"first_name": "Cher"}))?;
    let rows = wait_for_count(&firm, 2)?;
    for (row, id, expected) in [
        (&rows[0], &whole, full("whole")),
        (&rows[1], &bare, {
            let mut expected = full("");
            for value in expected.as_object_mut().into_iter().flat_map(serde_json::Map::values_mut) {
                *value = Value::Null;
            }
            expected["first_name"] = json!("Cher");
            expected["do_not_mail"] = json!(false);
            expected
        }),
    ] {
        equal("the record's id", &row["id"], &json!(id))?;
        equal("the record's fields", &fields(row), &expected)?;
        for name in ["created_at", "updated_at"] {
            let text = row[name].as_str().unwrap_or_default();
            let is_time = chrono::DateTime::parse_from_rfc3339(text).is_ok();
            holds(is_time, name, "an RFC 3339 time", || row[name].to_string())?;
        }
        equal("the record, listed and shown", row, &firm.show(id)?)?;
    }
    Ok(())
}

fn rows_are_ordered_by_updated_at_and_id(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let batch: Vec<Value> = (0..6).map(|number| json!({"external_id": number, "last_name": "Ray"})).collect();
    firm.post_clients(&batch)?;
    create_numbered(&firm, 0..3)?;
    firm.post_client(&json!({"external_id": "2", "city": "Peoria"}), "updated")?;
    let rows = wait_for_count(&firm, 9)?;
    let key = |row: &Value| {
        (row["updated_at"].as_str().unwrap_or_default().to_owned(), row["id"].as_str().unwrap_or_default().to_owned())
    };
    let keys: Vec<_> = rows.iter().map(key).collect();
    holds(keys.is_sorted(), "GET /clients", "rows by (updated_at, id)", || format!("{keys:?}"))?;
    equal("the row changed last", &rows[8]["external_id"], &json!("2"))
}

fn fifty_rows_unless_a_limit_is_given(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let batch: Vec<Value> = (0..120).map(|number| json!({"external_id": number, "last_name": "Ray"})).collect();
    firm.post_clients(&batch)?;
    wait_for_count(&firm, 120)?;
    for (query, count) in [("", 50), ("?limit=", 50), ("?limit=1", 1), ("?limit=100", 100)] {
        let answer = firm.get(&format!("/clients{query}"))?.ok()?;
        equal(&format!("GET /clients{query}: rows"), &answer.array("/clients")?.len(), &count)?;
        answer.text("/next_cursor")?;
    }
    Ok(())
}

fn external_id_filters_exactly(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for id in ["a", "A", "a b", "é+&", "17"] {
        firm.create(&json!({"external_id": id, "last_name": "Ray"}))?;
    }
    wait_for_count(&firm, 5)?;
    for (query, expected) in [
        ("a", vec!["a"]),
        ("A", vec!["A"]),
        ("a%20b", vec!["a b"]),
        ("%C3%A9%2B%26", vec!["é+&"]),
        ("17", vec!["17"]),
        ("nobody", vec![]),
        ("a%25", vec![]),
    ] {
        let answer = firm.get(&format!("/clients?external_id={query}"))?.ok()?;
        let came: Vec<&Value> = answer.array("/clients")?.iter().map(|row| &row["external_id"]).collect();
        equal(&answer.sent, &came, &expected.iter().map(|id| json!(id)).collect::<Vec<_>>().iter().collect())?;
        answer.expect("/next_cursor", Value::Null)?;
    }
    Ok(())
}

fn person(id: &str, first: &str, last: &str, email: &str) -> Value {
    json!({"external_id": id, "first_name": first, "last_name": last, "email": email, "phone": "(312) 555-0142"})
}

/// The external ids of the clients that a filter finds.
fn found(firm: &Firm<'_>, filter: &str) -> Result<Vec<Value>, Failure> {
    Ok(firm.walk_clients(filter)?.iter().map(|row| row["external_id"].clone()).collect())
}

fn email_phone_and_name_filter_in_any_writing(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.create(&person("1", "Ana Maria", "Li", "ana@EXAMPLE.com"))?;
    firm.create(&person("2", "Zoë", "O'Brien-Li", "Ana@example.com"))?;
    firm.create(&json!({"external_id": "3", "last_name": "Li", "phone": "+47 12 34 56 78"}))?;
    wait_for_count(&firm, 3)?;
    for (filter, expected) in [
        ("email=ana@example.COM", vec!["1"]),
        ("email=%20ana@example.com", vec!["1"]),
        ("email=bo@example.com", vec![]),
        ("phone=312.555.0142", vec!["1", "2"]),
        ("phone=%2B13125550142", vec!["1", "2"]),
        ("phone=+4712345678", vec!["3"]),
        ("name=ana+maria+LI", vec!["1"]),
        ("name=Ana-Maria%20Li", vec!["1"]),
        ("name=zoe%20obrien%20li", vec!["2"]),
        ("name=Li", vec!["3"]),
        ("name=Li+Ana+Maria", vec![]),
        ("name=Ana+Maria+Li&phone=3125550142&email=ana@example.com", vec!["1"]),
        ("name=Ana+Maria+Li&email=Ana@example.com", vec![]),
        ("external_id=2&phone=3125550142", vec!["2"]),
        ("external_id=2&name=Li", vec![]),
        ("email=&phone=&name=&external_id=3", vec!["3"]),
        ("Email=bo@example.com&limit=3", vec!["1", "2", "3"]),
    ] {
        equal(filter, &found(&firm, filter)?, &expected.iter().map(|id| json!(id)).collect())?;
    }
    Ok(())
}

fn a_filter_stays_with_its_cursor(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for id in ["1", "2", "3"] {
        firm.create(&person(id, "Ana", "Li", "ana@example.com"))?;
        firm.create(&json!({"external_id": format!("other {id}"), "last_name": "Other"}))?;
    }
    wait_for_count(&firm, 6)?;
    let first = firm.get("/clients?limit=1&name=ANA+LI&phone=3125550142")?.ok()?;
    let cursor = first.text("/next_cursor")?.to_owned();
    equal("the rest of the walk", &found(&firm, &format!("cursor={cursor}"))?, &vec![json!("2"), json!("3")])?;
    let same = format!("cursor={cursor}&name=ana%20li&phone=312-555-0142");
    equal("the same filters", &found(&firm, &same)?, &vec![json!("2"), json!("3")])?;
    for (other, name) in [("name=Bo+Li", "name"), ("phone=3125550143", "phone"), ("email=ana@example.com", "email")] {
        let answer = firm.get(&format!("/clients?cursor={cursor}&{other}"))?;
        answer.expect_refusal(&[name, "cursor"])?;
    }
    Ok(())
}

fn a_filter_that_cannot_be_read_is_refused(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for (query, name) in [("email=ana", "email"), ("phone=12", "phone"), ("name=.", "name")] {
        let answer = firm.get(&format!("/clients?{query}"))?;
        answer.expect_refusal(&[name])?;
    }
    Ok(())
}

fn one_client_is_shown_by_its_id(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&full("whole"))?;
    let rows = wait_for_count(&firm, 1)?;
    let answer = firm.get(&format!("/clients/{id}"))?.ok()?;
    equal(&answer.sent, &answer.json, &json!({ "client": rows[0] }))
}

fn an_id_of_no_client_is_not_found(service: &dyn Service) -> CaseResult {
    let (firm, other) = (Firm::open(service)?, Firm::open(service)?);
    let of_another = other.create(&json!({"external_id": "1", "last_name": "Ray"}))?;
    wait_for_count(&other, 1)?;
    for id in [of_another.as_str(), "00000000-0000-0000-0000-000000000000", "1", "%00", "whole"] {
        firm.get(&format!("/clients/{id}"))?.expect_error(404, "not_found")?;
    }
    firm.get(&format!("/clients/{of_another}?dry_run=true"))?.expect_error(400, "invalid_request")?;
    Ok(())
}

fn updated_since_is_inclusive(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    create_numbered(&firm, 0..4)?;
    let rows = wait_for_count(&firm, 4)?;
    for (place, row) in rows.iter().enumerate() {
        let since = row["updated_at"].as_str().unwrap_or_default();
        let came = firm.walk_clients(&format!("limit=100&updated_since={since}"))?;
        equal("rows since the time of one of them", &ids(&came), &ids(rows.get(place..).unwrap_or_default()))?;
    }
    let came = firm.walk_clients("updated_since=2101-01-01T00:00:00Z")?;
    equal("rows since the next century", &came.len(), &0)?;
    let came = firm.walk_clients("updated_since=1999-01-01T00:00:00%2B14:00&external_id=n2")?;
    equal("both filters", &ids(&came), &ids(rows.get(2..3).unwrap_or_default()))
}

fn nothing_of_another_account_is_shown(service: &dyn Service) -> CaseResult {
    let (one, other) = (Firm::open(service)?, Firm::open(service)?);
    one.create(&full("a"))?;
    let id = other.create(&full("a"))?;
    wait_for_count(&one, 1)?;
    equal("the other account's clients", &ids(&wait_for_count(&other, 1)?), &vec![id])
}

fn a_walk_meets_every_client_once(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let mut created = create_numbered(&firm, 0..4)?;
    let batch: Vec<Value> = (0..7).map(|number| json!({"external_id": number, "last_name": "Ray"})).collect();
    let answer = firm.post_clients(&batch)?;
    for index in 0..7 {
        created.push(answer.text(&format!("/results/{index}/id"))?);
    }
    created.sort_unstable();
    let whole = wait_for_count(&firm, 11)?;
    for limit in [1, 3, 11, 100] {
        let rows = firm.walk_clients(&format!("limit={limit}"))?;
        equal(&format!("a walk with limit={limit}"), &rows, &whole)?;
    }
    let mut met = ids(&whole);
    met.sort_unstable();
    equal("the clients met", &met, &created)
}
