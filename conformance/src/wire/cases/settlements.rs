//! A client's settlements: which date starts one, which corrects one, which changes nothing (group T of the
//! specification). They are read through the operator's feed.

use serde_json::{Value, json};

use crate::wire::{CaseResult, Failure, Firm, Service, failure::equal};

cases! { "settlements":
    "H27, M26, T9" => settling_adds_a_new_client_and_updates_a_known_one,
    "T3" => the_first_date_begins_a_settlement_on_both_endpoints,
    "T5, T6" => posting_another_date_to_clients_corrects_by_default,
    "T4, T6" => settling_on_another_date_begins_another_by_default,
    "T4, T5, T6" => new_settlement_is_honoured_on_both_endpoints,
    "N36, T6" => new_settlement_is_a_boolean_or_a_yes_no_string,
    "T4" => a_late_retry_changes_nothing,
    "T4, T5" => a_date_from_before_a_correction_starts_no_settlement,
    "T1" => settled_on_is_the_date_of_the_settlement_begun_last,
    "T2" => the_same_date_again_changes_nothing,
    "T4, T5, U5" => several_dates_in_one_batch_are_taken_in_order,
    "T4, T5" => a_sync_with_an_older_settlements_date_changes_nothing,
    "T12" => dates_that_one_batch_moves_there_and_back_move_no_feed,
    "T7" => settling_takes_the_other_fields_too,
}

/// The dates of the firm's settlements with their ids, oldest begun first.
fn dates(firm: &Firm<'_>) -> Result<Vec<(String, String)>, Failure> {
    let mut feed = firm.settlements()?;
    feed.sort_by_key(|row| row["begun_at"].as_str().unwrap_or_default().to_owned());
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(feed.iter().map(|row| (text(&row["id"]), text(&row["settled_on"]))).collect())
}

fn only_dates(firm: &Firm<'_>) -> Result<Vec<String>, Failure> {
    Ok(dates(firm)?.into_iter().map(|(_, date)| date).collect())
}

fn expect_dates(firm: &Firm<'_>, what: &str, expected: &[&str]) -> CaseResult {
    equal(what, &only_dates(firm)?, &expected.iter().map(|date| (*date).to_owned()).collect())
}

/// Settles the client `a` with a date and more fields, through one of the endpoints.
fn settle(firm: &Firm<'_>, path: &str, date: &str, more: &Value) -> CaseResult {
    let mut client = json!({"external_id": "a", "settled_on": date});
    if let (Some(client), Some(more)) = (client.as_object_mut(), more.as_object()) {
        client.extend(more.clone());
    }
    if path == "/clients" {
        firm.post_client(&client, "updated")?;
    } else {
        firm.settle(&client)?.ok()?.expect("/result/status", "updated")?;
    }
    Ok(())
}

const BOTH: [&str; 2] = ["/clients", "/cases/settled"];

fn with_client(service: &dyn Service) -> Result<(Firm<'_>, String), Failure> {
    let firm = Firm::open(service)?;
    let id = firm.create(&json!({"external_id": "a", "last_name": "Ray"}))?;
    Ok((firm, id))
}

fn settling_adds_a_new_client_and_updates_a_known_one(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let body = json!({"external_id": "a", "last_name": "Ray", "settled_on": "Jan 2, 2025"});
    let answer = firm.settle(&body)?.ok()?;
    answer.expect("/result/index", 0)?.expect("/result/status", "created")?.expect_absent("/results")?;
    let id = answer.text("/result/id")?;
    firm.settle(&json!({"external_id": "a", "settled_on": "2025-01-02"}))?
        .ok()?
        .expect("/result/status", "updated")?
        .expect("/result/id", id.as_str())?;
    let body = json!({"first_name": "Bo", "last_name": "Li", "address_line1": "5 Oak Ave", "zip": "02139",
        "settled_on": "2025-03-04"});
    firm.settle(&body)?.ok()?.expect("/result/status", "created")?;
    firm.settle(&body)?.ok()?.expect("/result/status", "updated")?;
    equal("settled_on", &firm.show(&id)?["settled_on"], &json!("2025-01-02"))
}

fn the_first_date_begins_a_settlement_on_both_endpoints(service: &dyn Service) -> CaseResult {
    for path in BOTH {
        for flag in [json!({}), json!({"new_settlement": true}), json!({"new_settlement": false})] {
            let (firm, id) = with_client(service)?;
            expect_dates(&firm, "before any date", &[])?;
            settle(&firm, path, "2025-01-02", &flag)?;
            expect_dates(&firm, &format!("the first date on {path} with {flag}"), &["2025-01-02"])?;
            equal("settled_on", &firm.show(&id)?["settled_on"], &json!("2025-01-02"))?;
        }
    }
    let firm = Firm::open(service)?;
    firm.create(&json!({"external_id": "a", "last_name": "Ray", "settled_on": "2025-01-02"}))?;
    expect_dates(&firm, "a client created with a date", &["2025-01-02"])
}

