//! Ids and cursors of another account are answered like unknown ones, byte for byte (rule A9).

use std::collections::BTreeSet;

use matterbook_core::api::endpoints;
use serde_json::{Value, json};

use super::clients_get::{create_numbered, ids, wait_for_count};
use crate::wire::{
    Answer, CaseResult, Failure, Firm, Service,
    failure::{equal, holds},
    send, wait_for_prospects,
};

cases! { "other_accounts":
    "A9" => another_accounts_client_looks_unknown_to_the_operator,
    "A9" => a_login_of_another_account_is_as_unknown_as_nobody,
    "A9" => an_external_id_of_another_account_is_nobodys,
    "A9, U17" => the_id_of_a_client_in_a_body_says_nothing,
    "I3" => an_idempotency_key_of_another_account_replays_nothing,
    "A9, C3" => a_cursor_of_another_account_is_told_as_an_altered_one,
}

/// An unknown id.
const NOBODY: &str = "00000000-0000-7000-8000-000000000000";

/// Two firms that may do everything.
fn two(service: &dyn Service) -> Result<[Firm<'_>; 2], Failure> {
    let open = || Firm::with(service, &json!({"api_enabled": true, "digital_bundle": true}));
    Ok([open()?, open()?])
}

fn told(answer: &Answer) -> (u16, String) {
    (answer.status, String::from_utf8_lossy(&answer.body).into_owned())
}

fn another_accounts_client_looks_unknown_to_the_operator(service: &dyn Service) -> CaseResult {
    let [one, other] = two(service)?;
    let theirs = other.create(&json!({"last_name": "Ray", "do_not_mail": true}))?;
    let before = other.show(&theirs)?;
    let mut asked = BTreeSet::new();
    for (method, path) in endpoints().filter(|(_, path)| path.contains("{client}")) {
        let ask = |client: &str| {
            let path = path.replace("/operator/v1/accounts/{account}", "").replace("{client}", client);
            one.operator().call(method.as_str(), &one.path(&path))
        };
        let answer = ask(&theirs)?;
        answer.expect_error(404, "not_found")?;
        equal(&answer.sent, &told(&answer), &told(&ask(NOBODY)?))?;
        asked.insert(method.as_str());
    }
    equal("every method that names a client", &asked, &BTreeSet::from(["DELETE", "GET", "POST"]))?;
    equal("the other firm's client", &other.show(&theirs)?, &before)
}

fn a_login_of_another_account_is_as_unknown_as_nobody(service: &dyn Service) -> CaseResult {
    let [one, other] = two(service)?;
    let create = |login: &str| one.operator().call_with("POST", &one.path("/keys"), &json!({ "login_id": login }));
    let answer = create(&other.owner)?;
    holds(matches!(answer.status, 400 | 404), &answer.sent, "a refusal", || answer.status.to_string())?;
    equal(&answer.sent, &told(&answer), &told(&create(NOBODY)?))
}

fn an_external_id_of_another_account_is_nobodys(service: &dyn Service) -> CaseResult {
    let [one, other] = two(service)?;
    let theirs = other.create(&json!({"external_id": "case-7", "last_name": "Ray", "city": "Peoria"}))?;
    let before = other.show(&theirs)?;
    one.settle(&json!({"external_id": "case-7", "settled_on": "2025-01-02"}))?.expect_error(404, "not_found")?;
    let mine = one.create(&json!({"external_id": "case-7", "last_name": "Ray", "city": "Joliet"}))?;
    holds(mine != theirs, "two firms' clients of the same external id", "two clients", || "one".to_owned())?;
    equal("the other firm's client", &other.show(&theirs)?, &before)?;
    wait_for_count(&one, 1)?;
    let found = |firm: &Firm<'_>| -> Result<Vec<String>, Failure> {
        Ok(ids(firm.get("/clients?external_id=case-7")?.ok()?.array("/clients")?))
    };
    equal("what the one finds", &found(&one)?, &vec![mine])?;
    equal("what the other finds", &found(&other)?, &vec![theirs])
}

