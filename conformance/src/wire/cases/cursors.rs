//! Cursors: opaque, checked, carrying their filters, and good for ever.

use serde_json::{Value, json};

use super::clients_get::{create_numbered, ids, wait_for_count};
use crate::wire::{
    CaseResult, Failure, Firm, Service,
    failure::{equal, holds},
    wait_for_clients, wait_for_prospects,
};

cases! { "cursors":
    "C2" => a_cursor_is_url_safe_text,
    "C3" => an_altered_cursor_is_400,
    "C3" => a_cursor_of_another_account_is_400,
    "C3" => a_cursor_of_the_other_listing_is_400,
    "C5" => another_key_of_the_account_may_go_on,
    "C4" => an_absent_filter_is_the_cursors,
    "C4" => a_filter_that_is_present_must_be_equal,
    "C4" => the_limit_is_free,
    "C2, C5" => a_cursor_gives_the_same_page_again,
    "C6" => the_last_cursor_that_was_not_null_goes_on_later,
}

fn first_cursor(firm: &Firm<'_>, query: &str) -> Result<String, Failure> {
    firm.get(&format!("/clients?{query}"))?.ok()?.text("/next_cursor")
}

fn with_clients(service: &dyn Service, count: usize) -> Result<(Firm<'_>, Vec<Value>), Failure> {
    let firm = Firm::with(service, &json!({"api_enabled": true, "digital_bundle": true}))?;
    create_numbered(&firm, 0..count)?;
    let rows = wait_for_count(&firm, count)?;
    Ok((firm, rows))
}

fn a_cursor_is_url_safe_text(service: &dyn Service) -> CaseResult {
    let (firm, _) = with_clients(service, 3)?;
    for query in ["limit=1", "limit=2&updated_since=2020-01-01T00:00:00Z"] {
        let cursor = first_cursor(&firm, query)?;
        let safe = cursor.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte));
        holds(safe && !cursor.is_empty(), "next_cursor", "URL-safe text", || cursor.clone())?;
    }
    Ok(())
}

/// Every kind of tampering with one character, at several places, and with the whole.
fn altered(cursor: &str) -> Vec<String> {
    let letters: Vec<char> = cursor.chars().collect();
    let last = letters.len().saturating_sub(1);
    let mut all = vec![
        format!("{cursor}A"),
        format!("A{cursor}"),
        format!("{cursor}%3D"),
        format!("{cursor}%3D%3D"),
        format!("%20{cursor}"),
        format!("{cursor}%0A"),
        format!("{cursor}{cursor}"),
        letters.iter().take(last).collect(),
        letters.iter().skip(1).collect(),
        letters.iter().rev().collect(),
        "x".to_owned(),
        "null".to_owned(),
        "%F0%9F%98%80".to_owned(),
        "0".repeat(5_000),
    ];
    for place in [0, 1, 2, last / 4, last / 2, last * 3 / 4, last - 2, last - 1, last] {
        let mut changed = letters.clone();
        if let Some(letter) = changed.get_mut(place) {
            // In base64 the last letter holds spare bits: B to P differ in them alone.
            *letter = char::from_u32(u32::from(*letter) ^ 1).filter(char::is_ascii_alphanumeric).unwrap_or('q');
        }
        all.push(changed.iter().collect());
        let mut flipped = letters.clone();
        if let Some(letter) = flipped.get_mut(place).filter(|letter| letter.is_ascii_alphabetic()) {
            *letter =
                if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
        }
        all.push(flipped.iter().collect());
    }
    all.retain(|other| other != cursor);
    all
}

fn an_altered_cursor_is_400(service: &dyn Service) -> CaseResult {
    let (firm, _) = with_clients(service, 3)?;
    let cursor = first_cursor(&firm, "limit=1")?;
    for other in altered(&cursor) {
        firm.get(&format!("/clients?cursor={other}"))?.expect_refusal(&["cursor"])?;
    }
    firm.get(&format!("/clients?cursor={cursor}"))?.ok()?;

    let operator = firm.operator();
    let county = operator.fresh_county()?;
    let mut firm = Firm::with(service, &json!({"api_enabled": true, "digital_bundle": true}))?;
    firm.grant(&county.fips, "2020-01-01")?;
    operator.import(&[county.prospect(&json!({})), county.prospect(&json!({}))])?;
    let cursor = wait_for_prospects(service, || firm.get("/prospects?limit=1")?.ok()?.text("/next_cursor"))?;
    (firm.key_id, firm.key) = firm.new_key()?;
    for other in altered(&cursor) {
        firm.get(&format!("/prospects?cursor={other}"))?.expect_refusal(&["cursor"])?;
    }
    firm.get(&format!("/prospects?cursor={cursor}"))?.ok()?;
    Ok(())
}

fn a_cursor_of_another_account_is_400(service: &dyn Service) -> CaseResult {
    let (one, _) = with_clients(service, 2)?;
    let (other, _) = with_clients(service, 2)?;
    let cursor = first_cursor(&one, "limit=1")?;
    other.get(&format!("/clients?cursor={cursor}"))?.expect_refusal(&["cursor"])?;
    one.get(&format!("/clients?cursor={cursor}"))?.ok()?;
    Ok(())
}