fn posting_another_date_to_clients_corrects_by_default(service: &dyn Service) -> CaseResult {
    let (firm, id) = with_client(service)?;
    settle(&firm, "/clients", "2025-01-02", &json!({}))?;
    let before = dates(&firm)?;
    for blank in [json!({}), json!({"new_settlement": null}), json!({"new_settlement": " "})] {
        settle(&firm, "/clients", "2025-01-02", &blank)?;
    }
    settle(&firm, "/clients", "2025-02-03", &json!({"new_settlement": ""}))?;
    let after = dates(&firm)?;
    equal("the corrected settlement", &after, &vec![(before[0].0.clone(), "2025-02-03".to_owned())])?;
    equal("settled_on", &firm.show(&id)?["settled_on"], &json!("2025-02-03"))
}

fn settling_on_another_date_begins_another_by_default(service: &dyn Service) -> CaseResult {
    let (firm, id) = with_client(service)?;
    settle(&firm, "/cases/settled", "2025-01-02", &json!({}))?;
    let before = dates(&firm)?;
    settle(&firm, "/cases/settled", "2025-02-03", &json!({"new_settlement": null}))?;
    let after = dates(&firm)?;
    equal("the first settlement", &after.first(), &before.first())?;
    expect_dates(&firm, "two settlements", &["2025-01-02", "2025-02-03"])?;
    equal("settled_on", &firm.show(&id)?["settled_on"], &json!("2025-02-03"))
}

fn new_settlement_is_honoured_on_both_endpoints(service: &dyn Service) -> CaseResult {
    for path in BOTH {
        let (firm, _) = with_client(service)?;
        settle(&firm, path, "2025-01-02", &json!({}))?;
        settle(&firm, path, "2025-02-03", &json!({"new_settlement": true}))?;
        expect_dates(&firm, &format!("true on {path}"), &["2025-01-02", "2025-02-03"])?;
        settle(&firm, path, "2025-03-04", &json!({"new_settlement": false}))?;
        expect_dates(&firm, &format!("false on {path}"), &["2025-01-02", "2025-03-04"])?;
    }
    Ok(())
}

fn new_settlement_is_a_boolean_or_a_yes_no_string(service: &dyn Service) -> CaseResult {
    for (value, begins) in [("yes", true), ("TRUE", true), ("on", true), ("no", false), ("f", false), ("0", false)] {
        for path in BOTH {
            let (firm, _) = with_client(service)?;
            settle(&firm, path, "2025-01-02", &json!({}))?;
            settle(&firm, path, "2025-02-03", &json!({ "new_settlement": value }))?;
            equal(
                &format!("settlements after {value:?} on {path}"),
                &only_dates(&firm)?.len(),
                &if begins { 2 } else { 1 },
            )?;
        }
    }
    let (firm, _) = with_client(service)?;
    for value in [json!(1), json!("maybe"), json!([])] {
        let client = json!({"external_id": "a", "settled_on": "2025-01-02", "new_settlement": value});
        firm.post_client(&client, "error")?.expect_words("/results/0/message", &["new_settlement"])?;
        firm.settle(&client)?.expect_refusal(&["new_settlement"])?;
    }
    expect_dates(&firm, "after errors", &[])
}

fn a_late_retry_changes_nothing(service: &dyn Service) -> CaseResult {
    for path in BOTH {
        let (firm, id) = with_client(service)?;
        let new = json!({"new_settlement": true});
        for date in ["2025-01-02", "2025-02-03", "2025-03-04"] {
            settle(&firm, path, date, &new)?;
        }
        let (record, feed) = (firm.show(&id)?, firm.settlements()?);
        for date in ["2025-01-02", "2025-02-03", "2025-03-04"] {
            settle(&firm, path, date, &new)?;
        }
        equal(&format!("the client after late retries on {path}"), &firm.show(&id)?, &record)?;
        equal(&format!("the feed after late retries on {path}"), &firm.settlements()?, &feed)?;
    }
    Ok(())
}

fn a_date_from_before_a_correction_starts_no_settlement(service: &dyn Service) -> CaseResult {
    let (firm, _) = with_client(service)?;
    settle(&firm, "/cases/settled", "2025-01-02", &json!({}))?;
    settle(&firm, "/cases/settled", "2025-01-03", &json!({"new_settlement": false}))?;
    settle(&firm, "/cases/settled", "2025-01-04", &json!({"new_settlement": false}))?;
    let feed = firm.settlements()?;
    for date in ["2025-01-02", "2025-01-03", "2025-01-04"] {
        settle(&firm, "/cases/settled", date, &json!({"new_settlement": true}))?;
    }
    equal("the feed after retries with corrected dates", &firm.settlements()?, &feed)?;
    expect_dates(&firm, "the one settlement", &["2025-01-04"])
}

