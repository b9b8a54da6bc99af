//! A change that another process or the operator makes to a key takes effect with the next request, even if
//! the key is cached (rules A8 and K6).

use crate::support::{OPERATOR_TOKEN, Place, Serving, account, run_json, text};
use serde_json::{Value, json};

const ME: &str = "/api/v1/me";

/// The service with an account, the account's id and the database's name.
fn serving() -> (Place, Serving, String) {
    let place = Place::new();
    let (account, _) = account(&place.database());
    let serving = Serving::start(&place.database());
    (place, serving, account)
}

/// Runs a command of a process of its own on the service's file.
fn command(place: &Place, arguments: &[&str]) -> Value {
    let database = place.database();
    run_json(&[arguments, &["--db", database.to_str().expect("a plain name")]].concat())
}

/// Uses a key until the service knows it well.
fn use_often(serving: &Serving, key: &str) {
    for _ in 0..3 {
        assert_eq!(serving.get(key, ME).0, 200);
    }
}

#[test]
fn a_key_that_another_process_revokes_is_refused_with_the_next_request() {
    let (place, serving, account) = serving();
    let other = command(&place, &["key", "create", "--account", &account]);
    let other = text(&other["key"]["key"]);
    for _ in 0..5 {
        let made = command(&place, &["key", "create", "--account", &account]);
        let (id, key) = (text(&made["key"]["id"]), text(&made["key"]["key"]));
        use_often(&serving, &key);
        use_often(&serving, &other);
        command(&place, &["key", "revoke", &id]);
        assert_eq!(serving.get(&key, ME).0, 401);
        assert_eq!(serving.get(&other, ME).0, 200);
    }
}

#[test]
fn what_another_process_changes_of_an_account_holds_with_the_next_request() {
    let (place, serving, account) = serving();
    let made = command(&place, &["key", "create", "--account", &account]);
    let key = text(&made["key"]["key"]);
    for _ in 0..3 {
        use_often(&serving, &key);
        command(&place, &["account", "set", &account, "--suspended", "true"]);
        assert_eq!(serving.get(&key, ME).0, 403);
        command(&place, &["account", "set", &account, "--suspended", "false"]);
        use_often(&serving, &key);
        command(&place, &["account", "set", &account, "--api-enabled", "false"]);
        assert_eq!(serving.get(&key, ME).1["error"]["code"], "not_enabled");
        command(&place, &["account", "set", &account, "--api-enabled", "true"]);
    }
}

#[test]
fn a_key_that_is_revoked_through_the_service_itself_is_refused_with_the_next_request() {
    let (_place, serving, account) = serving();
    for _ in 0..5 {
        let (_, made) = serving.post(OPERATOR_TOKEN, &format!("/operator/v1/accounts/{account}/keys"), &json!({}));
        let (id, key) = (text(&made["key"]["id"]), text(&made["key"]["key"]));
        use_often(&serving, &key);
        run_json(&["key", "revoke", &id, "--url", &serving.origin, "--operator-token", OPERATOR_TOKEN]);
        assert_eq!(serving.get(&key, ME).0, 401);
    }
}
