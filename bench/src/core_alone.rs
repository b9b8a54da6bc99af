//! The core without storage and sockets: a service whose store holds one look at an account ready.

use std::{
    cell::RefCell,
    pin::pin,
    task::{Context, Poll, Waker},
    time::Instant,
};

use http::{Method, Request};
use matterbook_core::{
    account::{AccountFlags, Holder, Role},
    api::Api,
    client::Client,
    gate::{Admission, Gate, GateError},
    key::KeyDigest,
    platform::Platform,
    settings::Settings,
    store::{
        Answer, ChangeRequest, ChangeSet, ClientPage, ClientPageQuery, LogEntry, OperatorAnswer, OperatorCommand,
        ProspectPage, ProspectPageQuery, Snapshot, Store, StoreError,
    },
    time::Timestamp,
};
use uuid::Uuid;

use crate::{
    clients::{Work, body},
    figures::Spread,
};

/// Posts of one round, each of another body.
const POSTS: usize = 40;

/// What is measured: its name, as whom the posted clients are known already, and how they come.
pub const WORKS: [(&str, Option<Work>, Work); 3] = [
    ("new", None, Work::First),
    ("updates", Some(Work::First), Work::Changed),
    ("unchanged", Some(Work::First), Work::First),
];

/// How many batches of a work the core takes a second, on one core.
#[must_use]
pub fn batches_per_second(rounds: usize, known: Option<Work>, posted: Work) -> Spread {
    let service =
        |number| known.map_or_else(|| CoreAlone::knowing(Vec::new()), |work| CoreAlone::after(body(number, work)));
    let services: Vec<_> = (0..POSTS).map(service).collect();
    let bodies: Vec<_> = (0..POSTS).map(|number| body(number, posted)).collect();
    Spread::of((0..rounds).map(|_| {
        let bodies = bodies.clone();
        let began = Instant::now();
        for (service, body) in services.iter().zip(bodies) {
            std::hint::black_box(service.post(body));
        }
        POSTS as f64 / began.elapsed().as_secs_f64()
    }))
}

const NOW: Timestamp = Timestamp::from_micros(1_790_000_000_000_000);

/// A service over one look at an account, without a rate limit.
pub struct CoreAlone(Api<OneLook, NoGate, Fixed>);

impl CoreAlone {
    /// The service of an account that has these clients.
    #[must_use]
    pub fn knowing(clients: Vec<Client>) -> Self {
        let snapshot =
            Snapshot { holder: holder(), clients, settlements: Vec::new(), tombstones: Vec::new(), saved_answer: None };
        let store = OneLook { snapshot, decided: RefCell::default() };
        let settings = Settings { rate_limit_per_minute: 0, ..Settings::default() };
        Self(Api::new(store, NoGate, Fixed, settings))
    }

    /// The service of an account to which this body was posted before.
    #[must_use]
    pub fn after(body: Vec<u8>) -> Self {
        let (_, change_set) = Self::knowing(Vec::new()).post(body);
        let client = |new: matterbook_core::store::NewClient| Client {
            id: new.id,
            fields: new.fields,
            created_at: NOW,
            updated_at: NOW,
        };
        Self::knowing(change_set.created.into_iter().map(client).collect())
    }

    /// Posts a body of clients; hands back the answer's body, and what would be saved.
    ///
    /// # Panics
    /// When the answer is not 200.
    #[must_use]
    pub fn post(&self, body: Vec<u8>) -> (Vec<u8>, ChangeSet) {
        let request = Request::builder()
            .method(Method::POST)
            .uri("/api/v1/clients")
            .header("authorization", format!("Bearer mtb_{}", "a".repeat(43)))
            .header("content-type", "application/json")
            .body(())
            .expect("a request");
        let mut handling = pin!(self.0.handle(request.into_parts().0, body));
        // Nothing in it waits.
        let Poll::Ready(handled) = handling.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
            panic!("the core waits for nothing");
        };
        assert_eq!(handled.response.status(), 200);
        (handled.response.into_body(), self.0.store().decided.take())
    }
}

struct OneLook {
    snapshot: Snapshot,
    decided: RefCell<ChangeSet>,
}

impl Store for OneLook {
    async fn holder(&self, _: &KeyDigest) -> Result<Option<Holder>, StoreError> {
        Ok(Some(holder()))
    }

    async fn record_use(&self, _: &KeyDigest, _: Timestamp) -> Result<(), StoreError> {
        Ok(())
    }

    async fn change(&self, mut request: ChangeRequest) -> Result<Option<Answer>, StoreError> {
        let decided = (request.decide)(&self.snapshot);
        *self.decided.borrow_mut() = decided.change_set;
        Ok(Some(decided.answer))
    }

    async fn clients(&self, _: &KeyDigest, _: &ClientPageQuery) -> Result<Option<ClientPage>, StoreError> {
        Err(nothing())
    }

    async fn prospects(&self, _: &KeyDigest, _: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        Err(nothing())
    }

    async fn operate(&self, _: OperatorCommand, _: LogEntry) -> Result<OperatorAnswer, StoreError> {
        Err(nothing())
    }
}

fn nothing() -> StoreError {
    StoreError::Failed { cause: "only posts are measured".to_owned() }
}

fn holder() -> Holder {
    Holder {
        account: Uuid::from_u128(1),
        email: "owner@firm.example".to_owned(),
        flags: AccountFlags { api_enabled: true, ..AccountFlags::default() },
        role: Role::Owner,
        last_used_at: Some(NOW),
    }
}

struct NoGate;

impl Gate for NoGate {
    async fn admit(&self, _: &KeyDigest, _: u32, _: Timestamp) -> Result<Admission, GateError> {
        Err(GateError("no limit is set".to_owned()))
    }
}

struct Fixed;

impl Platform for Fixed {
    fn now(&self) -> Timestamp {
        NOW
    }

    fn random(&self) -> [u8; 32] {
        [7; 32]
    }
}
