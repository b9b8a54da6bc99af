//! The service that the examples speak to: the rules in process, over a store that fails on
//! demand and a clock that moves only on command.

use std::{
    pin::pin,
    sync::{Arc, Mutex, OnceLock},
    task::{Context, Poll, Waker},
    time::Duration,
};

use http::Response;
use matterbook_core::{
    account::KeyOwner,
    api::{Api, BodyError, RequestBody},
    key::KeyDigest,
    memory::{ManualPlatform, MemoryRateLimiter, MemoryStore, test_key_secrets},
    settings::Settings,
    store::{
        ChangeRequest, ClientPageEnd, ClientPageQuery, HistoryPage, HistoryQuery, LogEntry, OperatorAnswer,
        OperatorCommand, OperatorStore, ProspectPage, ProspectPageQuery, ShowClient, Store, StoreError, StoredResponse,
    },
    time::Timestamp,
};
use matterbook_openapi::{Contract, Sent};
use serde_json::{Value, json};

use super::request::Request;

/// The token that the examples use.
const OPERATOR_TOKEN: &str = "YOUR_OPERATOR_TOKEN";

pub struct World {
    api: Api<StagedStore, MemoryRateLimiter, ManualPlatform>,
    clock: ManualPlatform,
    failure: Arc<Mutex<Option<StoreError>>>,
    next_body: Option<Body>,
    account: String,
    login: String,
    key: String,
}

/// A body as a host would hand it over.
pub enum Body {
    Bytes(Vec<u8>),
    TooSlow,
}

impl RequestBody for Body {
    async fn read(self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        match self {
            Self::Bytes(bytes) => bytes.read(limit_bytes).await,
            Self::TooSlow => Err(BodyError::TooSlow),
        }
    }
}

impl World {
    /// A service with one account, its key, a county and two prospects that are three hours old.
    pub fn new() -> Self {
        let start = Timestamp::parse_rfc3339("2026-03-02T12:00:00Z").expect("a time");
        let clock = ManualPlatform::new(start);
        let failure = Arc::default();
        let store = StagedStore { memory: MemoryStore::default(), failure: Arc::clone(&failure) };
        let settings = Settings { operator_token: Some(OPERATOR_TOKEN.to_owned()), ..Settings::default() };
        let api = Api::new(store, MemoryRateLimiter::default(), clock.clone(), settings, test_key_secrets());
        let (account, login, key) = Default::default();
        let mut world = Self { api, clock, failure, next_body: None, account, login, key };

        let account = json!({"email": "owner@firm.example", "api_enabled": true, "digital_bundle": true});
        let account = world.operate("POST", "accounts", &account);
        world.account = text(&account["account"]["id"]);
        world.login = text(&account["account"]["logins"][0]["id"]);
        let key = world.operate("POST", &format!("accounts/{}/keys", world.account), &json!({"label": "Case system"}));
        world.key = text(&key["key"]["key"]);
        world.grant("06037", "2025-01-01");
        let prospects = json!({"prospects": [
            {"source_id": "CR-1", "first_name": "Dana", "last_name": "Cole", "address_line1": "731 W 4th St",
             "city": "Los Angeles", "state": "CA", "zip": "90013", "email": "dana.cole@example.com",
             "phone": "213-555-0108", "person_type": "driver", "injury_severity": "suspected_minor",
             "transported": true, "crash_date": "2026-02-21", "crash_time": "17:40", "crash_city": "Los Angeles",
             "crash_state": "CA", "crash_county": "Los Angeles", "crash_county_fips": "06037",
             "crash_report_number": "26-0221-1187", "manner_of_collision": "Front to rear", "vehicle_year": 2019,
             "vehicle_make": "Toyota", "vehicle_model": "Corolla", "vehicle_towed": true, "hit_and_run": false},
            {"source_id": "CR-2", "first_name": "Lee", "last_name": "Park", "address_line1": "9 Harbor Dr",
             "address_line2": "Unit 12", "city": "Long Beach", "state": "CA", "zip": "90802",
             "email": "lee.park@example.com", "phone": "562-555-0163", "person_type": "pedestrian",
             "injury_severity": "suspected_serious", "crash_date": "2026-02-22", "crash_city": "Long Beach",
             "crash_state": "CA", "crash_county": "Los Angeles", "crash_county_fips": "06037", "hit_and_run": true},
        ]});
        world.operate("POST", "prospects", &prospects);
        world.clock.advance(Duration::from_secs(3 * 3_600));
        world
    }

    /// Adds a client whose case has settled.
    pub fn add_settled_client(&self) {
        let body = json!({"external_id": "M-1001", "first_name": "Ana", "last_name": "Li", "zip": "02134",
            "address_line1": "12 Oak Street", "settled_on": "2026-02-27", "do_not_mail": true});
        self.call("POST", "/api/v1/cases/settled", &self.key, &body.to_string());
        self.clock.advance(Duration::from_secs(60));
    }

