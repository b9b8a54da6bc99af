//! Accounts and logins through the operator API.

use serde_json::{Value, json};

use crate::wire::{
    CaseResult, Firm, Operator, Request, Service, a_moment_later,
    failure::{equal, holds},
    operator::unique,
    send,
};

cases! { "operator_accounts":
    "O9" => a_new_account_has_its_flags_off_and_an_owners_login,
    "O10" => an_account_shows_when_its_clients_changed_last,
    "O9" => flags_given_at_creation_are_kept,
    "O41" => an_account_stays_within_a_jurisdiction_or_is_not_made,
    "O5, O9" => an_account_that_is_wrong_is_refused_by_name,
    "O11" => a_change_changes_what_it_names_and_nothing_else,
    "O10" => the_list_has_every_account_oldest_first,
    "O10, O12" => logins_are_added_and_change_their_role,
    "O10" => logins_and_counties_are_listed_alone,
    "O23, A3" => a_removed_login_is_gone_and_its_keys_are_refused,
    "O23" => the_last_owner_of_an_account_is_not_removed,
    "O5, O32" => an_import_that_is_wrong_is_refused_by_name,
    "O5, O40" => a_restore_that_is_wrong_is_refused_by_name,
    "O40" => an_account_is_not_set_back_to_before_it_was_made,
    "O5, O12" => a_login_that_is_wrong_is_refused_by_name,
}

fn email() -> String {
    format!("account-{:x}@example.com", unique())
}

fn a_new_account_has_its_flags_off_and_an_owners_login(service: &dyn Service) -> CaseResult {
    let operator = Operator::of(service);
    let email = email();
    let answer = operator.call_with("POST", "/accounts", &json!({"email": email, "colour": "red"}))?.ok()?;
    let mut account = answer.at("/account").clone();
    let (id, created_at) = (account["id"].clone(), account["created_at"].clone());
    let is_time = created_at.as_str().is_some_and(|text| chrono::DateTime::parse_from_rfc3339(text).is_ok());
    holds(is_time, "created_at", "an RFC 3339 time", || created_at.to_string())?;
    let login = account["logins"][0]["id"].take();
    holds(login.is_string() && id.is_string(), "the new ids", "strings", || answer.json.to_string())?;
    let expected = json!({
        "id": id, "email": email, "api_enabled": false, "suspended": false, "digital_bundle": false,
        "contact_enrichment": false, "jurisdiction": null, "created_at": created_at, "last_commit_at": null, "counties": [],
        "logins": [{"id": null, "account_id": id, "email": email, "role": "owner", "created_at": created_at}],
    });
    equal("a new account", &account, &expected)?;
    let shown = operator.call("GET", &format!("/accounts/{}", answer.text("/account/id")?))?.ok()?;
    equal("the account shown", &shown.json, &answer.json)
}

fn an_account_shows_when_its_clients_changed_last(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    let path = format!("/accounts/{}", firm.account);
    operator.call("GET", &path)?.ok()?.expect("/account/last_commit_at", Value::Null)?;
    let client = firm.create(&json!({"external_id": "a", "last_name": "Ray"}))?;
    let client = operator.call("GET", &format!("{path}/clients/{client}"))?.ok()?;
    let shown = operator.call("GET", &path)?.ok()?;
    equal("the last commit", shown.at("/account/last_commit_at"), client.at("/client/updated_at"))
}

const FLAGS: [&str; 4] = ["api_enabled", "suspended", "digital_bundle", "contact_enrichment"];

fn flags_given_at_creation_are_kept(service: &dyn Service) -> CaseResult {
    let operator = Operator::of(service);
    for flag in FLAGS {
        let answer = operator.call_with("POST", "/accounts", &json!({"email": email(), flag: true}))?.ok()?;
        for other in FLAGS {
            answer.expect(&format!("/account/{other}"), other == flag)?;
        }
    }
    Ok(())
}

fn an_account_stays_within_a_jurisdiction_or_is_not_made(service: &dyn Service) -> CaseResult {
    let operator = Operator::of(service);
    for name in ["eu", "us"] {
        let email = email();
        let answer = operator.call_with("POST", "/accounts", &json!({"email": email, "jurisdiction": name}))?;
        if answer.status == 200 {
            answer.expect("/account/jurisdiction", name)?;
            continue;
        }
        let message = answer.expect_error(409, "conflict")?.text("/error/message")?;
        holds(message.contains("jurisdiction"), "the message", "names jurisdiction", || message.clone())?;
        let made = operator.walk("/accounts", "accounts")?.iter().any(|account| account["email"] == json!(email));
        holds(!made, "a refused account", "not made", || email.clone())?;
    }
    for value in [json!("EU"), json!("fr"), json!(7), json!(true), json!(["eu"])] {
        let body = json!({"email": email(), "jurisdiction": value});
        operator.call_with("POST", "/accounts", &body)?.expect_refusal(&["jurisdiction"])?;
    }
    let none = operator.call_with("POST", "/accounts", &json!({"email": email(), "jurisdiction": null}))?.ok()?;
    none.expect("/account/jurisdiction", Value::Null)?;
    let path = format!("/accounts/{}", none.text("/account/id")?);
    operator.call_with("PATCH", &path, &json!({"jurisdiction": "eu"}))?.expect_refusal(&["jurisdiction"])?;
    Ok(())
}

