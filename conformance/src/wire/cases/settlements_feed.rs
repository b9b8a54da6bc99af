//! The operator's settlements feed: what letters read (rules T11 and O20).

use serde_json::{Value, json};

use super::clients_post::full;
use crate::wire::{
    CaseResult, Failure, Firm, Operator, Service,
    failure::{equal, holds},
};

cases! { "settlements_feed":
    "O20" => a_settlement_shows_its_client_as_it_is_now,
    "T5, T11" => a_correction_appears_again_under_the_same_id,
    "O20" => the_feed_is_ordered_by_last_change_and_has_no_delay,
    "C6, O22" => the_feed_is_paged_and_its_last_cursor_goes_on_later,
    "D8" => the_feed_is_of_one_account,
}

fn page(firm: &Firm<'_>, query: &str) -> Result<(Vec<Value>, Option<String>), Failure> {
    let answer = firm.operator().call("GET", &firm.path(&format!("/settlements?{query}")))?.ok()?;
    let next = answer.at("/next_cursor").as_str().map(str::to_owned);
    Ok((answer.array("/settlements")?.clone(), next))
}

fn settle(firm: &Firm<'_>, id: &str, date: &str) -> CaseResult {
    firm.settle(&json!({"external_id": id, "last_name": "Ray", "settled_on": date}))?.ok()?;
    Ok(())
}

fn settled_on(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["settled_on"].as_str().unwrap_or_default()).collect()
}

fn a_settlement_shows_its_client_as_it_is_now(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let id = firm.create(&full("a"))?;
    let mut row = firm.settlements()?.remove(0);
    let times = (row["begun_at"].take(), row["changed_at"].take());
    equal("times of a new settlement", &times.0, &times.1)?;
    let settlement = row["id"].take();
    holds(settlement.is_string() && settlement != json!(id), "a settlement's id", "an id of its own", || {
        settlement.to_string()
    })?;
    let mut expected = full("a");
    if let Some(members) = expected.as_object_mut() {
        for name in ["email", "phone", "opened_on"] {
            members.remove(name);
        }
        for name in ["id", "begun_at", "changed_at"] {
            members.insert(name.to_owned(), Value::Null);
        }
        members.insert("client_id".to_owned(), json!(id));
        members.insert("similar_do_not_mail".to_owned(), json!(false));
    }
    equal("a settlement", &row, &expected)?;
    firm.post_client(&json!({"external_id": "a", "city": "Peoria", "do_not_mail": true}), "updated")?;
    expected["city"] = json!("Peoria");
    expected["do_not_mail"] = json!(true);
    let mut row = firm.settlements()?.remove(0);
    equal("a settlement's last change is its own", &row["changed_at"], &times.1)?;
    for name in ["id", "begun_at", "changed_at"] {
        row[name].take();
    }
    equal("the settlement of a client that changed", &row, &expected)?;
    Operator::of(service).call("POST", &firm.path(&format!("/clients/{id}/mail-on")))?.ok()?;
    equal("do_not_mail as it is now", &firm.settlements()?[0]["do_not_mail"], &json!(false))
}

fn a_correction_appears_again_under_the_same_id(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    settle(&firm, "a", "2025-01-01")?;
    settle(&firm, "b", "2025-01-02")?;
    let (before, _) = page(&firm, "limit=100")?;
    let cursor = page(&firm, "limit=1")?.1.unwrap_or_default();
    firm.post_client(&json!({"external_id": "a", "settled_on": "2025-01-11"}), "updated")?;
    let (after, _) = page(&firm, "limit=100")?;
    equal("the feed", &settled_on(&after), &vec!["2025-01-02", "2025-01-11"])?;
    let (old, new) = (&before[0], &after[1]);
    equal(
        "the corrected settlement's id and beginning",
        &(&new["id"], &new["begun_at"]),
        &(&old["id"], &old["begun_at"]),
    )?;
    holds(new["changed_at"].as_str() > old["changed_at"].as_str(), "a correction", "a later changed_at", || {
        new.to_string()
    })?;
    let (rest, _) = page(&firm, &format!("limit=100&cursor={cursor}"))?;
    equal("a reader that had seen it sees it again", &settled_on(&rest), &vec!["2025-01-02", "2025-01-11"])
}

fn the_feed_is_ordered_by_last_change_and_has_no_delay(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for (number, id) in ["c", "a", "b"].into_iter().enumerate() {
        settle(&firm, id, "2025-01-01")?;
        equal("settlements at once", &firm.settlements()?.len(), &(number + 1))?;
    }
    settle(&firm, "a", "2025-02-02")?;
    let names: Vec<Value> = firm.settlements()?.iter().map(|row| row["external_id"].clone()).collect();
    equal("the clients in the order of the settlements", &names, &["c", "a", "b", "a"].map(|name| json!(name)).to_vec())
}

fn the_feed_is_paged_and_its_last_cursor_goes_on_later(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    equal("an empty feed", &page(&firm, "")?, &(Vec::new(), None))?;
    for number in 1..=5 {
        settle(&firm, &number.to_string(), &format!("2025-01-0{number}"))?;
    }
    let (first, cursor) = page(&firm, "limit=2")?;
    let (second, last) = page(&firm, &format!("limit=2&cursor={}", cursor.unwrap_or_default()))?;
    let last = last.unwrap_or_default();
    let (third, end) = page(&firm, &format!("limit=2&cursor={last}"))?;
    equal("the end", &end, &None)?;
    let walked = [first, second, third].concat();
    equal(
        "three pages",
        &settled_on(&walked),
        &vec!["2025-01-01", "2025-01-02", "2025-01-03", "2025-01-04", "2025-01-05"],
    )?;
    settle(&firm, "6", "2025-01-06")?;
    let (later, _) = page(&firm, &format!("cursor={last}"))?;
    equal("the last cursor that was not null, later", &settled_on(&later), &vec!["2025-01-05", "2025-01-06"])?;
    let other = Firm::open(service)?;
    let path = other.path(&format!("/settlements?cursor={last}"));
    other.operator().call("GET", &path)?.expect_refusal(&["cursor"])?;
    Ok(())
}

fn the_feed_is_of_one_account(service: &dyn Service) -> CaseResult {
    let (one, other) = (Firm::open(service)?, Firm::open(service)?);
    settle(&one, "a", "2025-01-01")?;
    settle(&other, "a", "2025-01-02")?;
    equal("one", &settled_on(&one.settlements()?), &vec!["2025-01-01"])?;
    equal("the other", &settled_on(&other.settlements()?), &vec!["2025-01-02"])
}
