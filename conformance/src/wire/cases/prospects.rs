//! `GET /prospects`: the record, both orders, pages, the delay.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::clients_get::ids;
use crate::wire::{
    CaseResult, County, Failure, Firm, Service,
    failure::{equal, holds},
    wait_for_prospects,
};

cases! { "prospects":
    "P7" => a_prospect_has_every_key_and_null_where_unknown,
    "P8" => email_and_phone_come_only_with_contact_enrichment,
    "P6" => a_prospect_is_not_shown_before_the_delay_in_either_order,
    "P4" => oldest_walks_by_the_time_of_adding,
    "P5" => newest_is_the_other_way_round_and_has_no_cursor,
    "H20, P5" => fifty_rows_unless_a_limit_is_given_and_newest_up_to_500,
    "C6" => the_last_cursor_that_was_not_null_goes_on_later,
    "C3" => a_cursor_of_another_account_is_400,
    "H14, P7" => a_prospect_who_signs_can_be_posted_as_a_client,
    "P15" => importing_again_updates_in_place,
    "P15, C1" => a_full_page_passes_no_prospect_that_is_corrected_later,
    "D4" => an_erased_prospect_is_gone_at_once,
}

/// A county of its own and a firm that sees everything in it.
pub(super) fn with_county(service: &dyn Service) -> Result<(Firm<'_>, County), Failure> {
    let firm = Firm::with(service, &json!({"api_enabled": true, "digital_bundle": true}))?;
    let county = firm.operator().fresh_county()?;
    firm.grant(&county.fips, "2000-01-01")?;
    Ok((firm, county))
}

/// Waits until the firm sees exactly these prospects, in either order of ids; the rows, oldest first.
pub(super) fn wait_for_these(firm: &Firm<'_>, expected: &[String]) -> Result<Vec<Value>, Failure> {
    wait_for_prospects(firm.service, || {
        let rows = firm.walk_prospects("limit=100")?;
        let came: BTreeSet<String> = ids(&rows).into_iter().collect();
        equal("the prospects seen after the delay", &came, &expected.iter().cloned().collect())?;
        equal("how many rows", &rows.len(), &expected.len())?;
        Ok(rows)
    })
}

/// Imports prospects one by one, so that each has a time of its own; their ids, oldest first.
fn import_one_by_one(firm: &Firm<'_>, county: &County, count: usize) -> Result<Vec<String>, Failure> {
    let operator = firm.operator();
    (0..count).map(|_| Ok(operator.import(&[county.prospect(&json!({}))])?.remove(0))).collect()
}

/// A prospect with every field given.
fn full() -> Value {
    json!({
        "first_name": "Ada", "last_name": "Reyes", "address_line1": "12 Elm St", "address_line2": "Apt 4",
        "city": "Springfield", "state": "Illinois", "zip": "627041234", "email": "ada@EXAMPLE.com",
        "phone": "(217) 555-0123", "person_type": "Driver", "injury_severity": "SUSPECTED_MINOR",
        "transported": "yes", "crash_date": "Mar 14, 2025", "crash_time": "17:05:59", "crash_city": "Peoria",
        "crash_state": "il", "crash_county": "Peoria County", "crash_report_number": "25-0042",
        "manner_of_collision": "Front to rear", "vehicle_year": "2019", "vehicle_make": "Honda",
        "vehicle_model": "Civic", "vehicle_towed": true, "hit_and_run": false,
    })
}

fn a_prospect_has_every_key_and_null_where_unknown(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    let imported = firm.operator().import(&[county.prospect(&full())])?;
    let bare = firm.operator().import(&[county.prospect(&json!({}))])?;
    let rows = wait_for_these(&firm, &[imported.clone(), bare.clone()].concat())?;
    let source = service.facts().service_name.clone();
    let mut row = rows[0].clone();
    let added_at = row["added_at"].take();
    holds(
        added_at.as_str().is_some_and(|text| chrono::DateTime::parse_from_rfc3339(text).is_ok()),
        "added_at",
        "an RFC 3339 time",
        || added_at.to_string(),
    )?;
    let expected = json!({
        "id": imported[0], "lead_type": "cold", "source": source, "first_name": "Ada", "last_name": "Reyes",
        "address_line1": "12 Elm St", "address_line2": "Apt 4", "city": "Springfield", "state": "IL",
        "zip": "62704-1234", "person_type": "driver", "injury_severity": "suspected_minor", "transported": true,
        "crash_date": "2025-03-14", "crash_time": "17:05", "crash_city": "Peoria", "crash_state": "IL",
        "crash_county": "Peoria County", "crash_county_fips": county.fips, "crash_report_number": "25-0042",
        "manner_of_collision": "Front to rear", "vehicle": {"year": 2019, "make": "Honda", "model": "Civic"},
        "vehicle_towed": true, "hit_and_run": false, "added_at": null,
    });
    equal("a prospect with everything", &row, &expected)?;
    let mut row = rows[1].clone();
    row["added_at"].take();
    let mut nothing = expected;
    nothing["crash_county"] = json!(matterbook_core::county::name(&county.fips));
    let known = ["id", "lead_type", "source", "crash_date", "crash_county", "crash_county_fips", "vehicle"];
    for (name, value) in nothing.as_object_mut().into_iter().flatten() {
        if !known.contains(&name.as_str()) {
            *value = Value::Null;
        }
    }
    nothing["id"] = json!(bare[0]);
    nothing["vehicle"] = json!({"year": null, "make": null, "model": null});
    equal("a prospect with nothing but what is required", &row, &nothing)
}

