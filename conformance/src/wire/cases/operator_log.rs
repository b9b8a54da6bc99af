//! The operator's log: the actor, action, subject and request of every command (rule O6).

use serde_json::{Value, json};

use super::clients_post::full;
use crate::wire::{
    Answer, CaseResult, Failure, Firm, Operator, Service, a_moment_later,
    failure::{equal, holds},
    operator::unique,
    send,
};

cases! { "operator_log":
    "O6" => every_action_is_logged_with_its_actor_subject_and_request,
    "O3" => without_an_actor_it_is_the_operator,
    "O3" => a_wrong_actor_is_refused_also_where_nothing_is_logged,
    "O6" => reading_and_refused_actions_are_not_logged,
    "O6" => the_log_holds_no_secret_and_no_client,
    "O21" => the_log_is_newest_first,
}

/// Acts under a name of its own, so that its entries are found among others'.
struct Actor<'s> {
    operator: Operator<'s>,
    service: &'s dyn Service,
    name: String,
}

impl<'s> Actor<'s> {
    fn new(service: &'s dyn Service) -> Self {
        Self { operator: Operator::of(service), service, name: format!("Case {:x}", unique()) }
    }

    fn act(&self, method: &str, path: &str, body: &Value) -> Result<Answer, Failure> {
        let request = self.operator.request(method, path).header("Matterbook-Actor", self.name.as_str());
        a_moment_later(self.service);
        send(self.service, &if body.is_null() { request } else { request.json(body) })
    }

    /// Oldest first.
    fn entries(&self) -> Result<Vec<Value>, Failure> {
        let mut entries = self.operator.walk("/log", "log")?;
        entries.retain(|entry| entry["actor"] == json!(self.name));
        entries.reverse();
        Ok(entries)
    }
}

fn every_action_is_logged_with_its_actor_subject_and_request(service: &dyn Service) -> CaseResult {
    let actor = Actor::new(service);
    let none = Value::Null;
    let mut expected: Vec<(&str, String, String)> = Vec::new();
    let mut act = |action: &'static str, method: &str, path: &str, body: &Value, subject: &str| {
        let answer = actor.act(method, path, body)?.ok()?;
        let request_id = answer.header("x-request-id").unwrap_or_default().to_owned();
        let subject = if subject.starts_with('/') { answer.text(subject)? } else { subject.to_owned() };
        expected.push((action, subject.clone(), request_id));
        Ok::<_, Failure>((answer, subject))
    };
    let email = format!("logged-{:x}@example.com", unique());
    let (_, account) =
        act("account.create", "POST", "/accounts", &json!({"email": email, "api_enabled": true}), "/account/id")?;
    let at = |rest: &str| format!("/accounts/{account}{rest}");
    act("account.set", "PATCH", &at(""), &json!({"digital_bundle": true}), "/account/id")?;
    let (_, login) =
        act("login.add", "POST", &at("/logins"), &json!({"email": email, "role": "teammate"}), "/login/id")?;
    act("login.set_role", "PATCH", &format!("/logins/{login}"), &json!({"role": "view_only"}), "/login/id")?;
    let (key, key_id) = act("key.create", "POST", &at("/keys"), &json!({}), "/key/id")?;
    let county = actor.operator.fresh_county()?;
    let path = at(&format!("/counties/{}", county.fips));
    act("county.grant", "PUT", &path, &json!({"from_date": "2025-01-01"}), "?")?;
    act("county.revoke", "DELETE", &path, &none, "?")?;
    let batch = json!({"prospects": [county.prospect(&json!({})), county.prospect(&json!({}))]});
    let (imported, _) = act("prospect.import", "POST", "/prospects", &batch, "2")?;
    let prospect = imported.text("/results/0/id")?;
    act("prospect.erase", "DELETE", &format!("/prospects/{prospect}"), &none, &prospect)?;
    // The client is the firm's own doing, under the key just made.
    let mut client = full("logged");
    client["do_not_mail"] = json!(true);
    let request = crate::wire::Request::new("POST", "/api/v1/clients").bearer(&key.text("/key/key")?);
    let saved = send(service, &request.json(&json!({"clients": [client]})))?.ok()?.text("/results/0/id")?;
    act("client.mail_on", "POST", &at(&format!("/clients/{saved}/mail-on")), &none, &saved)?;
    act("client.erase", "DELETE", &at(&format!("/clients/{saved}")), &none, &saved)?;
    act("key.revoke", "DELETE", &format!("/keys/{key_id}"), &none, &key_id)?;

    let entries = actor.entries()?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let came: Vec<(String, String)> =
        entries.iter().map(|entry| (text(&entry["action"]), text(&entry["request_id"]))).collect();
    let named: Vec<(String, String)> =
        expected.iter().map(|(action, _, request_id)| ((*action).to_owned(), request_id.clone())).collect();
    equal("the actions and their requests", &came, &named)?;
    for (entry, (action, subject, _)) in entries.iter().zip(&expected) {
        let is_time = entry["at"].as_str().is_some_and(|text| chrono::DateTime::parse_from_rfc3339(text).is_ok());
        let members = entry.as_object().map(serde_json::Map::len);
        holds(is_time && members == Some(6), action, "an entry of six members with its time", || entry.to_string())?;
        // Whose county it was is the subject of a grant, in whichever words.
        let fits = if subject == "?" {
            text(&entry["subject"]).contains(&account)
        } else {
            entry["subject"] == json!(subject)
        };
        holds(fits, action, &format!("the subject {subject}"), || entry["subject"].to_string())?;
    }
    Ok(())
}

