//! The reference implementation of a [store](crate::store): rules S1–S19 and S30–S37 in plain maps, for tests and for programs
//! that embed the rules. Other stores are compared with it.
//!
//! One lock guards everything, so each verb is one atomic unit. A client keeps all its states, and a view
//! selects the state of its moment. Nothing is written to disk, and earlier states are never pruned.
//!
//! An [`Api`](crate::api::Api) also needs a [`MemoryRateLimiter`] and a [`ManualPlatform`], whose clock tests set.
//!
//! ```
//! use matterbook_core::{
//!     account::AccountFlags,
//!     api::Api,
//!     http,
//!     key::{AccountNumber, KeyLimits},
//!     memory::{ManualPlatform, MemoryRateLimiter, MemoryStore, test_key_secrets},
//!     settings::Settings,
//!     store::{LogEntry, OperatorCommand, OperatorStore, Retention},
//!     time::Timestamp,
//!     uuid::Uuid,
//! };
//!
//! # use std::{future::Future, pin::pin, task::{Context, Poll, Waker}};
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let now = Timestamp::from_micros(1_767_225_600_000_000);
//! let entry = |action| LogEntry {
//!     id: Uuid::from_u128(1),
//!     at: now,
//!     actor: "operator".to_owned(),
//!     action,
//!     subject: String::new(),
//!     request_id: Uuid::from_u128(2),
//!     retention: Retention::default(),
//! };
//! let account = Uuid::from_u128(10);
//! let number = AccountNumber::from_bytes([0, 0, 0, 0, 0, 10]);
//! let secrets = test_key_secrets();
//! let key = secrets.new_key("mtb_", number, [7; 20]);
//!
//! let store = MemoryStore::default();
//! let create_account = OperatorCommand::CreateAccount {
//!     id: account,
//!     number,
//!     login_id: Uuid::from_u128(11),
//!     email: "owner@firm.example".to_owned(),
//!     flags: AccountFlags { api_enabled: true, ..AccountFlags::default() },
//! };
//! store.operate(create_account, entry("account.create")).await?;
//! let create_key = OperatorCommand::CreateKey {
//!     id: Uuid::from_u128(12),
//!     account,
//!     login: None,
//!     label: None,
//!     limits: KeyLimits::default(),
//!     key: secrets.stored(&key),
//! };
//! store.operate(create_key, entry("key.create")).await?;
//!
//! let api = Api::new(store, MemoryRateLimiter::default(), ManualPlatform::new(now), Settings::default(), secrets);
//! let request = http::Request::get("/api/v1/me").header("authorization", format!("Bearer {key}"));
//! let (head, ()) = request.body(())?.into_parts();
//! let handled = api.handle(head, Vec::new()).await;
//! assert_eq!(handled.response.status(), 200);
//! let body = String::from_utf8(handled.response.into_body())?;
//! assert!(body.contains("owner@firm.example"));
//! # Ok(())
//! # }
//! # // A store in memory never waits, so the first poll completes.
//! # match pin!(example()).poll(&mut Context::from_waker(Waker::noop())) {
//! #     Poll::Ready(outcome) => outcome.unwrap(),
//! #     Poll::Pending => panic!("a store in memory waits"),
//! # }
//! ```

mod account;
mod clients;
mod console;
mod expiring_map;
mod imports;
mod key_secret;
mod listing;
mod operate;
mod people;
mod platform;
mod prospects;
mod rate_limiter;
mod review;
mod similar;
mod state;

pub use key_secret::{TEST_KEY_SECRET, test_key_secrets};
pub use platform::ManualPlatform;
pub use rate_limiter::MemoryRateLimiter;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use state::State;

use crate::{
    account::KeyOwner,
    key::KeyDigest,
    store::{
        ChangeRequest, ClientPageEnd, ClientPageQuery, HistoryPage, HistoryQuery, LogEntry, OperatorAnswer,
        OperatorCommand, ProspectPage, ProspectPageQuery, SendOperatorStore, SendStore, ShowClient, StoreError,
        StoredResponse,
    },
    time::Timestamp,
};

/// A store in memory. Clones share one content.
#[derive(Clone, Default)]
pub struct MemoryStore {
    state: Arc<Mutex<State>>,
}

impl MemoryStore {
    /// All data, for one atomic unit. A poisoned lock is ignored: a decision may panic, but it runs before
    /// any change, and no code panics afterwards.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for MemoryStore {
    /// Shows no content, because it is client data.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("MemoryStore(…)")
    }
}

impl SendStore for MemoryStore {
    type Operator = Self;

    async fn key_owner(&self, key: &KeyDigest, now: Timestamp) -> Result<Option<KeyOwner>, StoreError> {
        Ok(self.state().key_owner(key, now))
    }

    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        self.state().record_use(key, now);
        Ok(())
    }

    async fn change(&self, request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        self.state().change(request)
    }

    async fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        let page = self.state().clients(key, query);
        Ok(page.map(|page| page.show(show)))
    }

    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        Ok(self.state().prospects(key, query))
    }

    async fn history(&self, key: &KeyDigest, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        Ok(self.state().history(key, query))
    }

    fn operator(&self) -> Option<&Self> {
        Some(self)
    }
}

impl SendOperatorStore for MemoryStore {
    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        self.state().operate(command, entry)
    }
}