fn a_cursor_of_the_other_listing_is_400(service: &dyn Service) -> CaseResult {
    let (firm, _) = with_clients(service, 2)?;
    let clients = first_cursor(&firm, "limit=1")?;
    firm.get(&format!("/prospects?cursor={clients}"))?.expect_refusal(&["cursor"])?;
    let operator = firm.operator();
    let county = operator.fresh_county()?;
    firm.grant(&county.fips, "2020-01-01")?;
    operator.import(&[county.prospect(&json!({})), county.prospect(&json!({}))])?;
    let prospects = wait_for_prospects(service, || firm.get("/prospects?limit=1")?.ok()?.text("/next_cursor"))?;
    firm.get(&format!("/clients?cursor={prospects}"))?.expect_refusal(&["cursor"])?;
    Ok(())
}

fn another_key_of_the_account_may_go_on(service: &dyn Service) -> CaseResult {
    let (mut firm, rows) = with_clients(service, 3)?;
    let cursor = first_cursor(&firm, "limit=1")?;
    (firm.key_id, firm.key) = firm.new_key()?;
    let answer = firm.get(&format!("/clients?cursor={cursor}"))?.ok()?;
    equal("the page after the first row", answer.array("/clients")?, &rows.get(1..).unwrap_or_default().to_vec())
}

fn an_absent_filter_is_the_cursors(service: &dyn Service) -> CaseResult {
    let (firm, rows) = with_clients(service, 5)?;
    let since = rows[2]["updated_at"].as_str().unwrap_or_default().to_owned();
    let cursor = first_cursor(&firm, &format!("limit=1&updated_since={since}"))?;
    let answer = firm.get(&format!("/clients?limit=1&cursor={cursor}"))?.ok()?;
    equal("the second row since that time", &ids(answer.array("/clients")?), &ids(rows.get(3..4).unwrap_or_default()))?;
    let rest = firm.walk_clients_after(&answer.text("/next_cursor")?, "limit=1")?;
    equal("the rest of the walk", &ids(&rest), &ids(rows.get(4..).unwrap_or_default()))
}

fn a_filter_that_is_present_must_be_equal(service: &dyn Service) -> CaseResult {
    let (firm, rows) = with_clients(service, 4)?;
    let since = rows[0]["updated_at"].as_str().unwrap_or_default().to_owned();
    let other = rows[1]["updated_at"].as_str().unwrap_or_default().to_owned();
    let filtered = first_cursor(&firm, &format!("limit=1&updated_since={since}"))?;
    let plain = first_cursor(&firm, "limit=1")?;
    firm.get(&format!("/clients?cursor={filtered}&updated_since={since}"))?.ok()?;
    firm.get(&format!("/clients?cursor={filtered}&updated_since="))?.ok()?;
    for query in [
        format!("cursor={filtered}&updated_since={other}"),
        format!("cursor={plain}&updated_since={since}"),
        format!("cursor={filtered}&external_id=n1"),
        format!("cursor={plain}&external_id=n1"),
    ] {
        firm.get(&format!("/clients?{query}"))?.expect_error(400, "invalid_request")?;
    }
    Ok(())
}

fn the_limit_is_free(service: &dyn Service) -> CaseResult {
    let (firm, rows) = with_clients(service, 6)?;
    let cursor = first_cursor(&firm, "limit=1")?;
    for limit in [1, 2, 4] {
        let answer = firm.get(&format!("/clients?cursor={cursor}&limit={limit}"))?.ok()?;
        equal(&format!("limit={limit}"), answer.array("/clients")?, &rows.get(1..=limit).unwrap_or_default().to_vec())?;
    }
    let answer = firm.get(&format!("/clients?cursor={cursor}"))?.ok()?;
    equal("without a limit", answer.array("/clients")?, &rows.get(1..).unwrap_or_default().to_vec())
}

fn a_cursor_gives_the_same_page_again(service: &dyn Service) -> CaseResult {
    let (firm, _) = with_clients(service, 4)?;
    let first = firm.get("/clients?limit=2")?.ok()?;
    equal("the first page twice", &firm.get("/clients?limit=2")?.ok()?.json, &first.json)?;
    let cursor = first.text("/next_cursor")?;
    let second = firm.get(&format!("/clients?limit=1&cursor={cursor}"))?.ok()?;
    equal("a cursor twice", &firm.get(&format!("/clients?limit=1&cursor={cursor}"))?.ok()?.json, &second.json)
}

fn the_last_cursor_that_was_not_null_goes_on_later(service: &dyn Service) -> CaseResult {
    let (firm, rows) = with_clients(service, 3)?;
    let last = first_cursor(&firm, "limit=2")?;
    let end = firm.get(&format!("/clients?limit=2&cursor={last}"))?.ok()?;
    end.expect("/next_cursor", Value::Null)?;
    create_numbered(&firm, 3..5)?;
    firm.post_client(&json!({"external_id": "n0", "city": "Peoria"}), "updated")?;
    let later = wait_for_clients(service, || {
        let later = firm.walk_clients_after(&last, "limit=2")?;
        equal("rows from the last cursor on", &later.len(), &4)?;
        Ok(later)
    })?;
    equal("the row that was there before", &later.first(), &rows.last())?;
    let names: Vec<&Value> = later.iter().map(|row| &row["external_id"]).collect();
    equal("the rows in order", &names, &vec![&json!("n2"), &json!("n3"), &json!("n4"), &json!("n0")])
}
