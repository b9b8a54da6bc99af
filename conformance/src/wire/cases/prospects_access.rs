//! Which prospects an account sees: the bundle, its counties, its dates, and cursors when those
//! change.

use serde_json::json;

use super::{
    clients_get::ids,
    prospects::{wait_for_these, with_county},
};
use crate::wire::{
    Answer, CaseResult, Failure, Firm, Operator, Service, eventually, failure::equal, wait_for_prospects,
};

cases! { "prospects_access":
    "A6" => without_the_bundle_it_is_403_bundle_required,
    "P2" => without_a_county_nothing_is_seen,
    "P2" => a_prospect_is_seen_from_the_grants_date_on,
    "P2" => only_the_accounts_counties_are_seen,
    "P2, P4, P5" => several_counties_are_seen_in_one_order,
    "O15, P2" => a_county_taken_away_is_gone_at_once,
    "C7" => any_change_of_the_grants_makes_a_cursor_stale,
    "C7" => granting_the_same_again_leaves_cursors_good,
    "C7" => after_a_stale_cursor_a_walk_from_the_start_meets_all,
}

fn without_the_bundle_it_is_403_bundle_required(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    for query in ["", "?order=newest", "?limit=5"] {
        firm.get(&format!("/prospects{query}"))?.expect_error(403, "bundle_required")?;
    }
    firm.set(&json!({"digital_bundle": true}))?;
    firm.get("/prospects")?.ok()?;
    firm.set(&json!({"digital_bundle": false}))?;
    firm.get("/prospects")?.expect_error(403, "bundle_required")?;
    Ok(())
}

fn without_a_county_nothing_is_seen(service: &dyn Service) -> CaseResult {
    let firm = Firm::with(service, &json!({"api_enabled": true, "digital_bundle": true}))?;
    for query in ["", "?order=newest", "?limit=100"] {
        let answer = firm.get(&format!("/prospects{query}"))?.ok()?;
        equal(&answer.sent, &answer.json, &json!({"prospects": [], "next_cursor": null}))?;
    }
    Ok(())
}

fn a_prospect_is_seen_from_the_grants_date_on(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    let dates = ["2025-03-13", "2025-03-14", "2025-03-15"];
    let batch = dates.map(|date| county.prospect(&json!({ "crash_date": date })));
    let imported = firm.operator().import(&batch)?;
    wait_for_these(&firm, &imported)?;
    for (from_date, first_seen) in [("2025-03-14", 1), ("2025-03-16", 3), ("2025-03-15", 2), ("2025-03-13", 0)] {
        firm.grant(&county.fips, from_date)?;
        let mut expected = imported[first_seen..].to_vec();
        expected.sort_unstable();
        for query in ["/prospects?limit=100", "/prospects?order=newest"] {
            let mut came = ids(firm.get(query)?.ok()?.array("/prospects")?);
            came.sort_unstable();
            equal(&format!("{query}, granted from {from_date}"), &came, &expected)?;
        }
    }
    Ok(())
}

fn only_the_accounts_counties_are_seen(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    let (other, elsewhere) = with_county(service)?;
    let mine = firm.operator().import(&[county.prospect(&json!({}))])?;
    let theirs = other.operator().import(&[elsewhere.prospect(&json!({}))])?;
    wait_for_these(&firm, &mine)?;
    equal("what the other firm sees", &ids(&wait_for_these(&other, &theirs)?), &theirs)
}

fn several_counties_are_seen_in_one_order(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    let operator = firm.operator();
    let second = operator.fresh_county()?;
    firm.grant(&second.fips, "2025-03-14")?;
    let mut imported = Vec::new();
    for number in 0..6 {
        let county = if number % 2 == 0 { &county } else { &second };
        imported.extend(operator.import(&[county.prospect(&json!({}))])?);
    }
    let hidden = operator.import(&[second.prospect(&json!({"crash_date": "2025-03-13"}))])?;
    let rows = wait_for_these(&firm, &imported)?;
    equal("rows of both counties by the time of adding", &ids(&rows), &imported)?;
    equal("page by page", &firm.walk_prospects("limit=1")?, &rows)?;
    let newest = ids(firm.get("/prospects?order=newest")?.ok()?.array("/prospects")?);
    equal("newest first", &newest, &imported.iter().rev().cloned().collect())?;
    equal("the crash before the second grant's date", &newest.contains(&hidden[0]), &false)
}

