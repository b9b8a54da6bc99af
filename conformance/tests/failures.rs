//! A store or a rate limiter that fails: 500 `internal`, the cause in the log only, and service again once
//! it recovers (rules E5 to E8 and R7).

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use matterbook_conformance::wire::{Answer, Firm, Request, Service, send};
use matterbook_core::{
    account::KeyOwner,
    api::Api,
    key::KeyDigest,
    memory::{ManualPlatform, MemoryRateLimiter, MemoryStore, test_key_secrets},
    rate_limiter::{RateDecision, RateLimiter, RateLimiterError},
    store::{
        self, ChangeRequest, ClientPageEnd, ClientPageQuery, HistoryPage, HistoryQuery, LogEntry, OperatorAnswer,
        OperatorCommand, OperatorStore, ProspectPage, ProspectPageQuery, ShowClient, Store, StoreError,
    },
    time::Timestamp,
};
use serde_json::json;

/// Words that only the log may hold.
const CAUSE: &str = "the disk of Ada Reyes is full";

/// What goes wrong from now on; nothing at first.
#[derive(Clone, Default)]
struct Fault {
    store: Arc<Mutex<Option<StoreError>>>,
    rate_limiter: Arc<Mutex<Option<RateLimiterError>>>,
    /// The store fails only where it writes.
    spares_reads: Arc<AtomicBool>,
}

struct FailingStore(MemoryStore, Fault);

impl FailingStore {
    fn check(&self) -> Result<(), StoreError> {
        self.1.store.lock().expect("no panic").clone().map_or(Ok(()), Err)
    }

    fn check_read(&self) -> Result<(), StoreError> {
        if self.1.spares_reads.load(Ordering::Relaxed) { Ok(()) } else { self.check() }
    }
}

impl Store for FailingStore {
    type Operator = Self;

    async fn key_owner(&self, key: &KeyDigest, now: Timestamp) -> Result<Option<KeyOwner>, StoreError> {
        self.check_read()?;
        self.0.key_owner(key, now).await
    }

    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        self.check()?;
        self.0.record_use(key, now).await
    }

    async fn change(&self, request: ChangeRequest) -> Result<Option<store::StoredResponse>, StoreError> {
        self.check()?;
        self.0.change(request).await
    }

    async fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        self.check_read()?;
        self.0.clients(key, query, show).await
    }

    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        self.check_read()?;
        self.0.prospects(key, query).await
    }

    async fn history(&self, key: &KeyDigest, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        self.check_read()?;
        self.0.history(key, query).await
    }

    fn operator(&self) -> Option<&Self> {
        Some(self)
    }

    fn problem(&self) -> Option<&'static str> {
        Some("The disk fills.")
    }
}

impl OperatorStore for FailingStore {
    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        self.check()?;
        self.0.operate(command, entry).await
    }
}

struct FailingRateLimiter(MemoryRateLimiter, Fault);

impl RateLimiter for FailingRateLimiter {
    async fn check(&self, key: &KeyDigest, limit: u32, now: Timestamp) -> Result<RateDecision, RateLimiterError> {
        let fault = self.1.rate_limiter.lock().expect("no panic").clone();
        fault.map_or(Ok(()), Err)?;
        self.0.check(key, limit, now).await
    }
}