fn a_restore_that_is_wrong_is_refused_by_name(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let bodies =
        [json!({}), json!({"at": null}), json!({"at": 7}), json!({"at": "yesterday"}), json!({"at": "2026-03-02"})];
    for body in bodies.into_iter().chain([json!({"at": "9000-01-01T00:00:00Z"})]) {
        let refused = firm.operator().call_with("POST", &firm.path("/restore"), &body)?;
        let message = refused.expect_error(400, "invalid_request")?.text("/error/message")?;
        holds(message.contains("at "), "the message", "names at", || message.clone())?;
    }
    let unknown = "/accounts/00000000-0000-7000-8000-000000000000/restore";
    let at = json!({"at": "2020-01-01T00:00:00Z"});
    firm.operator().call_with("POST", unknown, &at)?.expect_error(404, "not_found").map(|_| ())
}

fn an_account_is_not_set_back_to_before_it_was_made(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let client = firm.create(&json!({"last_name": "Ray"}))?;
    firm.operator().call_with("PATCH", &firm.path(""), &json!({"suspended": true}))?.ok()?;
    let at = json!({"at": "2020-01-01T00:00:00Z"});
    firm.operator().call_with("POST", &firm.path("/restore"), &at)?.expect_error(409, "conflict")?;
    let log = firm.operator().call("GET", "/log?limit=100")?.ok()?;
    let restored = log.array("/log")?.iter().filter(|entry| entry["action"] == "account.restore").count();
    equal("restores in the log", &restored, &0)?;
    firm.operator().call("GET", &firm.path(&format!("/clients/{client}")))?.ok().map(|_| ())
}

fn an_import_that_is_wrong_is_refused_by_name(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let digest = "0".repeat(64);
    let head = json!({
        "matterbook_account": 1, "account": firm.account, "key_secrets": [], "is_suspended": false, "tables": {}, "row": [],
    });
    for (member, value) in [
        ("row_count", json!(0)),
        ("row_count", json!("5")),
        ("digest", json!("0")),
        ("head", json!(7)),
        ("revoke_keys", json!("yes")),
        ("revoke_keys", json!(1)),
    ] {
        let mut body = json!({"head": head, "row_count": 5, "digest": digest, "revoke_keys": false});
        body[member] = value;
        firm.operator().call_with("PUT", &firm.path("/import"), &body)?.expect_refusal(&[member])?;
    }
    let mut head = head;
    head["is_suspended"] = "no".into();
    let body = json!({"head": head, "row_count": 5, "digest": digest});
    firm.operator().call_with("PUT", &firm.path("/import"), &body)?.expect_refusal(&["is_suspended"])?;
    Ok(())
}

fn an_account_that_is_wrong_is_refused_by_name(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    for body in
        [json!({}), json!({"email": null}), json!({"email": ""}), json!({"email": "nobody"}), json!({"email": 5})]
    {
        operator.call_with("POST", "/accounts", &body)?.expect_refusal(&["email"])?;
    }
    operator.call_with("PATCH", &firm.path(""), &json!({"email": "nobody"}))?.expect_refusal(&["email"])?;
    for flag in FLAGS {
        for value in [json!("yes"), json!(1)] {
            let body = json!({"email": email(), flag: value});
            operator.call_with("POST", "/accounts", &body)?.expect_refusal(&[flag])?;
            operator.call_with("PATCH", &firm.path(""), &json!({flag: value}))?.expect_refusal(&[flag])?;
        }
    }
    firm.get("/me")?.ok()?.expect("/account/email", firm.email.as_str())?;
    Ok(())
}

fn a_change_changes_what_it_names_and_nothing_else(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.grant("17031", "2025-01-01")?;
    let operator = Operator::of(service);
    let mut expected = operator.call("GET", &firm.path(""))?.ok()?.json;
    let email = email();
    for (name, value) in [
        ("digital_bundle", json!(true)),
        ("contact_enrichment", json!(true)),
        ("suspended", json!(true)),
        ("email", json!(email)),
        ("suspended", json!(false)),
        ("api_enabled", json!(false)),
    ] {
        expected["account"][name] = value.clone();
        equal(&format!("the answer to a change of {name}"), &firm.set(&json!({name: value}))?.json, &expected)?;
        equal("the account shown", &operator.call("GET", &firm.path(""))?.ok()?.json, &expected)?;
    }
    equal("a change of nothing", &firm.set(&json!({}))?.json, &expected)
}

