//! The suite that defines Matterbook, over this host: every case of the wire over real HTTP and a
//! real file, and every rule of the store over the file alone. Time is moved by hand, so that no
//! case waits.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use crate::support::{OPERATOR_TOKEN, Place};
use matterbook::{
    database::{Database, QueueLimits},
    http::{Limits, Server},
    rate_limiter::MemoryRateLimiter,
};
use matterbook_conformance::wire::{self, Answer, Facts, OverHttp, Request, Service};
use matterbook_core::{
    api::Api,
    memory::{ManualPlatform, test_key_secrets},
    platform::Platform as _,
    settings::Settings,
    store::{OperatorStore, Store},
    time::Timestamp,
};
use matterbook_store_suite::StoreUnderTest;
use tokio::net::TcpListener;

/// The service over HTTP, on a clock that is moved by hand.
struct OnManualClock {
    http: OverHttp,
    platform: ManualPlatform,
}

impl Service for OnManualClock {
    fn exchange(&self, request: &Request) -> Result<Answer, String> {
        self.http.exchange(request)
    }

    fn elapse(&self, duration: Duration) {
        let micros = i64::try_from(duration.as_micros()).expect("less than an age");
        self.platform.set(Timestamp::from_micros(self.platform.now().micros() + micros));
    }

    fn clock(&self) -> Duration {
        Duration::from_micros(u64::try_from(self.platform.now().micros()).expect("after 1970"))
    }

    fn facts(&self) -> &Facts {
        self.http.facts()
    }
}

#[test]
fn every_case_of_the_wire_holds_over_http_and_a_file() {
    let place = Place::new();
    let platform = ManualPlatform::new(Timestamp::from_micros(1_767_225_600_000_000));
    let settings = Settings { operator_token: Some(OPERATOR_TOKEN.to_owned()), ..Settings::default() };
    let database = Database::open(&place.database(), QueueLimits::default()).expect("a new database");
    let api = Api::new(database, MemoryRateLimiter::default(), platform.clone(), settings, test_key_secrets());
    let api = Arc::new(api.with_viewer(&matterbook_viewer::VIEWER));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let server = runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        // One case waits for it. The largest body arrives within it on a busy machine, too.
        let limits = Limits { body_timeout: Duration::from_secs(3), ..Limits::default() };
        let answer = move |head, body| {
            let api = Arc::clone(&api);
            async move { api.handle(head, body).await }
        };
        Server::start(listener, limits, answer).expect("a server")
    });
    let http = OverHttp::connect(&format!("http://{}", server.address()), OPERATOR_TOKEN).expect("a service");
    let service = OnManualClock { http, platform };
    // One at a time: they share the clock.
    let cases: Vec<&'static wire::Case> = wire::cases::all().collect();
    let failed: Vec<String> =
        wire::run_all(&cases, &service, 1).into_iter().filter_map(|verdict| verdict.held().err()).collect();
    assert!(failed.is_empty(), "{} cases failed:\n\n{}", failed.len(), failed.join("\n\n"));
}

/// A new file for each case.
#[derive(Default)]
struct Files {
    places: Mutex<Vec<Place>>,
}

impl StoreUnderTest for Files {
    async fn fresh(&self) -> impl Store + OperatorStore {
        let place = Place::new();
        let database = Database::open(&place.database(), QueueLimits::default()).expect("a new database");
        self.places.lock().unwrap_or_else(PoisonError::into_inner).push(place);
        database
    }
}

#[tokio::test]
async fn every_rule_of_the_store_holds_over_a_file() {
    let files = Files::default();
    let mut failed = Vec::new();
    for case in matterbook_store_suite::cases() {
        if let Err(failure) = case.run(&files).await {
            failed.push(format!("{} ({}): {failure}", case.name, case.rule));
        }
    }
    assert!(failed.is_empty(), "{} cases failed:\n\n{}", failed.len(), failed.join("\n\n"));
}
