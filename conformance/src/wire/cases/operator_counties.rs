//! County grants through the operator API.

use serde_json::{Value, json};

use crate::wire::{CaseResult, Firm, Operator, Service, failure::equal};

cases! { "operator_counties":
    "O15" => a_county_is_granted_and_its_date_moved,
    "O15" => taking_a_county_away_answers_with_what_it_was,
    "O4, O15" => a_county_that_is_wrong_is_refused,
    "O15, P14, P21" => a_county_that_does_not_exist_is_refused,
    "O10, P22" => counties_are_listed_by_their_code,
}

fn counties(firm: &Firm<'_>) -> Result<Value, crate::wire::Failure> {
    Ok(firm.operator().call("GET", &firm.path(""))?.ok()?.at("/account/counties").clone())
}

fn a_county_is_granted_and_its_date_moved(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for (written, kept) in [("2025-01-01", "2025-01-01"), ("03/04/2024", "2024-03-04"), ("Dec 31, 2026", "2026-12-31")]
    {
        let expected = json!({"fips": "06037", "county_name": "Los Angeles County", "state": "CA", "from_date": kept});
        equal("the grant", &firm.grant("06037", written)?.json, &json!({ "county": expected }))?;
        equal("the account's counties", &counties(&firm)?, &json!([expected]))?;
    }
    Ok(())
}

fn taking_a_county_away_answers_with_what_it_was(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.grant("06037", "2025-01-01")?;
    let county =
        json!({"fips": "06037", "county_name": "Los Angeles County", "state": "CA", "from_date": "2025-01-01"});
    let expected = json!({ "county": county });
    equal("the grant as it was", &firm.revoke_county("06037")?.json, &expected)?;
    equal("the account's counties", &counties(&firm)?, &json!([]))?;
    for fips in ["06037", "17031"] {
        let path = firm.path(&format!("/counties/{fips}"));
        firm.operator().call("DELETE", &path)?.expect_error(404, "not_found")?;
    }
    Ok(())
}

fn a_county_that_is_wrong_is_refused(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    for body in [json!({}), json!({"from_date": null}), json!({"from_date": "soon"}), json!({"from_date": 20250101})] {
        operator.call_with("PUT", &firm.path("/counties/06037"), &body)?.expect_refusal(&["from_date"])?;
    }
    for fips in ["abcde", "123456", "1"] {
        let path = firm.path(&format!("/counties/{fips}"));
        let answer = operator.call_with("PUT", &path, &json!({"from_date": "2025-01-01"}))?;
        if !matches!(answer.status, 400 | 404) {
            return Err(answer.failure("a refusal of a code that is not five digits"));
        }
    }
    equal("the account's counties", &counties(&firm)?, &json!([]))
}

fn a_county_that_does_not_exist_is_refused(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    for fips in ["06038", "99001", "00000"] {
        let path = firm.path(&format!("/counties/{fips}"));
        let answer = operator.call_with("PUT", &path, &json!({"from_date": "2025-01-01"}))?;
        answer.expect_refusal(&["county", "Census", "06037"])?;
    }
    let prospect = |fips: &str| json!({"source_id": fips, "crash_date": "2025-01-01", "crash_county_fips": fips});
    let answer = operator.call_with("POST", "/prospects", &json!({"prospects": [prospect("06038")]}))?.ok()?;
    answer
        .expect("/results/0/status", "error")?
        .expect_words("/results/0/message", &["crash_county_fips", "Census"])?;
    equal("the account's counties", &counties(&firm)?, &json!([]))?;
    // Connecticut's counties and its planning regions, which replaced them in 2022; a territory.
    for fips in ["09001", "09190", "72127"] {
        firm.grant(fips, "2025-01-01")?;
    }
    Ok(())
}

fn counties_are_listed_by_their_code(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for fips in ["48201", "06037", "17031"] {
        firm.grant(fips, "2025-01-01")?;
    }
    let listed = counties(&firm)?;
    let codes: Vec<&Value> = listed.as_array().into_iter().flatten().map(|county| &county["fips"]).collect();
    equal("the codes", &codes, &vec![&json!("06037"), &json!("17031"), &json!("48201")])?;
    // Of every kind: with an accent, and one that has ended.
    let names = [("35013", "Doña Ana County", "NM"), ("09003", "Hartford County", "CT"), ("66010", "Guam", "GU")];
    for (fips, name, state) in names {
        let answer = firm.grant(fips, "2025-01-01")?;
        answer.expect("/county/county_name", name)?.expect("/county/state", state)?;
    }
    Ok(())
}