fn without_an_actor_it_is_the_operator(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let answer = firm.set(&json!({"contact_enrichment": true}))?;
    let request_id = answer.header("x-request-id").unwrap_or_default().to_owned();
    let entries = firm.operator().walk("/log", "log")?;
    let entry = entries.iter().find(|entry| entry["request_id"] == json!(request_id)).cloned().unwrap_or_default();
    equal("the actor", &entry["actor"], &json!("operator"))?;
    for wrong in ["x".repeat(101), "tab\tbed".to_owned(), "naïve".to_owned()] {
        let request = firm.operator().request("PATCH", &firm.path("")).header("Matterbook-Actor", wrong);
        send(service, &request.json(&json!({"contact_enrichment": true})))?.expect_error(400, "invalid_request")?;
    }
    Ok(())
}

/// `GET /settings` and an import of nothing once took any actor: neither has an entry in the log.
fn a_wrong_actor_is_refused_also_where_nothing_is_logged(service: &dyn Service) -> CaseResult {
    let operator = Operator::of(service);
    let import = operator.request("POST", "/prospects").json(&json!({"prospects": []}));
    for request in [operator.request("GET", "/settings"), operator.request("GET", "/log"), import] {
        send(service, &request.clone().header("Matterbook-Actor", "Kim"))?.expect_status(200)?;
        let answer = send(service, &request.header("Matterbook-Actor", "naïve"))?;
        answer.expect_error(400, "invalid_request")?.expect_words("/error/message", &["Matterbook-Actor"])?;
    }
    Ok(())
}

fn reading_and_refused_actions_are_not_logged(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let actor = Actor::new(service);
    let none = Value::Null;
    for (method, path, body) in [
        ("GET", "/settings".to_owned(), none.clone()),
        ("GET", "/accounts".to_owned(), none.clone()),
        ("GET", firm.path(""), none.clone()),
        ("GET", firm.path("/keys"), none.clone()),
        ("GET", firm.path("/settlements"), none.clone()),
        ("GET", "/log".to_owned(), none.clone()),
        ("POST", "/accounts".to_owned(), json!({})),
        ("PATCH", firm.path(""), json!({"suspended": "yes"})),
        ("POST", firm.path("/logins"), json!({"role": "king"})),
        ("DELETE", firm.path("/counties/17031"), none.clone()),
        ("DELETE", "/keys/00000000-0000-7000-8000-000000000000".to_owned(), none.clone()),
        ("GET", "/nothing".to_owned(), none.clone()),
    ] {
        actor.act(method, &path, &body)?;
    }
    equal("entries", &actor.entries()?, &Vec::new())
}

fn the_log_holds_no_secret_and_no_client(service: &dyn Service) -> CaseResult {
    let actor = Actor::new(service);
    let firm = Firm::open(service)?;
    let key = actor.act("POST", &firm.path("/keys"), &json!({"label": "Zapier"}))?.ok()?.text("/key/key")?;
    let id = firm.create(&json!({"external_id": "a", "last_name": "Quixotewicz", "do_not_mail": true}))?;
    actor.act("POST", &firm.path(&format!("/clients/{id}/mail-on")), &Value::Null)?.ok()?;
    actor.act("DELETE", &firm.path(&format!("/clients/{id}")), &Value::Null)?.ok()?;
    let entries = actor.entries()?;
    equal("how many entries", &entries.len(), &3)?;
    let text = format!("{entries:?}");
    for secret in [key.as_str(), "Quixotewicz", &service.facts().operator_token] {
        holds(!text.contains(secret), "the log", "nothing of a client, a key or a token", || "one of them".to_owned())?;
    }
    Ok(())
}

fn the_log_is_newest_first(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let actor = Actor::new(service);
    for flag in [true, false, true, false] {
        actor.act("PATCH", &firm.path(""), &json!({ "contact_enrichment": flag }))?.ok()?;
    }
    let mut entries = firm.operator().walk("/log", "log")?;
    entries.retain(|entry| entry["actor"] == json!(actor.name));
    equal("how many entries", &entries.len(), &4)?;
    let times: Vec<Option<&str>> = entries.iter().map(|entry| entry["at"].as_str()).collect();
    holds(times.iter().rev().is_sorted(), "the log", "newest first", || format!("{times:?}"))
}
