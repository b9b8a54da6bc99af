//! The core without storage and sockets: a service whose store returns one prepared lookup result.

use std::{
    cell::{Cell, RefCell},
    pin::pin,
    task::{Context, Poll, Waker},
    time::Instant,
};

use http::{Method, Request};
use matterbook_core::{
    account::{AccountFlags, KeyOwner, Role},
    api::Api,
    client::Client,
    key::{AccountNumber, KeyDigest, KeySecrets, new_secret},
    platform::Platform,
    rate_limiter::{RateDecision, RateLimiter, RateLimiterError},
    settings::Settings,
    store::{
        ChangeOwner, ChangeRequest, ChangeSet, ClientPageEnd, ClientPageQuery, Decide, HistoryPage, HistoryQuery,
        NewClient, NoOperatorStore, Position, ProspectPage, ProspectPageQuery, ShowClient, Snapshot, Store, StoreError,
        StoredResponse,
    },
    time::Timestamp,
};
use uuid::Uuid;

use crate::{
    clients::{Work, body},
    figures::Spread,
};

/// The posts of one round, each with another body.
const POSTS: usize = 40;

/// More than a batch allocates.
const FREED_BYTES: usize = 8 << 20;

/// The works: name, the form in which the clients were stored before, and the form in which they are posted.
pub const WORKS: [(&str, Option<Work>, Work); 3] = [
    ("new", None, Work::First),
    ("updates", Some(Work::First), Work::Changed),
    ("unchanged", Some(Work::First), Work::First),
];

/// How many batches of a work the core processes per second, on one core.
#[must_use]
pub fn batches_per_second(rounds: usize, known: Option<Work>, posted: Work) -> Spread {
    let service =
        |number| known.map_or_else(|| CoreAlone::knowing(Vec::new()), |work| CoreAlone::after(body(number, work)));
    let services: Vec<_> = (0..POSTS).map(service).collect();
    let bodies: Vec<_> = (0..POSTS).map(|number| body(number, posted)).collect();
    keep_what_is_freed();
    Spread::of((0..rounds).map(|_| {
        let bodies = bodies.clone();
        let began = Instant::now();
        for (service, body) in services.iter().zip(bodies) {
            std::hint::black_box(service.post(body));
        }
        POSTS as f64 / began.elapsed().as_secs_f64()
    }))
}

/// Lets the allocator keep freed memory for the next batch, as it does in a service under load. A small
/// process would return it to the system after each batch, and the measurement would include getting it back.
/// The C library keeps up to twice the largest block that it mapped and freed.
fn keep_what_is_freed() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(FREED_BYTES)));
}

/// The time of every request.
pub const NOW: Timestamp = Timestamp::from_micros(1_790_000_000_000_000);

/// A service over one prepared lookup result, without a rate limit.
pub struct CoreAlone(Api<OneSnapshot, NoRateLimit, Fixed>, String);

impl CoreAlone {
    /// The service of an account with these clients.
    #[must_use]
    pub fn knowing(clients: Vec<Client>) -> Self {
        let snapshot = Snapshot {
            owner: ChangeOwner::Key(key_owner()),
            clients,
            settlements: Vec::new(),
            tombstones: Vec::new(),
            waiting: Vec::new(),
            aliases: Vec::new(),
            similar: Vec::new(),
            idempotency_record: None,
        };
        let store = OneSnapshot {
            snapshot,
            decided: RefCell::default(),
            holds_back: Cell::default(),
            held: RefCell::default(),
        };
        let settings = Settings { rate_limit_per_minute: 0, ..Settings::default() };
        let secrets = KeySecrets::parse(&new_secret([7; 32])).expect("a secret");
        let key = secrets.new_key("mtb_", AccountNumber::from_bytes([7; 6]), [7; 20]);
        Self(Api::new(store, NoRateLimit, Fixed, settings, secrets), format!("Bearer {key}"))
    }

    /// The service of an account to which this body was posted before.
    #[must_use]
    pub fn after(body: Vec<u8>) -> Self {
        let (_, change_set) = Self::knowing(Vec::new()).post(body);
        Self::knowing(saved(change_set))
    }

    /// The prepared lookup result of the account.
    #[must_use]
    pub const fn snapshot(&self) -> &Snapshot {
        &self.0.store().snapshot
    }