fn the_id_of_a_client_in_a_body_says_nothing(service: &dyn Service) -> CaseResult {
    let [one, other] = two(service)?;
    let theirs = other.create(&json!({"external_id": "case-7", "last_name": "Ray"}))?;
    let before = other.show(&theirs)?;
    let mine =
        one.create(&json!({"id": theirs, "account_id": other.account, "first_name": "Ada", "city": "Joliet"}))?;
    holds(mine != theirs, "a client posted with another's id", "an id of its own", || mine.clone())?;
    let settled = json!({"id": theirs, "external_id": "case-7", "settled_on": "2025-01-02"});
    one.settle(&settled)?.expect_error(404, "not_found")?;
    equal("the other firm's client", &other.show(&theirs)?, &before)
}

fn an_idempotency_key_of_another_account_replays_nothing(service: &dyn Service) -> CaseResult {
    let [one, other] = two(service)?;
    for (path, body) in [
        ("/clients", json!({"clients": [{"external_id": "7", "last_name": "Ray"}]})),
        ("/cases/settled", json!({"external_id": "8", "last_name": "Roe", "settled_on": "2025-01-02"})),
    ] {
        let post = |firm: &Firm<'_>, body: &Value| {
            let key = format!("key-of-{}", path.len());
            let answer = send(service, &firm.request("POST", path).header("Idempotency-Key", key).json(body))?.ok()?;
            answer.expect_no_header("idempotent-replayed")?;
            Ok::<_, Failure>(answer)
        };
        let theirs = post(&other, &body)?;
        let mine = post(&one, &body)?;
        let id = |answer: &Answer| answer.text("/results/0/id").or_else(|_| answer.text("/result/id"));
        holds(id(&theirs)? != id(&mine)?, &mine.sent, "a client of its own", || "the other's".to_owned())?;
    }
    Ok(())
}

/// Each listing that gives cursors for an account's rows: how to ask the firm for a page of one.
type Ask = fn(&Firm<'_>, &str) -> Result<Answer, Failure>;

fn a_cursor_of_another_account_is_told_as_an_altered_one(service: &dyn Service) -> CaseResult {
    let firms = two(service)?;
    let county = firms[0].operator().fresh_county()?;
    firms[0].operator().import(&[county.prospect(&json!({})), county.prospect(&json!({}))])?;
    for firm in &firms {
        // The same grants, so that the fingerprint in a prospects' cursor is the same.
        firm.grant(&county.fips, "2020-01-01")?;
        create_numbered(firm, 0..2)?;
        for number in 0..2 {
            firm.settle(&json!({"external_id": format!("n{number}"), "settled_on": "2025-01-02"}))?.ok()?;
        }
    }
    let listings: [Ask; 3] = [
        |firm, cursor| firm.get(&format!("/clients?limit=1&cursor={cursor}")),
        |firm, cursor| firm.get(&format!("/prospects?limit=1&cursor={cursor}")),
        |firm, cursor| firm.operator().call("GET", &firm.path(&format!("/settlements?limit=1&cursor={cursor}"))),
    ];
    wait_for_count(&firms[0], 2)?;
    for ask in listings {
        let cursors = wait_for_prospects(service, || {
            let cursor = |firm| ask(firm, "")?.ok()?.text("/next_cursor");
            Ok([cursor(&firms[0])?, cursor(&firms[1])?])
        })?;
        for (firm, theirs) in [(&firms[0], &cursors[1]), (&firms[1], &cursors[0])] {
            let altered = format!("{theirs}A");
            let answer = ask(firm, theirs)?;
            answer.expect_refusal(&["cursor"])?;
            equal(&answer.sent, &told(&answer), &told(&ask(firm, &altered)?))?;
        }
        for (firm, own) in firms.iter().zip(&cursors) {
            ask(firm, own)?.ok()?;
        }
    }
    Ok(())
}