    /// What is kept, as JSON, of a JSON value that is sent in a field of a new client.
    ///
    /// # Errors
    /// The message of the client's result, when the value was refused.
    pub fn kept(&self, field: &str, value: &str) -> Result<String, String> {
        // Of a member given twice the last one counts.
        let body = format!(r#"{{"clients": [{{"first_name": "Ana", "{field}": {value}}}]}}"#);
        let posted = self.call("POST", "/api/v1/clients", &self.key, &body);
        let result = &posted["results"][0];
        if result["status"] == "error" {
            return Err(text(&result["message"]));
        }
        let path = format!("accounts/{}/clients/{}", self.account, text(&result["id"]));
        Ok(self.operate("GET", &path, &Value::Null)["client"][field].to_string())
    }

    /// Posts clients, and gives what became of each.
    pub fn post(&self, clients: &[Value]) -> Vec<Value> {
        let posted = self.call("POST", "/api/v1/clients", &self.key, &json!({"clients": clients}).to_string());
        posted["results"].as_array().expect("results").clone()
    }

    /// Does what a comment of the page says.
    pub fn stage(&mut self, comment: &str) {
        let words: Vec<_> = comment.split(' ').collect();
        match words.as_slice() {
            ["elapse", seconds] => self.clock.advance(Duration::from_secs(seconds.parse().expect("seconds"))),
            ["account", ..] => {
                let change = serde_json::from_str(&comment["account ".len()..]).expect("a JSON object");
                self.operate("PATCH", &format!("accounts/{}", self.account), &change);
            }
            ["client", ..] => {
                let client = serde_json::from_str(&comment["client ".len()..]).expect("a JSON object");
                self.post(&[client]);
            }
            ["login", role] => {
                self.operate("PATCH", &format!("logins/{}", self.login), &json!({"role": role}));
            }
            ["county", fips, "from", date] => self.grant(fips, date),
            [count, "requests"] => {
                for _ in 0..count.parse().expect("a count") {
                    self.call("GET", "/api/v1/me", &self.key, "");
                }
            }
            ["body", "of", count, "clients"] => {
                let clients = vec![json!({"first_name": "Ana"}); count.parse().expect("a count")];
                self.next_body = Some(Body::Bytes(json!({"clients": clients}).to_string().into_bytes()));
            }
            ["body", "of", count, "bytes"] => {
                self.next_body = Some(Body::Bytes(vec![b' '; count.parse().expect("a count")]));
            }
            ["body", "too", "slow"] => self.next_body = Some(Body::TooSlow),
            ["storage", "fails"] => self.fail_next(StoreError::Failed { cause: "staged".to_owned() }),
            ["storage", "loses", "an", "answer"] => self.fail_next(StoreError::Unknown { cause: "staged".to_owned() }),
            ["storage", "is", "full"] => {
                self.fail_next(StoreError::Overloaded { retry_after_seconds: 2, cause: "staged".to_owned() });
            }
            _ => panic!("nobody knows how to stage this comment"),
        }
    }

    /// Runs a request of the page, a second after the one before.
    pub fn run(&mut self, request: Request) -> Response<Vec<u8>> {
        self.clock.advance(Duration::from_secs(1));
        let mut builder = http::Request::builder().method(request.method.clone()).uri(&request.target);
        for (name, value) in request.headers {
            let value = value.replace("YOUR_API_KEY", &self.key).replace("$KEY", &self.key);
            builder = builder.header(name, value.replace("$OPERATOR_TOKEN", OPERATOR_TOKEN));
        }
        let (head, ()) = builder.body(()).expect("a request").into_parts();
        let body = self.next_body.take().unwrap_or(Body::Bytes(request.body.clone().into_bytes()));
        let answer = now(self.api.handle(head, body)).response;
        let sent = Sent {
            method: request.method.as_str(),
            target: &request.target,
            body: request.body.as_bytes(),
            status: answer.status().as_u16(),
            headers: answer.headers(),
            answer: answer.body(),
        };
        contract().check(sent).expect("an answer that the OpenAPI documents describe");
        *self.failure.lock().expect("nobody panicked") = None;
        answer
    }

    fn fail_next(&self, error: StoreError) {
        *self.failure.lock().expect("nobody panicked") = Some(error);
    }

    fn grant(&self, fips: &str, date: &str) {
        self.operate("PUT", &format!("accounts/{}/counties/{fips}", self.account), &json!({"from_date": date}));
    }

    /// A command of the operator, a second before whatever comes next.
    fn operate(&self, method: &str, path: &str, body: &Value) -> Value {
        let answer = self.call(method, &format!("/operator/v1/{path}"), OPERATOR_TOKEN, &body.to_string());
        self.clock.advance(Duration::from_secs(1));
        answer
    }

    /// The body of a 200.
    fn call(&self, method: &str, path: &str, token: &str, body: &str) -> Value {
        let authorization = format!("Bearer {token}");
        let builder = http::Request::builder().method(method).uri(path).header("authorization", authorization);
        let (head, ()) = builder.body(()).expect("a request").into_parts();
        let answer = now(self.api.handle(head, body.as_bytes().to_vec())).response;
        assert_eq!(answer.status(), 200, "{method} {path}");
        serde_json::from_slice(answer.body()).expect("JSON")
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// What the OpenAPI documents say.
fn contract() -> &'static Contract {
    static CONTRACT: OnceLock<Contract> = OnceLock::new();
    CONTRACT.get_or_init(|| Contract::read().expect("documents"))
}

/// The outcome of a future that waits for nothing: nothing here does.
fn now<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("a store in memory never waits"),
    }
}

/// A store in memory whose next change fails when the page says so.
struct StagedStore {
    memory: MemoryStore,
    failure: Arc<Mutex<Option<StoreError>>>,
}

impl Store for StagedStore {
    type Operator = Self;

    async fn key_owner(&self, key: &KeyDigest, now: Timestamp) -> Result<Option<KeyOwner>, StoreError> {
        self.memory.key_owner(key, now).await
    }

    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        self.memory.record_use(key, now).await
    }

    async fn change(&self, request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        let failure = self.failure.lock().expect("nobody panicked").take();
        match failure {
            Some(error) => Err(error),
            None => self.memory.change(request).await,
        }
    }

    async fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        self.memory.clients(key, query, show).await
    }

    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        self.memory.prospects(key, query).await
    }

    async fn history(&self, key: &KeyDigest, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        self.memory.history(key, query).await
    }

    fn operator(&self) -> Option<&Self> {
        Some(self)
    }
}

impl OperatorStore for StagedStore {
    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        self.memory.operate(command, entry).await
    }
}