fn settled_on_is_the_date_of_the_settlement_begun_last(service: &dyn Service) -> CaseResult {
    let (firm, id) = with_client(service)?;
    // Begun last, though its date is the earlier one.
    settle(&firm, "/cases/settled", "2025-06-01", &json!({}))?;
    settle(&firm, "/cases/settled", "2025-01-01", &json!({}))?;
    equal("settled_on", &firm.show(&id)?["settled_on"], &json!("2025-01-01"))?;
    settle(&firm, "/clients", "2025-01-05", &json!({}))?;
    equal("settled_on after a correction", &firm.show(&id)?["settled_on"], &json!("2025-01-05"))?;
    expect_dates(&firm, "both", &["2025-06-01", "2025-01-05"])
}

fn the_same_date_again_changes_nothing(service: &dyn Service) -> CaseResult {
    let (firm, id) = with_client(service)?;
    settle(&firm, "/cases/settled", "2025-01-02", &json!({}))?;
    let (record, feed) = (firm.show(&id)?, firm.settlements()?);
    for path in BOTH {
        for flag in [json!({}), json!({"new_settlement": true}), json!({"new_settlement": false})] {
            settle(&firm, path, "01/02/2025", &flag)?;
        }
    }
    equal("the client", &firm.show(&id)?, &record)?;
    equal("the feed", &firm.settlements()?, &feed)
}

fn several_dates_in_one_batch_are_taken_in_order(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let dated = |date: &str, new: bool| json!({"external_id": "a", "last_name": "Ray", "settled_on": date, "new_settlement": new});
    let answer = firm.post_clients(&[
        dated("2025-01-01", false),
        dated("2025-01-02", false),
        dated("2025-02-02", true),
        dated("2025-02-03", false),
        dated("2025-01-01", true),
    ])?;
    answer.expect("/results/0/status", "created")?.expect("/results/4/status", "updated")?;
    let id = answer.text("/results/0/id")?;
    let mut came = only_dates(&firm)?;
    came.sort_unstable();
    equal("the settlements", &came, &vec!["2025-01-02".to_owned(), "2025-02-03".to_owned()])?;
    equal("settled_on", &firm.show(&id)?["settled_on"], &json!("2025-02-03"))
}

fn a_sync_with_an_older_settlements_date_changes_nothing(service: &dyn Service) -> CaseResult {
    for path in BOTH {
        for flag in [json!({}), json!({"new_settlement": true}), json!({"new_settlement": false})] {
            let (firm, id) = with_client(service)?;
            for date in ["2025-01-10", "2026-02-20"] {
                settle(&firm, "/cases/settled", date, &json!({}))?;
            }
            let (record, feed) = (firm.show(&id)?, firm.settlements()?);
            settle(&firm, path, "2025-01-10", &flag)?;
            equal(&format!("the client after an older date on {path} with {flag}"), &firm.show(&id)?, &record)?;
            equal(&format!("the feed after an older date on {path} with {flag}"), &firm.settlements()?, &feed)?;
        }
    }
    Ok(())
}

fn dates_that_one_batch_moves_there_and_back_move_no_feed(service: &dyn Service) -> CaseResult {
    let (firm, id) = with_client(service)?;
    settle(&firm, "/clients", "2025-01-02", &json!({}))?;
    let (record, feed) = (firm.show(&id)?, firm.settlements()?);
    let dated = |date: &str| json!({"external_id": "a", "settled_on": date});
    for dates in [&["2025-01-03", "2025-01-02"][..], &["2025-01-03", "2025-01-04", "2025-01-02"]] {
        let clients: Vec<Value> = dates.iter().map(|date| dated(date)).collect();
        firm.post_clients(&clients)?.expect("/results/1/status", "updated")?;
        equal(&format!("the client after {dates:?}"), &firm.show(&id)?, &record)?;
        equal(&format!("the feed after {dates:?}"), &firm.settlements()?, &feed)?;
    }
    Ok(())
}

fn settling_takes_the_other_fields_too(service: &dyn Service) -> CaseResult {
    let (firm, id) = with_client(service)?;
    settle(
        &firm,
        "/cases/settled",
        "2025-01-02",
        &json!({"city": "Peoria", "do_not_mail": "yes", "state": " illinois "}),
    )?;
    let record = firm.show(&id)?;
    equal(
        "the fields sent with a settlement",
        &(&record["city"], &record["do_not_mail"], &record["state"]),
        &(&json!("Peoria"), &json!(true), &json!("IL")),
    )
}
