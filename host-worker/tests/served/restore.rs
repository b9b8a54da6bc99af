//! A firm in an object of its own is set back to a point in time (rules O40 and W26). The local runtime has no points in
//! time, so the test puts the object's files of that time into place while nothing serves.

use std::{fs, path::PathBuf};

use matterbook_conformance::wire::{Answer, Firm, Operator, Request, send};
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{self, Served};

const SETTINGS: [(&str, &str); 3] =
    [("MATTERBOOK_PROFILE", "objects"), ("MATTERBOOK_CLIENT_DELAY_SECONDS", "0"), ("MATTERBOOK_TEST_POINTS", "on")];

fn serve(state: &TempDir) -> Served {
    Served::start(state.path(), &SETTINGS)
}

/// A database with its log.
fn object_files(state: &TempDir) -> Vec<PathBuf> {
    let [object] = support::object_files(state.path()).try_into().expect("one object");
    let object: PathBuf = object;
    ["", "-wal", "-shm"].iter().map(|end| PathBuf::from(format!("{}{end}", object.display()))).collect()
}

/// What an object has stored.
struct Kept(Vec<(PathBuf, Option<Vec<u8>>)>);

impl Kept {
    fn of(state: &TempDir) -> Self {
        Self(object_files(state).into_iter().map(|file| (file.clone(), fs::read(file).ok())).collect())
    }

    fn put_back(&self) {
        for (file, bytes) in &self.0 {
            match bytes {
                Some(bytes) => fs::write(file, bytes).expect("the file is written"),
                None => drop(fs::remove_file(file)),
            }
        }
    }
}

fn now() -> String {
    let now = std::time::SystemTime::now();
    matterbook_core::time::Timestamp::from(now).to_string()
}

fn status(served: &Served, key: &str) -> u16 {
    let me = Request::new("GET", "/api/v1/me").bearer(key);
    send(&served.http, &me).expect("an answer").status
}

/// The names of all clients.
fn names(served: &Served, key: &str) -> Vec<Value> {
    let page = Request::new("GET", "/api/v1/clients").bearer(key);
    let page = send(&served.http, &page).and_then(Answer::ok).expect("a page");
    page.json["clients"].as_array().expect("clients").iter().map(|client| client["last_name"].clone()).collect()
}

