//! How often a request goes to storage and to the rate limiter, where each is a journey: one batch of a
//! driver as D1 runs it is one round trip (docs/decisions/0010).

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use crate::services::sqlite::{Database, InSets};
use matterbook_conformance::wire::{Firm, InProcess, Request, Service};
use matterbook_core::{
    api::{Api, SeenKeys},
    key::{AccountNumber, KeyDigest, KeySecrets, new_secret},
    memory::{ManualPlatform, MemoryRateLimiter, test_key_secrets},
    rate_limiter::{RateDecision, RateLimiter, RateLimiterError},
    settings::Settings,
    time::Timestamp,
};
use matterbook_store_sql::{
    SqlStore,
    driver::{Driver, DriverError, Isolation, Rows, Statement},
};
use serde_json::json;

/// How often a service went out.
#[derive(Clone, Default)]
struct Count(Arc<AtomicUsize>);

impl Count {
    fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn take(&self) -> usize {
        self.0.swap(0, Ordering::Relaxed)
    }
}

struct Counted<T>(T, Count);

impl Driver for Counted<InSets> {
    fn isolation(&self) -> Isolation {
        self.0.isolation()
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        self.1.add();
        self.0.run(batch).await
    }

    async fn back_off(&self, attempt: u32) -> bool {
        self.0.back_off(attempt).await
    }
}

impl RateLimiter for Counted<MemoryRateLimiter> {
    async fn check(&self, key: &KeyDigest, limit: u32, now: Timestamp) -> Result<RateDecision, RateLimiterError> {
        self.1.add();
        self.0.check(key, limit, now).await
    }
}

/// A service over its own connections, as each isolate of the Worker is one.
struct Isolate {
    service: InProcess<SqlStore<Counted<InSets>>, Counted<MemoryRateLimiter>, ManualPlatform>,
    round_trips: Count,
    rate_limiter_calls: Count,
}

impl Isolate {
    fn new(database: &Database, seen_keys: Option<&Arc<SeenKeys>>, settings: Settings) -> Self {
        let (round_trips, rate_limiter_calls) = (Count::default(), Count::default());
        let platform = ManualPlatform::new(crate::services::start());
        let store = SqlStore::new(Counted(InSets(database.clone()), round_trips.clone()));
        let api = Api::new(
            store,
            Counted(MemoryRateLimiter::default(), rate_limiter_calls.clone()),
            platform.clone(),
            settings,
            test_key_secrets(),
        );
        let api = match seen_keys {
            Some(seen_keys) => api.with_seen_keys(Arc::clone(seen_keys)),
            None => api,
        };
        Self { service: crate::services::in_process(api, platform), round_trips, rate_limiter_calls }
    }

    /// A firm that sees everything, and one client of it.
    fn firm(&self) -> Firm<'_> {
        let firm = Firm::with(&self.service, &json!({"api_enabled": true, "digital_bundle": true})).expect("a firm");
        firm.create(&json!({"external_id": "known", "last_name": "Ray"})).expect("a client");
        firm
    }

    /// The status of the answer to a request, its round trips, and its calls of the rate limiter.
    fn cost(&self, request: &Request) -> (u16, usize, usize) {
        self.round_trips.take();
        self.rate_limiter_calls.take();
        let answer = self.service.exchange(request).expect("an answer");
        (answer.status, self.round_trips.take(), self.rate_limiter_calls.take())
    }
}

/// Requests of a firm, the status each gets, and its round trips when the key was just seen, and
/// when it was not.
fn requests(firm: &Firm<'_>) -> Vec<(&'static str, Request, u16, [usize; 2])> {
    let get = |path: &str| firm.request("GET", path);
    let post = |clients: serde_json::Value| firm.request("POST", "/clients").json(&json!({"clients": clients}));
    let settle = |settled_on: &str| {
        firm.request("POST", "/cases/settled").json(&json!({"external_id": "known", "settled_on": settled_on}))
    };
    let new = post(json!([{"external_id": uuid(), "last_name": "Ray"}]));
    let updated = post(json!([{"external_id": "known", "city": uuid()}]));
    let keyed = new.clone().header("Idempotency-Key", uuid());
    let tried = firm.request("POST", "/clients?dry_run=true");
    let tried = tried.json(&json!({"clients": [{"external_id": uuid(), "last_name": "Ray"}]}));
    vec![
        ("who is it", get("/me"), 200, [1, 1]),
        ("clients", get("/clients"), 200, [1, 2]),
        ("prospects", get("/prospects"), 200, [1, 2]),
        ("a new client", new, 200, [2, 3]),
        ("the same again, under a key", keyed.clone(), 200, [2, 3]),
        ("its replay", keyed, 200, [1, 2]),
        // Nothing is written.
        ("a new client in a dry run", tried, 200, [1, 2]),
        ("a client updated", updated.clone(), 200, [2, 3]),
        ("nothing changed", updated, 200, [1, 2]),
        ("no clients", post(json!([])), 200, [1, 2]),
        ("a case settled", settle("2025-01-02"), 200, [2, 3]),
        ("the case settled already", settle("2025-01-02"), 200, [1, 2]),
        // What is wrong with a request is told after one lookup of the key's owner.
        ("no such path", get("/nothing"), 404, [1, 1]),
        ("no such method", firm.request("PUT", "/me"), 405, [1, 1]),
        ("a wrong parameter", get("/clients?limit=0"), 400, [1, 1]),
        ("a wrong body", firm.request("POST", "/clients").json(&json!([])), 400, [1, 1]),
    ]
}