fn email_and_phone_come_only_with_contact_enrichment(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    let imported = firm.operator().import(&[county.prospect(&full()), county.prospect(&json!({}))])?;
    let rows = wait_for_these(&firm, &imported)?;
    for row in &rows {
        let absent = row.get("email").is_none() && row.get("phone").is_none();
        holds(absent, "a prospect without enrichment", "no email and no phone", || row.to_string())?;
    }
    firm.set(&json!({"contact_enrichment": true}))?;
    for query in ["", "?order=newest"] {
        let answer = firm.get(&format!("/prospects{query}"))?.ok()?;
        for row in answer.array("/prospects")? {
            let known = row["first_name"].is_string();
            let expected = if known { json!("ada@example.com") } else { Value::Null };
            equal("email with enrichment", &row.get("email"), &Some(&expected))?;
            let expected = if known { json!("+12175550123") } else { Value::Null };
            equal("phone with enrichment", &row.get("phone"), &Some(&expected))?;
        }
    }
    firm.set(&json!({"contact_enrichment": false}))?;
    firm.get("/prospects")?.ok()?.expect_absent("/prospects/0/email")?.expect_absent("/prospects/0/phone")?;
    Ok(())
}

fn a_prospect_is_not_shown_before_the_delay_in_either_order(service: &dyn Service) -> CaseResult {
    let delay = std::time::Duration::from_secs(service.facts().prospect_delay_seconds);
    let (firm, county) = with_county(service)?;
    for _ in 0..20 {
        let began = service.clock();
        let imported = import_one_by_one(&firm, &county, 1)?;
        let oldest = ids(&firm.walk_prospects("limit=100")?);
        let newest = ids(firm.get("/prospects?order=newest")?.ok()?.array("/prospects")?);
        let shown = (oldest.contains(&imported[0]), newest.contains(&imported[0]));
        if delay.is_zero() {
            return equal("a prospect, at once, with no delay", &shown, &(true, true));
        }
        if service.clock() - began < delay {
            equal("a prospect younger than the delay: oldest, newest", &shown, &(false, false))?;
            return wait_for_prospects(service, || {
                let newest = ids(firm.get("/prospects?order=newest")?.ok()?.array("/prospects")?);
                let shown =
                    (ids(&firm.walk_prospects("limit=100")?).contains(&imported[0]), newest.contains(&imported[0]));
                equal("the prospect after the delay: oldest, newest", &shown, &(true, true))
            });
        }
    }
    Err(Failure::new("an import, then a read", "answers within the delay", "answers slower than that, twenty times"))
}

fn oldest_walks_by_the_time_of_adding(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    let mut imported = import_one_by_one(&firm, &county, 3)?;
    let batch: Vec<Value> = (0..4).map(|_| county.prospect(&json!({}))).collect();
    imported.extend(firm.operator().import(&batch)?);
    let rows = wait_for_these(&firm, &imported)?;
    equal("the first three, in order", &ids(&rows)[..3].to_vec(), &imported[..3].to_vec())?;
    for limit in [1, 2, 7, 100] {
        for order in ["", "&order=oldest"] {
            let walked = firm.walk_prospects(&format!("limit={limit}{order}"))?;
            equal(&format!("a walk with limit={limit}{order}"), &walked, &rows)?;
        }
    }
    Ok(())
}

fn newest_is_the_other_way_round_and_has_no_cursor(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    let imported = import_one_by_one(&firm, &county, 5)?;
    let mut rows = wait_for_these(&firm, &imported)?;
    rows.reverse();
    let answer = firm.get("/prospects?order=newest")?.ok()?;
    equal("the newest", answer.array("/prospects")?, &rows)?;
    answer.expect("/next_cursor", Value::Null)?;
    let answer = firm.get("/prospects?order=newest&limit=2")?.ok()?;
    equal("the two newest", answer.array("/prospects")?, &rows[..2].to_vec())?;
    answer.expect("/next_cursor", Value::Null)?;
    Ok(())
}