fn the_list_has_every_account_oldest_first(service: &dyn Service) -> CaseResult {
    let mut firms = Vec::new();
    for _ in 0..3 {
        firms.push(Firm::open(service)?);
        a_moment_later(service);
    }
    let operator = Operator::of(service);
    let rows = operator.walk("/accounts", "accounts")?;
    let places: Vec<Option<usize>> =
        firms.iter().map(|firm| rows.iter().position(|row| row["id"] == json!(firm.account))).collect();
    holds(places.iter().all(Option::is_some) && places.is_sorted(), "the list of accounts", "oldest first", || {
        format!("places {places:?}")
    })?;
    let shown = operator.call("GET", &firms[0].path(""))?.ok()?;
    let listed = places[0].and_then(|place| rows.get(place));
    equal("an account, listed and shown", &listed, &Some(shown.at("/account")))
}

fn logins_and_counties_are_listed_alone(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    firm.grant("17031", "2025-03-01")?;
    let account = operator.call("GET", &firm.path(""))?.ok()?;
    for member in ["logins", "counties"] {
        let listed = operator.call("GET", &firm.path(&format!("/{member}")))?.ok()?;
        equal(member, &listed.json, &json!({ member: account.at(&format!("/account/{member}")) }))?;
    }
    Ok(())
}

fn a_removed_login_is_gone_and_its_keys_are_refused(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    let login = json!({"email": email(), "role": "owner"});
    let added = operator.call_with("POST", &firm.path("/logins"), &login)?.ok()?;
    let login = added.text("/login/id")?;
    let made = operator.call_with("POST", &firm.path("/keys"), &json!({ "login_id": login }))?.ok()?;
    let me = Request::new("GET", "/api/v1/me").bearer(&made.text("/key/key")?);
    send(service, &me)?.ok()?;
    let path = format!("/logins/{login}");
    equal("the login as it was", &operator.call("DELETE", &path)?.ok()?.json, &added.json)?;
    send(service, &me)?.expect_error(401, "unauthorized")?;
    firm.get("/me")?.ok()?;
    let keys = operator.call("GET", &firm.path("/keys"))?.ok()?;
    let keys = keys.array("/keys")?;
    let of_login = keys.iter().find(|key| key["login_id"] == json!(login)).cloned().unwrap_or_default();
    holds(of_login["revoked_at"].is_string(), "the login's key", "revoked", || of_login.to_string())?;
    let logins = operator.call("GET", &firm.path("/logins"))?.ok()?;
    equal("the logins that are left", &logins.array("/logins")?.len(), &1)?;
    operator.call("DELETE", &path)?.expect_error(404, "not_found")?;
    Ok(())
}

fn the_last_owner_of_an_account_is_not_removed(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    let teammate = json!({"email": email(), "role": "teammate"});
    let teammate = operator.call_with("POST", &firm.path("/logins"), &teammate)?.ok()?.text("/login/id")?;
    let refused = operator.call("DELETE", &format!("/logins/{}", firm.owner))?;
    refused.expect_error(400, "invalid_request")?;
    firm.get("/me")?.ok()?;
    operator.call_with("PATCH", &format!("/logins/{teammate}"), &json!({"role": "owner"}))?.ok()?;
    operator.call("DELETE", &format!("/logins/{}", firm.owner))?.ok()?;
    let me = Request::new("GET", "/api/v1/me").bearer(&firm.key);
    send(service, &me)?.expect_error(401, "unauthorized")?;
    Ok(())
}

fn logins_are_added_and_change_their_role(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    for (number, role) in ["teammate", "view_only", "owner"].into_iter().enumerate() {
        let email = email();
        a_moment_later(service);
        let answer = operator.call_with("POST", &firm.path("/logins"), &json!({"email": email, "role": role}))?.ok()?;
        let id = answer.text("/login/id")?;
        answer
            .expect("/login/email", email)?
            .expect("/login/role", role)?
            .expect("/login/account_id", firm.account.as_str())?;
        equal("members of a login", &answer.at("/login").as_object().map(serde_json::Map::len), &Some(5))?;
        for other in ["owner", "view_only", "teammate"] {
            let changed = operator.call_with("PATCH", &format!("/logins/{id}"), &json!({ "role": other }))?.ok()?;
            let mut expected = answer.json.clone();
            expected["login"]["role"] = json!(other);
            equal("the login with another role", &changed.json, &expected)?;
        }
        let account = operator.call("GET", &firm.path(""))?.ok()?;
        let logins: Vec<&Value> = account.array("/account/logins")?.iter().map(|login| &login["id"]).collect();
        equal("how many logins, oldest first", &logins.len(), &(number + 2))?;
        equal("the login added last", &logins.last(), &Some(&&json!(id)))?;
    }
    Ok(())
}

fn a_login_that_is_wrong_is_refused_by_name(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    for (body, word) in [
        (json!({"role": "owner"}), "email"),
        (json!({"email": "nobody", "role": "owner"}), "email"),
        (json!({"email": "a@example.com"}), "role"),
        (json!({"email": "a@example.com", "role": "king"}), "role"),
        (json!({"email": "a@example.com", "role": true}), "role"),
    ] {
        operator.call_with("POST", &firm.path("/logins"), &body)?.expect_refusal(&[word])?;
    }
    for body in [json!({}), json!({"role": "king"}), json!({"role": null})] {
        operator.call_with("PATCH", &format!("/logins/{}", firm.owner), &body)?.expect_refusal(&["role"])?;
    }
    Ok(())
}
