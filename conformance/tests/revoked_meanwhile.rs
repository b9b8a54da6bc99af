//! A key that is revoked, or loses its access, while its request is under way: between the look at
//! its owner and the unit that does the work, or between the read and the commit of that unit.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU64, Ordering},
};

use crate::services::sqlite::{Database, InSets};
use matterbook_conformance::wire::{Firm, Request, Service, send};
use matterbook_core::{
    api::Api,
    memory::{ManualPlatform, MemoryRateLimiter, test_key_secrets},
    store::{AccountChange, LogEntry, OperatorAnswer, OperatorCommand, OperatorStore, Retention},
};
use matterbook_store_sql::{
    SqlStore,
    driver::{Driver, DriverError, Isolation, Rows, Statement},
};
use serde_json::json;
use uuid::Uuid;

/// What the operator does meanwhile, and before which of the next batches, the first of which is 0.
type Meanwhile = Arc<Mutex<Option<(usize, OperatorCommand)>>>;

struct Interrupted(InSets, Meanwhile);

impl Interrupted {
    fn due(&self) -> Option<OperatorCommand> {
        let mut meanwhile = self.1.lock().expect("no panic");
        match meanwhile.take() {
            Some((0, command)) => Some(command),
            later => {
                *meanwhile = later.map(|(batches, command)| (batches - 1, command));
                None
            }
        }
    }
}

impl Driver for Interrupted {
    fn isolation(&self) -> Isolation {
        self.0.isolation()
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        if let Some(command) = self.due() {
            static ENTRIES: AtomicU64 = AtomicU64::new(1);
            let id = Uuid::from_u128(ENTRIES.fetch_add(1, Ordering::Relaxed).into());
            let entry = LogEntry {
                id,
                at: crate::services::start(),
                actor: "operator".to_owned(),
                action: "test",
                subject: String::new(),
                request_id: id,
                retention: Retention::default(),
            };
            let answer = SqlStore::new(self.0.clone()).operate(command, entry).await;
            assert!(matches!(answer, Ok(OperatorAnswer::Account(_) | OperatorAnswer::Key(_))), "{answer:?}");
        }
        self.0.run(batch).await
    }

    async fn back_off(&self, attempt: u32) -> bool {
        self.0.back_off(attempt).await
    }
}

/// Has the operator do something before the batch of that number of each request, and holds the
/// answer to that status.
fn check(
    is_remembering: bool,
    batch: usize,
    requests: impl Fn(&Firm<'_>) -> Vec<Request>,
    command: impl Fn(&Firm<'_>) -> OperatorCommand,
    expected: (u16, &str),
) {
    let meanwhile = Meanwhile::default();
    let platform = ManualPlatform::new(crate::services::start());
    let store = SqlStore::new(Interrupted(InSets(Database::new()), Arc::clone(&meanwhile)));
    let api = Api::new(
        store,
        MemoryRateLimiter::default(),
        platform.clone(),
        crate::services::settings(),
        test_key_secrets(),
    );
    let api = if is_remembering { api.with_seen_keys(Arc::default()) } else { api };
    let service = crate::services::in_process(api, platform);
    let open = || {
        let firm = Firm::with(&service, &json!({"api_enabled": true, "digital_bundle": true})).expect("a firm");
        firm.get("/me").expect("an answer").ok().expect("a live key");
        firm
    };
    for place in 0..requests(&open()).len() {
        let firm = open();
        let request = &requests(&firm)[place];
        *meanwhile.lock().expect("no panic") = Some((batch, command(&firm)));
        let answer = send(&service as &dyn Service, request).expect("an answer");
        answer.expect_error(expected.0, expected.1).expect("the answer to what is so now");
        assert!(meanwhile.lock().expect("no panic").is_none(), "{request}: it happened");
        let says_rate = answer.headers.contains_key("ratelimit") || answer.headers.contains_key("ratelimit-policy");
        assert_eq!(says_rate, expected.0 != 401, "{request}: a 401 says nothing of the limit, any other does");
        let page = firm.operator().call("GET", &firm.path("/settlements")).expect("an answer");
        assert_eq!(page.at("/settlements"), &json!([]), "{request}: nothing was saved");
    }
}

fn posts(firm: &Firm<'_>) -> Vec<Request> {
    let client = json!({"external_id": "7", "last_name": "Ray", "settled_on": "2025-01-02"});
    vec![
        firm.request("POST", "/clients").json(&json!({"clients": [client]})),
        firm.request("POST", "/cases/settled").json(&client),
    ]
}

fn all(firm: &Firm<'_>) -> Vec<Request> {
    [vec![firm.request("GET", "/clients"), firm.request("GET", "/prospects")], posts(firm)].concat()
}

fn revoke(firm: &Firm<'_>) -> OperatorCommand {
    OperatorCommand::RevokeKey { key: firm.key_id.parse().expect("an id") }
}

fn set(firm: &Firm<'_>, change: AccountChange) -> OperatorCommand {
    OperatorCommand::SetAccount { account: firm.account.parse().expect("an id"), change }
}

fn suspend(firm: &Firm<'_>) -> OperatorCommand {
    set(firm, AccountChange { suspended: Some(true), ..AccountChange::default() })
}

fn turn_off(firm: &Firm<'_>) -> OperatorCommand {
    set(firm, AccountChange { api_enabled: Some(false), ..AccountChange::default() })
}

#[test]
fn a_key_revoked_after_the_lookup_of_its_owner_is_refused() {
    check(false, 1, all, revoke, (401, "unauthorized"));
    check(false, 2, posts, revoke, (401, "unauthorized"));
}

#[test]
fn a_cached_key_revoked_before_the_commit_is_refused() {
    check(true, 0, all, revoke, (401, "unauthorized"));
    check(true, 1, posts, revoke, (401, "unauthorized"));
}

#[test]
fn access_withdrawn_during_a_request_applies_to_that_request() {
    for (is_remembering, batch) in [(false, 1), (true, 0)] {
        check(is_remembering, batch, all, suspend, (403, "forbidden"));
        check(is_remembering, batch, all, turn_off, (403, "not_enabled"));
        check(is_remembering, batch + 1, posts, suspend, (403, "forbidden"));
    }
    let unbundle =
        |firm: &Firm<'_>| set(firm, AccountChange { digital_bundle: Some(false), ..AccountChange::default() });
    let prospects = |firm: &Firm<'_>| vec![firm.request("GET", "/prospects")];
    check(false, 1, prospects, unbundle, (403, "bundle_required"));
    check(true, 0, prospects, unbundle, (403, "bundle_required"));
}
