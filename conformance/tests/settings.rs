//! What depends on the settings, and what takes longer than a real clock lets a case wait.

use std::time::Duration;

use matterbook_conformance::wire::{County, Firm, Operator, Request, Service, send};
use matterbook_core::{
    api::Api,
    memory::{ManualPlatform, MemoryRateLimiter, MemoryStore, test_key_secrets},
    settings::Settings,
};
use serde_json::json;

const DAY: Duration = Duration::from_secs(86_400);

#[test]
fn without_an_operator_token_every_operator_path_is_404() {
    let platform = ManualPlatform::new(crate::services::start());
    let api = Api::new(
        MemoryStore::default(),
        MemoryRateLimiter::default(),
        platform,
        Settings::default(),
        test_key_secrets(),
    );
    for (method, path) in
        [("GET", "/operator/v1/accounts"), ("POST", "/operator/v1/accounts"), ("GET", "/operator/v1/x")]
    {
        for token in ["", "Bearer ", "Bearer x"] {
            let head = http::Request::builder().method(method).uri(path).header("authorization", token);
            let (head, ()) = head.body(()).expect("a request").into_parts();
            let handled = crate::services::runtime().block_on(api.handle(head, Vec::new()));
            assert_eq!(handled.response.status(), 404, "{method} {path}");
        }
    }
}

#[test]
fn an_idempotency_key_is_kept_for_24_hours() {
    let service = crate::services::over_memory();
    let firm = Firm::open(&service).expect("a firm");
    let request = firm
        .request("POST", "/clients")
        .header("Idempotency-Key", "k")
        .json(&json!({"clients": [{"external_id": "a", "last_name": "Ray"}]}));
    let status = || firm.send(&request).and_then(|answer| answer.text("/results/0/status")).expect("an answer");
    assert_eq!(status(), "created");
    service.elapse(DAY - Duration::from_secs(1));
    assert_eq!(status(), "created", "a replay, within a day");
    service.elapse(Duration::from_secs(2));
    assert_eq!(status(), "updated", "a request of its own, after a day");
}

#[test]
fn newest_looks_back_30_days() {
    let service = crate::services::over_memory();
    let firm = Firm::with(&service, &json!({"api_enabled": true, "digital_bundle": true})).expect("a firm");
    let operator = Operator::of(&service);
    let county = County { fips: "06037".to_owned() };
    firm.grant(&county.fips, "2020-01-01").expect("a grant");
    operator.import(&[county.prospect(&json!({}))]).expect("an import");
    service.elapse(DAY * 29);
    operator.import(&[county.prospect(&json!({}))]).expect("an import");
    let newest = || firm.get("/prospects?order=newest").expect("an answer").array("/prospects").expect("rows").len();
    service.elapse(Duration::from_secs(3_601));
    assert_eq!(newest(), 2);
    service.elapse(DAY);
    assert_eq!(newest(), 1);
    assert_eq!(firm.walk_prospects("limit=1").expect("a walk").len(), 2, "oldest looks back without end");
}

#[test]
fn a_service_under_another_name_says_so() {
    let settings = Settings {
        service_name: "Casebook of Ohio".to_owned(),
        key_prefix: "cbo_".to_owned(),
        ..crate::services::settings()
    };
    let service =
        crate::services::over_with(MemoryStore::default(), settings, ManualPlatform::new(crate::services::start()));
    let firm = Firm::open(&service).expect("a firm");
    assert!(firm.key.starts_with("cbo_"));
    let answer = send(&service, &Request::new("GET", "/api/v1/me")).expect("an answer");
    assert_eq!(answer.header("www-authenticate"), Some("Bearer realm=\"Casebook of Ohio\""));
}