    /// Posts a body of clients; returns the response's body and the change set.
    ///
    /// # Panics
    /// When the answer is not 200.
    #[must_use]
    pub fn post(&self, body: Vec<u8>) -> (Vec<u8>, ChangeSet) {
        let response = self.handle(Method::POST, "/api/v1/clients", body);
        (response, self.0.store().decided.take())
    }

    /// Posts a body of clients up to the lookup; returns the decision that would follow, which also makes the
    /// response.
    ///
    /// # Panics
    /// When the body is refused.
    #[must_use]
    pub fn read(&self, body: Vec<u8>) -> Decide {
        let store = self.0.store();
        store.holds_back.set(true);
        self.handle(Method::POST, "/api/v1/clients", body);
        store.holds_back.set(false);
        store.held.take().expect("a decision")
    }

    /// The first page of 100 clients.
    ///
    /// # Panics
    /// When the answer is not 200.
    #[must_use]
    pub fn page(&self) -> Vec<u8> {
        self.handle(Method::GET, "/api/v1/clients?limit=100", Vec::new())
    }

    fn handle(&self, method: Method, uri: &str, body: Vec<u8>) -> Vec<u8> {
        let request = Request::builder()
            .method(method)
            .uri(uri)
            .header("authorization", &self.1)
            .header("content-type", "application/json")
            .body(())
            .expect("a request");
        let mut handling = pin!(self.0.handle(request.into_parts().0, body));
        // The future never waits.
        let Poll::Ready(handled) = handling.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
            panic!("the core waits for nothing");
        };
        assert_eq!(handled.response.status(), 200);
        handled.response.into_body()
    }
}

/// The clients that a change set creates.
#[must_use]
pub fn saved(change_set: ChangeSet) -> Vec<Client> {
    let client = |new: NewClient| Client { id: new.id, fields: new.fields, created_at: NOW, updated_at: NOW };
    change_set.created.into_iter().map(client).collect()
}

struct OneSnapshot {
    snapshot: Snapshot,
    decided: RefCell<ChangeSet>,
    /// Whether a decision is kept for the caller instead of being executed.
    holds_back: Cell<bool>,
    held: RefCell<Option<Decide>>,
}

impl Store for OneSnapshot {
    type Operator = NoOperatorStore;

    async fn key_owner(&self, _: &KeyDigest, _: Timestamp) -> Result<Option<KeyOwner>, StoreError> {
        Ok(Some(key_owner()))
    }

    async fn record_use(&self, _: &KeyDigest, _: Timestamp) -> Result<(), StoreError> {
        Ok(())
    }

    async fn change(&self, mut request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        if self.holds_back.get() {
            *self.held.borrow_mut() = Some(request.decide);
            return Ok(Some(StoredResponse { status: 200, body: String::new(), replayed: false }));
        }
        let decided = (request.decide)(&self.snapshot);
        *self.decided.borrow_mut() = decided.change_set;
        Ok(Some(decided.response))
    }

    async fn clients(
        &self,
        _: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        let clients = self.snapshot.clients.iter().take(query.limit as usize);
        let next = clients.clone().next_back().map(|last| Position { at: last.updated_at, id: last.id });
        clients.for_each(|client| show(client.borrowed()));
        Ok(Some(ClientPageEnd { key_owner: key_owner(), seen_until: query.view.now, next }))
    }

    async fn history(&self, _: &KeyDigest, _: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        Err(nothing())
    }

    async fn prospects(&self, _: &KeyDigest, _: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        Err(nothing())
    }
}

fn nothing() -> StoreError {
    StoreError::Failed { cause: "only clients are measured".to_owned() }
}

fn key_owner() -> KeyOwner {
    KeyOwner {
        account: Uuid::from_u128(1),
        email: "owner@firm.example".to_owned(),
        flags: AccountFlags { api_enabled: true, ..AccountFlags::default() },
        role: Role::Owner,
        scope: None,
        ends_at: None,
        last_used_at: Some(NOW),
    }
}

struct NoRateLimit;

impl RateLimiter for NoRateLimit {
    async fn check(&self, _: &KeyDigest, _: u32, _: Timestamp) -> Result<RateDecision, RateLimiterError> {
        Err(RateLimiterError("no limit is set".to_owned()))
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