fn a_county_taken_away_is_gone_at_once(service: &dyn Service) -> CaseResult {
    let (firm, county) = with_county(service)?;
    let imported = firm.operator().import(&[county.prospect(&json!({}))])?;
    wait_for_these(&firm, &imported)?;
    firm.revoke_county(&county.fips)?;
    equal("after the county was taken away", &firm.walk_prospects("limit=100")?, &Vec::new())?;
    firm.get("/prospects?order=newest")?.ok()?.expect("/prospects", json!([]))?;
    Ok(())
}

/// A firm with three prospects.
struct Reader<'s> {
    firm: Firm<'s>,
    fips: String,
    imported: Vec<String>,
}

impl<'s> Reader<'s> {
    fn new(service: &'s dyn Service) -> Result<Self, Failure> {
        let (firm, county) = with_county(service)?;
        let batch: Vec<_> = (0..3).map(|_| county.prospect(&json!({}))).collect();
        let imported = firm.operator().import(&batch)?;
        Ok(Self { firm, fips: county.fips, imported })
    }

    /// Waits until all three are seen; a cursor after the first.
    fn cursor(&self) -> Result<String, Failure> {
        eventually(self.firm.service, || {
            equal("the prospects seen", &self.firm.walk_prospects("limit=100")?.len(), &3)?;
            self.firm.get("/prospects?limit=1")?.ok()?.text("/next_cursor")
        })
    }
}

/// Something that the operator does to what a reader may see.
type Change<'c> = &'c dyn Fn(&Reader<'_>) -> Result<Answer, Failure>;

fn any_change_of_the_grants_makes_a_cursor_stale(service: &dyn Service) -> CaseResult {
    let elsewhere = Operator::of(service).fresh_county()?.fips;
    let changes: [Change<'_>; 4] = [
        &|reader| reader.firm.grant(&elsewhere, "2025-01-01"),
        &|reader| reader.firm.grant(&reader.fips, "1999-12-31"),
        &|reader| reader.firm.grant(&reader.fips, "2000-01-02"),
        &|reader| reader.firm.revoke_county(&reader.fips),
    ];
    // All of them wait out the delay together.
    let readers = changes.iter().map(|_| Reader::new(service)).collect::<Result<Vec<_>, _>>()?;
    service.elapse(std::time::Duration::from_secs(service.facts().prospect_delay_seconds));
    for (reader, change) in readers.iter().zip(changes) {
        let cursor = reader.cursor()?;
        reader.firm.get(&format!("/prospects?cursor={cursor}"))?.ok()?;
        change(reader)?;
        for query in ["", "order=oldest&limit=2&"] {
            let path = format!("/prospects?{query}cursor={cursor}");
            reader.firm.get(&path)?.expect_error(409, "cursor_stale")?;
        }
        reader.firm.get("/prospects")?.ok()?;
    }
    Ok(())
}

fn granting_the_same_again_leaves_cursors_good(service: &dyn Service) -> CaseResult {
    let reader = Reader::new(service)?;
    let (firm, cursor) = (&reader.firm, wait_for_prospects(service, || reader.cursor())?);
    firm.grant(&reader.fips, "01/01/2000")?;
    firm.set(&json!({"contact_enrichment": true}))?;
    let answer = firm.get(&format!("/prospects?limit=100&cursor={cursor}"))?.ok()?;
    equal("the rows after the first", &answer.array("/prospects")?.len(), &2)
}

fn after_a_stale_cursor_a_walk_from_the_start_meets_all(service: &dyn Service) -> CaseResult {
    let reader = Reader::new(service)?;
    let (firm, cursor) = (&reader.firm, wait_for_prospects(service, || reader.cursor())?);
    let mut imported = reader.imported.clone();
    let operator = firm.operator();
    let county = operator.fresh_county()?;
    imported.extend(operator.import(&[county.prospect(&json!({}))])?);
    firm.grant(&county.fips, "2020-01-01")?;
    firm.get(&format!("/prospects?cursor={cursor}"))?.expect_error(409, "cursor_stale")?;
    imported.sort_unstable();
    wait_for_prospects(service, || {
        let mut walked = ids(&firm.walk_prospects("limit=1")?);
        walked.sort_unstable();
        equal("a walk from the start", &walked, &imported)
    })
}
