//! Keys through the operator API: who creates them, what is shown, how they end.

use serde_json::{Value, json};

use crate::wire::{
    CaseResult, Firm, Operator, Request, Service, a_moment_later,
    failure::{equal, holds},
    send,
};

cases! { "operator_keys":
    "K4, O13, O14" => a_key_is_shown_once_and_never_again,
    "K5" => only_an_owners_login_creates_keys,
    "K5" => the_default_login_is_the_accounts_oldest_owner,
    "O13" => a_label_has_up_to_200_characters,
    "K6" => revoking_is_final_and_keeps_its_first_time,
    "A9, O13" => a_login_of_another_account_creates_no_key,
    "K7" => the_last_use_is_recorded,
}

fn a_key_is_shown_once_and_never_again(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    a_moment_later(service);
    let created = operator.call_with("POST", &firm.path("/keys"), &json!({"label": "Zapier"}))?.ok()?;
    let key = created.text("/key/key")?;
    let listed = operator.call("GET", &firm.path("/keys"))?.ok()?;
    let keys = listed.array("/keys")?;
    equal(
        "how many keys, oldest first",
        &keys.iter().map(|row| &row["id"]).collect::<Vec<_>>(),
        &vec![&json!(firm.key_id), created.at("/key/id")],
    )?;
    let mut expected = created.at("/key").clone();
    if let Some(members) = expected.as_object_mut() {
        members.remove("key");
    }
    equal("the new key's record", &keys.last(), &Some(&expected))?;
    let shape = json!({
        "id": created.at("/key/id"), "account_id": firm.account, "login_id": firm.owner, "label": "Zapier",
        "last_four": &key[key.len() - 4..], "created_at": expected["created_at"], "last_used_at": null, "revoked_at": null,
    });
    equal("a key's record", &expected, &shape)?;
    // Neither failure text shows a key: these only say that one was found.
    let text = String::from_utf8_lossy(&listed.body).into_owned();
    holds(!text.contains(&key) && !text.contains(&firm.key), "the list of keys", "no key in it", || {
        "a key".to_owned()
    })?;
    let account = operator.call("GET", &firm.path(""))?.ok()?;
    let text = String::from_utf8_lossy(&account.body).into_owned();
    holds(!text.contains(&key) && !text.contains(&firm.key), "the account", "no key in it", || "a key".to_owned())
}

fn only_an_owners_login_creates_keys(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    for role in ["teammate", "view_only"] {
        let login = operator
            .call_with("POST", &firm.path("/logins"), &json!({"email": "mate@example.com", "role": role}))?
            .ok()?
            .text("/login/id")?;
        let body = json!({ "login_id": login });
        operator.call_with("POST", &firm.path("/keys"), &body)?.expect_error(400, "invalid_request")?;
        operator.call_with("PATCH", &format!("/logins/{login}"), &json!({"role": "owner"}))?.ok()?;
        operator.call_with("POST", &firm.path("/keys"), &body)?.ok()?.expect("/key/login_id", login)?;
    }
    let firm = Firm::open(service)?;
    operator.call_with("PATCH", &format!("/logins/{}", firm.owner), &json!({"role": "teammate"}))?.ok()?;
    operator.call_with("POST", &firm.path("/keys"), &json!({}))?.expect_error(400, "invalid_request")?;
    Ok(())
}

fn the_default_login_is_the_accounts_oldest_owner(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    a_moment_later(service);
    let second = operator
        .call_with("POST", &firm.path("/logins"), &json!({"email": "second@example.com", "role": "owner"}))?
        .ok()?
        .text("/login/id")?;
    let create = || operator.call_with("POST", &firm.path("/keys"), &json!({}))?.ok();
    create()?.expect("/key/login_id", firm.owner.as_str())?.expect("/key/label", Value::Null)?;
    operator.call_with("PATCH", &format!("/logins/{}", firm.owner), &json!({"role": "teammate"}))?.ok()?;
    create()?.expect("/key/login_id", second)?;
    Ok(())
}

fn a_label_has_up_to_200_characters(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    let create = |label: Value| operator.call_with("POST", &firm.path("/keys"), &json!({ "label": label }));
    let longest = "é".repeat(200);
    create(json!(longest))?.ok()?.expect("/key/label", longest)?;
    create(Value::Null)?.ok()?.expect("/key/label", Value::Null)?;
    create(json!("x".repeat(201)))?.expect_refusal(&["label"])?;
    create(json!(5))?.expect_refusal(&["label"])?;
    Ok(())
}

fn revoking_is_final_and_keeps_its_first_time(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    let operator = Operator::of(service);
    let path = format!("/keys/{}", firm.key_id);
    let first = operator.call("DELETE", &path)?.ok()?;
    first.expect("/key/id", firm.key_id.as_str())?.expect_absent("/key/key")?;
    first.text("/key/revoked_at")?;
    service.elapse(std::time::Duration::from_millis(20));
    let second = operator.call("DELETE", &path)?.ok()?;
    equal("a key revoked twice", second.at("/key/revoked_at"), first.at("/key/revoked_at"))?;
    let listed = operator.call("GET", &firm.path("/keys"))?.ok()?;
    equal("the revoked key in the list", listed.at("/keys/0/revoked_at"), first.at("/key/revoked_at"))?;
    send(service, &firm.request("GET", "/me"))?.expect_error(401, "unauthorized")?;
    Ok(())
}

fn a_login_of_another_account_creates_no_key(service: &dyn Service) -> CaseResult {
    let (one, other) = (Firm::open(service)?, Firm::open(service)?);
    let operator = Operator::of(service);
    let answer = operator.call_with("POST", &one.path("/keys"), &json!({"login_id": other.owner}))?;
    holds(matches!(answer.status, 400 | 404), &answer.sent, "a refusal", || answer.status.to_string())?;
    for login in [json!("nonsense"), json!(5)] {
        let answer = operator.call_with("POST", &one.path("/keys"), &json!({ "login_id": login }))?;
        holds(matches!(answer.status, 400 | 404), &answer.sent, "a refusal", || answer.status.to_string())?;
    }
    equal("the keys", &operator.call("GET", &one.path("/keys"))?.ok()?.array("/keys")?.len(), &1)
}

fn the_last_use_is_recorded(service: &dyn Service) -> CaseResult {
    let firm = Firm::open(service)?;
    firm.get("/me")?.ok()?;
    crate::wire::eventually(service, || {
        let listed = firm.operator().call("GET", &firm.path("/keys"))?.ok()?;
        listed.text("/keys/0/last_used_at")
    })?;
    // A stranger's request is no use of anything.
    send(service, &Request::new("GET", "/api/v1/me"))?.expect_error(401, "unauthorized")?;
    Ok(())
}