/// Breaks a service with `begin`, holds every request that meets the fault to `check`, and mends it
/// again.
fn check(begin: impl Fn(&Fault), meets: impl Fn(&Request) -> bool, check: impl Fn(&Answer)) {
    let fault = Fault::default();
    let platform = ManualPlatform::new(crate::services::start());
    let api = Api::new(
        FailingStore(MemoryStore::default(), fault.clone()),
        FailingRateLimiter(MemoryRateLimiter::default(), fault.clone()),
        platform.clone(),
        crate::services::settings(),
        test_key_secrets(),
    );
    let service = crate::services::in_process(api, platform);
    let firm = Firm::with(&service, &json!({"api_enabled": true, "digital_bundle": true})).expect("a firm");
    let clients = json!({"clients": [{"external_id": "a", "last_name": "Ray"}]});
    let requests = [
        firm.request("GET", "/me"),
        firm.request("GET", "/clients"),
        firm.request("GET", "/prospects"),
        firm.request("POST", "/clients").json(&clients),
        firm.request("POST", "/cases/settled")
            .json(&json!({"external_id": "a", "last_name": "Ray", "settled_on": "2025-01-02"})),
        firm.operator().request("GET", "/accounts"),
        firm.operator().request("POST", "/accounts").json(&json!({"email": "a@example.com"})),
    ];
    begin(&fault);
    for request in requests.iter().filter(|request| meets(request)) {
        // `send` holds the answer to the error's shape.
        let answer = send(&service, request).expect("an answer");
        answer.expect_error(500, "internal").expect("a 500");
        assert!(!String::from_utf8_lossy(&answer.body).contains("Ada"), "{request}: the cause is for the log");
        check(&answer);
    }
    assert_eq!(service.exchange(&Request::new("GET", "/nothing")).expect("an answer").status, 404);
    *fault.store.lock().expect("no panic") = None;
    *fault.rate_limiter.lock().expect("no panic") = None;
    firm.post_client(&clients["clients"][0], "created").expect("nothing was saved, and the service goes on");
}

#[test]
fn a_store_failure_is_a_500_that_hides_its_cause() {
    for error in [StoreError::Failed { cause: CAUSE.to_owned() }, StoreError::Contended { cause: CAUSE.to_owned() }] {
        check(
            |fault| *fault.store.lock().expect("no panic") = Some(error.clone()),
            |_| true,
            |answer| {
                answer.expect_no_header("retry-after").expect("nobody knows when");
                answer.expect_words("/error/message", &["nothing was saved"]).expect("what became of it");
            },
        );
    }
}

#[test]
fn a_write_with_unknown_outcome_is_a_500_with_advice() {
    let begin = |fault: &Fault| {
        *fault.store.lock().expect("no panic") = Some(StoreError::Unknown { cause: CAUSE.to_owned() });
        fault.spares_reads.store(true, Ordering::Relaxed);
    };
    let what_to_do = [("/api/v1", "sending the same request again is safe"), ("/operator/v1", "look at what is there")];
    for (area, advice) in what_to_do {
        check(
            begin,
            |request| request.method == "POST" && request.target.starts_with(area),
            |answer| {
                let words = ["it is not known whether this was saved", advice];
                answer.expect_words("/error/message", &words).expect("what is true");
            },
        );
    }
}

#[test]
fn an_overloaded_store_is_a_500_with_retry_after() {
    check(
        |fault| {
            let error = StoreError::Overloaded { retry_after_seconds: 7, cause: CAUSE.to_owned() };
            *fault.store.lock().expect("no panic") = Some(error);
        },
        |_| true,
        |answer| assert!(answer.expect_header("retry-after", "7").is_ok()),
    );
}

#[test]
fn a_failing_rate_limiter_is_a_500() {
    check(
        |fault| *fault.rate_limiter.lock().expect("no panic") = Some(RateLimiterError(CAUSE.to_owned())),
        |request| request.target.starts_with("/api/v1"),
        |answer| assert!(answer.expect_no_header("ratelimit").is_ok()),
    );
}

#[test]
fn a_problem_of_a_store_that_answers_is_shown_by_health() {
    let platform = ManualPlatform::new(crate::services::start());
    let health = |service: &dyn Service| {
        let answer = service.exchange(&Request::new("GET", "/healthz")).expect("an answer");
        (answer.status, String::from_utf8_lossy(&answer.body).into_owned())
    };
    let store = FailingStore(MemoryStore::default(), Fault::default());
    let api = Api::new(
        store,
        MemoryRateLimiter::default(),
        platform.clone(),
        crate::services::settings(),
        test_key_secrets(),
    );
    let warned = health(&crate::services::in_process(api, platform));
    assert_eq!(health(&crate::services::over_memory()), (200, "{\"status\":\"ok\"}\n".to_owned()));
    assert_eq!(warned, (200, "{\"status\":\"warning\",\"problem\":\"The disk fills.\"}\n".to_owned()));
}
