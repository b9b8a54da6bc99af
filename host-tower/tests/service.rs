//! The service as a tower server meets it.

use std::{
    convert::Infallible,
    future::poll_fn,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body::{Body, Frame};
use http_body_util::{BodyExt as _, Full};
use matterbook_core::{
    account::KeyOwner,
    api::{Api, Areas},
    key::KeyDigest,
    memory::{ManualPlatform, MemoryRateLimiter, MemoryStore, test_key_secrets},
    settings::Settings,
    store::{
        BoxedStore, ChangeRequest, ClientPageEnd, ClientPageQuery, HistoryPage, HistoryQuery, NoOperatorStore,
        ProspectPage, ProspectPageQuery, SendStore, ShowClient, StoreError, StoredResponse,
    },
    time::Timestamp,
};
use matterbook_tower::{ApiService, ResponseBody};
use tower_service::Service;

const OPERATOR_TOKEN: &str = "the-operator-token-of-all-the-tests";

type Tower<S> = ApiService<S, MemoryRateLimiter, ManualPlatform>;

fn service<S: SendStore>(store: S) -> Tower<S> {
    let settings = Settings { operator_token: Some(OPERATOR_TOKEN.to_owned()), ..Settings::default() };
    let platform = ManualPlatform::new(Timestamp::from_micros(1_767_225_600_000_000));
    let api = Api::new(store, MemoryRateLimiter::default(), platform, settings, test_key_secrets());
    ApiService::new(api, || tokio::time::sleep(Duration::from_millis(1)))
}

/// Sends a request from another thread than the one that made it, as servers do.
fn answer<S, B>(service: &Tower<S>, request: Request<B>) -> (StatusCode, String)
where
    S: SendStore + 'static,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Send,
{
    let mut service = service.clone();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().expect("a runtime");
    runtime.block_on(async move {
        poll_fn(|context| Service::<Request<B>>::poll_ready(&mut service, context)).await.expect("it is ready");
        let response: Response<ResponseBody> =
            tokio::spawn(service.call(request)).await.expect("no panic").expect("an answer");
        let (head, body) = response.into_parts();
        let body = body.collect().await.expect("a whole body").to_bytes();
        assert_eq!(head.headers["cache-control"], "no-store");
        (head.status, String::from_utf8(body.to_vec()).expect("text"))
    })
}

fn request(method: &str, path: &str) -> http::request::Builder {
    Request::builder().method(method).uri(path).header("authorization", format!("Bearer {OPERATOR_TOKEN}"))
}

fn account() -> Request<Full<Bytes>> {
    let body = Full::from(r#"{"email":"owner@firm.example"}"#);
    request("POST", "/operator/v1/accounts").header("content-type", "application/json").body(body).expect("a request")
}

#[test]
fn a_request_with_a_body_is_answered() {
    for (status, body) in [
        answer(&service(MemoryStore::default()), account()),
        answer(&service(BoxedStore::new(MemoryStore::default())), account()),
    ] {
        assert_eq!(status, StatusCode::OK, "{body}");
        assert!(body.contains("owner@firm.example"), "{body}");
    }
}

#[test]
fn an_address_without_the_operator_api_has_none() {
    let (status, _) = answer(&service(MemoryStore::default()).with_areas(Areas::WithoutOperator), account());
    assert_eq!(status, StatusCode::NOT_FOUND);
}

/// A body that never comes.
struct Stalled;

impl Body for Stalled {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Pending
    }
}

#[test]
fn a_body_that_does_not_come_in_time_is_answered_408() {
    let (head, _) = account().into_parts();
    let (status, body) = answer(&service(MemoryStore::default()), Request::from_parts(head, Stalled));
    assert_eq!(status, StatusCode::REQUEST_TIMEOUT, "{body}");
    assert!(body.contains("\"code\":\"invalid_request\""), "{body}");
}

/// A store that has no operator's half, and panics when it is used.
struct Panicking;

impl SendStore for Panicking {
    type Operator = NoOperatorStore;

    async fn key_owner(&self, _: &KeyDigest, _: Timestamp) -> Result<Option<KeyOwner>, StoreError> {
        panic!("a defect")
    }

    async fn record_use(&self, _: &KeyDigest, _: Timestamp) -> Result<(), StoreError> {
        panic!("a defect")
    }

    async fn change(&self, _: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        panic!("a defect")
    }

    async fn clients(
        &self,
        _: &KeyDigest,
        _: &ClientPageQuery,
        _: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        panic!("a defect")
    }

    async fn prospects(&self, _: &KeyDigest, _: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        panic!("a defect")
    }

    async fn history(&self, _: &KeyDigest, _: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        panic!("a defect")
    }
}

#[test]
fn a_panic_is_answered_500_in_the_format_of_errors_and_logged() {
    let key = test_key_secrets().new_key("mtb_", matterbook_core::key::AccountNumber::from_bytes([7; 6]), [7; 20]);
    let logged = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&logged);
    let service = service(Panicking).with_log(move |handled| {
        assert!(handled.cause.is_some());
        counted.fetch_add(1, Ordering::Relaxed);
    });
    let me = Request::get("/api/v1/me").header("authorization", format!("Bearer {key}")).body(Full::<Bytes>::default());
    let (status, body) = answer(&service, me.expect("a request"));
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(body.contains("\"code\":\"internal\""), "{body}");
    assert_eq!(logged.load(Ordering::Relaxed), 1);
}

#[test]
fn a_store_without_an_operators_half_has_no_operator_api() {
    for (status, body) in
        [answer(&service(Panicking), account()), answer(&service(BoxedStore::new(Panicking)), account())]
    {
        assert_eq!(status, StatusCode::NOT_FOUND);
        assert!(body.contains("This service has no operator API."), "{body}");
    }
}