/// A text that no other call gives.
fn uuid() -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    format!("u{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// What each request costs when the key was last seen so long ago.
fn check(seen_keys: Option<Arc<SeenKeys>>, ago: Duration, is_seen: bool) {
    let isolate = Isolate::new(&Database::new(), seen_keys.as_ref(), crate::services::settings());
    let firm = isolate.firm();
    for (name, request, status, [seen, unseen]) in requests(&firm) {
        firm.get("/me").expect("an answer").ok().expect("a live key");
        isolate.service.elapse(ago);
        let expected = if is_seen { seen } else { unseen };
        assert_eq!(isolate.cost(&request), (status, expected, 1), "{name}, {ago:?} after the last request");
    }
}

#[test]
fn a_key_used_within_a_minute_needs_no_lookup_of_its_owner() {
    let remembering = || Some(Arc::default());
    check(remembering(), Duration::from_secs(1), true);
    check(remembering(), Duration::from_secs(60), true);
    check(remembering(), Duration::from_micros(60_000_001), false);
    check(remembering(), Duration::from_secs(3_600), false);
}

#[test]
fn without_a_key_cache_every_request_looks_up_the_owner() {
    check(None, Duration::from_secs(1), false);
}

#[test]
fn every_successful_request_keeps_its_key_in_the_cache() {
    let isolate = Isolate::new(&Database::new(), Some(&Arc::default()), crate::services::settings());
    let firm = isolate.firm();
    for (name, request, ..) in requests(&firm) {
        isolate.service.elapse(Duration::from_secs(45));
        isolate.cost(&request);
        isolate.service.elapse(Duration::from_secs(45));
        let clients = firm.request("GET", "/clients");
        assert_eq!(isolate.cost(&clients), (200, 1, 1), "45 seconds after {name}");
    }
}

#[test]
fn api_values_in_one_isolate_share_the_key_cache() {
    let (database, seen_keys) = (Database::new(), Arc::default());
    let first = Isolate::new(&database, Some(&seen_keys), crate::services::settings());
    let second = Isolate::new(&database, Some(&seen_keys), crate::services::settings());
    let stranger = Isolate::new(&database, Some(&Arc::default()), crate::services::settings());
    let request = first.firm().request("GET", "/clients");
    assert_eq!(second.cost(&request), (200, 1, 1));
    assert_eq!(stranger.cost(&request), (200, 2, 1), "another isolate has not seen the key");
    assert_eq!(stranger.cost(&request), (200, 1, 1));
}

fn revoke(firm: &Firm<'_>) {
    firm.operator().call("DELETE", &format!("/keys/{}", firm.key_id)).expect("an answer").ok().expect("revoked");
}

#[test]
fn a_revoked_key_costs_one_lookup_a_minute() {
    let database = Database::new();
    let [isolate, other] =
        [(), ()].map(|()| Isolate::new(&database, Some(&Arc::default()), crate::services::settings()));
    for (name, _, _, _) in requests(&isolate.firm()) {
        let firm = isolate.firm();
        let requests = requests(&firm);
        let (_, request, ..) = requests.iter().find(|(other, ..)| *other == name).expect("a request");
        assert_eq!(other.cost(&firm.request("GET", "/me")).0, 200);
        revoke(&firm);
        assert_eq!(other.cost(request), (401, 1, 1), "{name}, with a key that was seen live");
        assert_eq!(isolate.cost(request), (401, 1, 0), "{name}, where the key was revoked");
        for isolate in [&isolate, &other] {
            assert_eq!(isolate.cost(request), (401, 0, 0), "{name}, with a key that was found dead");
        }
    }
    let firm = isolate.firm();
    revoke(&firm);
    assert_eq!(isolate.cost(&firm.request("GET", "/me")), (401, 1, 0));
    isolate.service.elapse(Duration::from_micros(60_000_001));
    assert_eq!(isolate.cost(&firm.request("GET", "/me")), (401, 1, 0));
}

#[test]
fn a_forged_or_mistyped_key_costs_neither_a_query_nor_a_place_in_the_rate_limit() {
    for seen_keys in [None, Some(Arc::default())] {
        let isolate = Isolate::new(&Database::new(), seen_keys.as_ref(), crate::services::settings());
        let firm = isolate.firm();
        let with = |key: &str| Request::new("GET", "/api/v1/clients").bearer(key);
        let mistyped: Vec<String> = (4..firm.key.len())
            .map(|place| {
                let other = if firm.key[place..].starts_with('x') { "y" } else { "x" };
                let mut key = firm.key.clone();
                key.replace_range(place..=place, other);
                key
            })
            .collect();
        let strangers = KeySecrets::parse(&new_secret([7; 32])).expect("a secret");
        let forged =
            [format!("mtb_{}", "A".repeat(43)), strangers.new_key("mtb_", AccountNumber::from_bytes([1; 6]), [1; 20])];
        for key in mistyped.iter().chain(&forged) {
            assert_eq!(isolate.cost(&with(key)), (401, 0, 0), "{key}");
        }
        let never_given = test_key_secrets().new_key("mtb_", AccountNumber::from_bytes([1; 6]), [1; 20]);
        assert_eq!(isolate.cost(&with(&never_given)), (401, 1, 0), "made with the secret, but not stored");
        assert_eq!(isolate.cost(&with(&firm.key)).0, 200);
    }
}

/// A script that ignores 429 sends thousands of requests a second. They are the rate limiter's work, not storage's.
#[test]
fn rate_limited_requests_cost_one_lookup_in_five_seconds() {
    let settings = Settings { rate_limit_per_minute: 2, ..crate::services::settings() };
    let database = Database::new();
    let [isolate, other] = [(), ()].map(|()| Isolate::new(&database, Some(&Arc::default()), settings.clone()));
    let firm = isolate.firm();
    firm.get("/me").expect("an answer").ok().expect("the second of two");
    let request = firm.request("GET", "/clients");
    assert_eq!(isolate.cost(&request), (429, 0, 1), "live a moment ago");
    isolate.service.elapse(Duration::from_micros(5_000_001));
    assert_eq!(isolate.cost(&request), (429, 1, 1), "proved again");
    assert_eq!(isolate.cost(&request), (429, 0, 1));
    // Where the key is revoked it is 401 at once, elsewhere after five seconds.
    for _ in 0..2 {
        other.cost(&request);
    }
    assert_eq!(other.cost(&request), (429, 0, 1));
    revoke(&firm);
    assert_eq!(isolate.cost(&request).0, 401);
    assert_eq!(other.cost(&request), (429, 0, 1));
    other.service.elapse(Duration::from_micros(5_000_001));
    assert_eq!(other.cost(&request), (401, 1, 1));
}

#[test]
fn a_use_is_recorded_once_a_day() {
    let isolate = Isolate::new(&Database::new(), Some(&Arc::default()), crate::services::settings());
    let firm = isolate.firm();
    let clients = firm.request("GET", "/clients");
    assert_eq!(isolate.cost(&clients), (200, 1, 1), "recorded when the client was made");
    let unchanged = firm.request("POST", "/clients").json(&json!({"clients": []}));
    // A key that is never unseen for a minute is never looked up by itself.
    for _ in 0..24 * 60 - 1 {
        isolate.service.elapse(Duration::from_secs(60));
        assert_eq!(isolate.cost(&unchanged), (200, 1, 1));
    }
    isolate.service.elapse(Duration::from_secs(60));
    assert_eq!(isolate.cost(&unchanged), (200, 2, 1), "a day after the first use");
    assert_eq!(isolate.cost(&unchanged), (200, 1, 1));
    assert_eq!(isolate.cost(&clients), (200, 1, 1));
    let keys = firm.operator().call("GET", &firm.path("/keys")).expect("an answer");
    assert_eq!(keys.at("/keys/0/last_used_at"), "2026-01-02T00:00:00.000000Z");
}

#[test]
fn an_account_with_erased_clients_soon_costs_no_extra_round_trip() {
    let database = Database::new();
    let first = Isolate::new(&database, Some(&Arc::default()), crate::services::settings());
    let firm = first.firm();
    let gone = firm.create(&json!({"external_id": "gone", "last_name": "Stone"})).expect("a client");
    let erase = firm.operator().request("DELETE", &firm.path(&format!("/clients/{gone}")));
    assert_eq!(first.cost(&erase).0, 200);
    let isolate = Isolate::new(&database, Some(&Arc::default()), crate::services::settings());
    let post = |client: serde_json::Value| firm.request("POST", "/clients").json(&json!({"clients": [client]}));
    let again = post(json!({"external_id": "gone", "last_name": "Stone"}));
    assert_eq!(isolate.cost(&again), (200, 3, 1), "in an isolate that sees the account for the first time");
    assert_eq!(isolate.cost(&again), (200, 1, 1), "the same again");
    assert_eq!(isolate.cost(&post(json!({"external_id": uuid(), "last_name": "Ray"}))), (200, 2, 1));
}
