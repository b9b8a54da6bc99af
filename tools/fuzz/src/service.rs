//! The service under test: the rules over a store in memory, with one account.

use std::{
    pin::pin,
    sync::OnceLock,
    task::{Context, Poll, Waker},
};

use http::{Response, request};
use matterbook_core::{
    api::Api,
    memory::{ManualPlatform, MemoryRateLimiter, MemoryStore, test_key_secrets},
    settings::Settings,
    time::Timestamp,
};
use matterbook_openapi::{Contract, Sent};
use serde_json::{Value, json};

/// The operator token of every such service.
pub const OPERATOR_TOKEN: &str = "operator-token";

/// A service with one account, which may read prospects, and its key.
pub struct Service {
    api: Api<MemoryStore, MemoryRateLimiter, ManualPlatform>,
    /// A live key.
    pub key: String,
    /// The account's id.
    pub account: String,
}

impl Service {
    /// A new service, the same each time.
    pub fn new() -> Self {
        let settings = Settings {
            operator_token: Some(OPERATOR_TOKEN.to_owned()),
            rate_limit_per_minute: 0,
            client_delay_seconds: 0,
            ..Settings::default()
        };
        let platform = ManualPlatform::new(Timestamp::from_micros(1_767_225_600_000_000));
        let api =
            Api::new(MemoryStore::default(), MemoryRateLimiter::default(), platform, settings, test_key_secrets());
        let api = api.with_viewer(&matterbook_viewer::VIEWER);
        let mut service = Self { api, key: String::new(), account: String::new() };
        let account = json!({"email": "owner@firm.example", "api_enabled": true, "digital_bundle": true});
        service.account = service.operate("accounts", &account, "/account/id");
        service.key = service.operate(&format!("accounts/{}/keys", service.account), &json!({}), "/key/key");
        service
    }

    fn operate(&self, path: &str, body: &Value, wanted: &str) -> String {
        let head = http::Request::post(format!("/operator/v1/{path}"));
        let head = head.header("authorization", format!("Bearer {OPERATOR_TOKEN}"));
        let (head, ()) = head.body(()).expect("a request").into_parts();
        let answer = self.answer(head, body.to_string().as_bytes());
        let answer: Value = serde_json::from_slice(answer.body()).expect("JSON");
        answer.pointer(wanted).and_then(Value::as_str).expect("an answer").to_owned()
    }

    fn answer(&self, head: request::Parts, body: &[u8]) -> Response<Vec<u8>> {
        match pin!(self.api.handle(head, body.to_vec())).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(handled) => {
                let content = handled.file.and_then(|file| matterbook_viewer::content(file.name));
                handled.response.map(|body| content.map_or(body, <[u8]>::to_vec))
            }
            Poll::Pending => panic!("a store in memory never waits"),
        }
    }

    /// Sends a request. Checks that the service does not fail and that the response matches the OpenAPI
    /// documents.
    pub fn send(&self, head: request::Parts, body: &[u8]) -> Response<Vec<u8>> {
        static CONTRACT: OnceLock<Contract> = OnceLock::new();
        let contract = CONTRACT.get_or_init(|| Contract::read().expect("documents"));
        let (method, target) = (head.method.to_string(), head.uri.to_string());
        let answer = self.answer(head, body);
        assert!(!answer.status().is_server_error(), "{method} {target} is answered {}", answer.status());
        let status = answer.status().as_u16();
        let sent =
            Sent { method: &method, target: &target, body, status, headers: answer.headers(), answer: answer.body() };
        if let Err(problem) = contract.check(sent) {
            panic!("{method} {target}: {problem}");
        }
        answer
    }
}