#[test]
fn a_restored_account_has_its_clients_of_the_time_and_its_keys_of_now() {
    let state = support::state();
    let served = serve(&state);
    let firm = Firm::open(&served.http).expect("a firm");
    let client = firm.create(&json!({"external_id": "1", "last_name": "Ray"})).expect("a client");
    let make_key = |firm: &Firm<'_>| {
        let made = firm.operator().call_with("POST", &firm.path("/keys"), &json!({})).and_then(Answer::ok);
        let made = made.expect("a key");
        (made.text("/key/id").expect("its id"), made.text("/key/key").expect("the key"))
    };
    let (revoked_id, revoked) = make_key(&firm);
    let (account, key) = (firm.account.clone(), firm.key.clone());
    served.stop();
    let kept = Kept::of(&state);
    let at = now();

    let served = serve(&state);
    let operator = Operator::of(&served.http);
    let path = |rest: &str| format!("/accounts/{account}{rest}");
    for client in [json!({"external_id": "1", "last_name": "Roy"}), json!({"external_id": "2", "last_name": "Later"})] {
        let post = Request::new("POST", "/api/v1/clients").bearer(&key).json(&json!({"clients": [client]}));
        send(&served.http, &post).and_then(Answer::ok).expect("it is saved");
    }
    operator.call("DELETE", &format!("/keys/{revoked_id}")).and_then(Answer::ok).expect("it is revoked");
    let later = operator.call_with("POST", &path("/keys"), &json!({})).and_then(Answer::ok);
    let later = later.and_then(|made| made.text("/key/key")).expect("a later key");
    let restore = path("/restore");
    served.stop();
    // The directory, too, may have been set back before: it knows nothing of the revocation.
    support::change(&support::database_file(state.path()), "update api_keys set revoked_at = null");

    let served = serve(&state);
    let operator = Operator::of(&served.http);
    let call = |method: &str, path: &str, body: &Value| operator.call_with(method, path, body).expect("an answer");
    let refused = call("POST", &restore, &json!({ "at": at }));
    let message =
        refused.expect_error(409, "conflict").and_then(|_| refused.text("/error/message")).expect("a message");
    assert!(message.starts_with("Suspend the account first"), "{message}");
    let suspended = json!({"suspended": true, "email": "new@firm.example"});
    call("PATCH", &path(""), &suspended).ok().expect("it is suspended");
    call("POST", &restore, &json!({ "at": at })).ok().expect("it is to be set back");
    // What is answered 200 now would be lost.
    let too_soon = call("PATCH", &path(""), &json!({"suspended": false}));
    assert_eq!(too_soon.status, 500, "it is not known whether it was saved");
    support::soon("new start of the object", || {
        served.worker.log().into_iter().find(|line| line.starts_with("the next start is at the bookmark of "))
    });
    served.stop();
    kept.put_back();

    let served = serve(&state);
    let operator = Operator::of(&served.http);
    // A key is the first to be shown: the object lets it in only as the directory does.
    assert_eq!(status(&served, &revoked), 401, "the key that was revoked since");
    assert_eq!(status(&served, &key), 403, "the account stays suspended");
    let shown = operator.call("GET", &path("")).and_then(Answer::ok).expect("the account");
    assert_eq!(shown.json["account"]["email"], json!("new@firm.example"));
    operator.call_with("PATCH", &path(""), &json!({"suspended": false})).and_then(Answer::ok).expect("it goes on");
    assert_eq!((status(&served, &key), status(&served, &later)), (200, 200), "an earlier key and a later one");
    assert_eq!(status(&served, &revoked), 401, "the key that was revoked since");
    assert_eq!(names(&served, &key), [json!("Ray")], "the clients of the time");
    let post = json!({"clients": [{"external_id": "1", "last_name": "Rey"}]});
    let post = Request::new("POST", "/api/v1/clients").bearer(&key).json(&post);
    let posted = send(&served.http, &post).and_then(Answer::ok).expect("it is saved");
    assert_eq!(posted.json["results"][0]["id"], json!(client), "it is found as ever");
    served.stop();
    let object = Connection::open(&object_files(&state)[0]).expect("the object opens");
    let count = |sql: &str| object.query_row(sql, [], |row| row.get::<_, i64>(0)).expect("a number");
    for action in ["key.revoke", "account.restore"] {
        let sql = format!("select count(*) from operator_log where action = '{action}'");
        assert_eq!(count(&sql), 1, "{action} is in the account's own log");
    }
    assert_eq!(count("select count(*) from copies"), 0, "the directory has it all");
}

#[test]
fn an_account_is_not_set_back_to_before_it_was_imported() {
    let state = support::state();
    let served = serve(&state);
    let account = Firm::open(&served.http).expect("a firm").account;
    let made_at = now();
    served.stop();
    // As if it were being imported.
    let import = "insert into account_imports (account_id, digest, row_count, received_rows, received_digest, \
                  is_suspended, revokes_keys) select id, '', 1, 1, '', 0, 0 from accounts; update accounts set suspended = 1";
    support::change(&object_files(&state)[0], import);
    let restore = |served: &Served, at: &str| {
        let operator = Operator::of(&served.http);
        let path = format!("/accounts/{account}/restore");
        operator.call_with("POST", &path, &json!({ "at": at })).expect("an answer").status
    };
    let served = serve(&state);
    assert_eq!(restore(&served, &now()), 409, "while it is imported");
    served.stop();
    support::change(&object_files(&state)[0], "update account_imports set ended_at = unixepoch() * 1000000 + 1000000");
    let served = serve(&state);
    assert_eq!(restore(&served, &made_at), 409, "before the import ended");
    support::soon("time after the import", || (restore(&served, &now()) == 200).then_some(()));
    served.stop();
}