fn fifty_rows_unless_a_limit_is_given_and_newest_up_to_500(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    let batch = |count: usize| -> Vec<Value> { (0..count).map(|_| county.prospect(&json!({}))).collect() };
    let mut imported = firm.operator().import(&batch(500))?;
    imported.extend(firm.operator().import(&batch(20))?);
    wait_for_these(&firm, &imported)?;
    for (query, count) in [("", 50), ("?limit=7", 7), ("?limit=100", 100)] {
        let answer = firm.get(&format!("/prospects{query}"))?.ok()?;
        // A page may be short; it is never longer, and it goes on.
        let rows = answer.array("/prospects")?.len();
        holds(rows <= count, &answer.sent, &format!("at most {count} rows"), || format!("{rows} rows"))?;
        answer.text("/next_cursor")?;
    }
    let newest = firm.get("/prospects?order=newest")?.ok()?;
    equal("the newest of 520", &newest.array("/prospects")?.len(), &500)?;
    newest.expect("/next_cursor", Value::Null)?;
    equal(
        "the newest of 520, limit 100",
        &firm.get("/prospects?order=newest&limit=100")?.ok()?.array("/prospects")?.len(),
        &100,
    )
}

fn the_last_cursor_that_was_not_null_goes_on_later(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    let mut imported = import_one_by_one(&firm, &county, 3)?;
    wait_for_these(&firm, &imported)?;
    let cursor = firm.get("/prospects?limit=2")?.ok()?.text("/next_cursor")?;
    imported.extend(import_one_by_one(&firm, &county, 2)?);
    wait_for_prospects(service, || {
        let later = firm.walk_prospects_after(&cursor, "limit=100")?;
        equal("prospects from the cursor on", &ids(&later), &imported[2..].to_vec())
    })
}

fn a_cursor_of_another_account_is_400(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    let other = Firm::with(service, &json!({"api_enabled": true, "digital_bundle": true}))?;
    other.grant(&county.fips, "2000-01-01")?;
    let imported = import_one_by_one(&firm, &county, 2)?;
    wait_for_these(&firm, &imported)?;
    let cursor = firm.get("/prospects?limit=1")?.ok()?.text("/next_cursor")?;
    other.get(&format!("/prospects?cursor={cursor}"))?.expect_refusal(&["cursor"])?;
    firm.get(&format!("/prospects?cursor={cursor}"))?.ok()?;
    Ok(())
}

fn a_prospect_who_signs_can_be_posted_as_a_client(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    firm.set(&json!({"contact_enrichment": true}))?;
    let imported = firm.operator().import(&[county.prospect(&full())])?;
    let row = wait_for_these(&firm, &imported)?.remove(0);
    let id = firm.create(&row)?;
    let client = firm.show(&id)?;
    for name in ["first_name", "last_name", "address_line1", "address_line2", "city", "state", "zip", "email", "phone"]
    {
        equal(&format!("{name} of the prospect as a client"), &client[name], &row[name])?;
    }
    Ok(())
}

fn importing_again_updates_in_place(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    let mut prospect = county.prospect(&full());
    let imported = firm.operator().import(std::slice::from_ref(&prospect))?;
    let before = wait_for_these(&firm, &imported)?.remove(0);
    prospect["city"] = json!("Joliet");
    prospect["first_name"] = json!(" ");
    prospect["crash_time"] = json!(null);
    firm.operator()
        .call_with("POST", "/prospects", &json!({"prospects": [prospect]}))?
        .ok()?
        .expect("/results/0", json!({"index": 0, "status": "updated", "id": imported[0]}))?;
    let mut expected = before;
    expected["city"] = json!("Joliet");
    equal("the prospect imported again", &firm.walk_prospects("limit=100")?, &vec![expected])
}

/// Between the two prospects of the county is one of another. A cursor that is past it would never show it.
fn a_full_page_passes_no_prospect_that_is_corrected_later(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    let elsewhere = firm.operator().fresh_county()?;
    let mut corrected = elsewhere.prospect(&json!({}));
    let first = firm.operator().import(&[county.prospect(&json!({}))])?;
    let second = firm.operator().import(std::slice::from_ref(&corrected))?;
    let third = firm.operator().import(&[county.prospect(&json!({}))])?;
    wait_for_these(&firm, &[first.clone(), third.clone()].concat())?;
    let page = firm.get("/prospects?limit=1")?.ok()?;
    equal("the first page", &ids(page.array("/prospects")?), &first)?;
    let cursor = page.text("/next_cursor")?;
    corrected["crash_county_fips"] = json!(county.fips);
    firm.operator().call_with("POST", "/prospects", &json!({"prospects": [corrected]}))?.ok()?;
    wait_for_prospects(service, || {
        let rest = firm.walk_prospects_after(&cursor, "limit=1")?;
        equal("prospects after the first page", &ids(&rest), &[second.clone(), third.clone()].concat())
    })
}

fn an_erased_prospect_is_gone_at_once(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    let imported = import_one_by_one(&firm, &county, 3)?;
    wait_for_these(&firm, &imported)?;
    firm.operator().call("DELETE", &format!("/prospects/{}", imported[1]))?.ok()?;
    let left = vec![imported[0].clone(), imported[2].clone()];
    equal("the prospects left, oldest first", &ids(&firm.walk_prospects("limit=1")?), &left)?;
    let newest = firm.get("/prospects?order=newest")?.ok()?;
    equal("the prospects left, newest first", &ids(newest.array("/prospects")?), &left.iter().rev().cloned().collect())
}
