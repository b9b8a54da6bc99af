//! A store of whatever kind with the console's half, behind one type.

use std::{future::Future, pin::Pin, rc::Rc};

use matterbook_core::{
    account::KeyOwner,
    key::KeyDigest,
    sign_in::SessionDigest,
    store::{
        ChangeRequest, ClientPageEnd, ClientPageQuery, ConsoleRequest, ConsoleResponse, ConsoleStore, HistoryPage,
        HistoryQuery, LogEntry, OperatorAnswer, OperatorCommand, OperatorStore, ProspectPage, ProspectPageQuery,
        ShowClient, SignIn, SignInAnswer, Store, StoreError, StoredResponse,
    },
    time::Timestamp,
};
use matterbook_store_suite::AnyStore;

use super::Meeting;

type Asked<'ask, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + 'ask>>;

/// The verbs of the console in a form that a pointer can call.
trait ConsoleVerbs {
    fn sign_in(&self, sign_in: SignIn) -> Asked<'_, SignInAnswer>;
    fn console(&self, request: ConsoleRequest) -> Asked<'_, Option<ConsoleResponse>>;
    fn record_session_use<'ask>(&'ask self, session: &'ask SessionDigest, now: Timestamp) -> Asked<'ask, ()>;
}

impl<S: ConsoleStore> ConsoleVerbs for S {
    fn sign_in(&self, sign_in: SignIn) -> Asked<'_, SignInAnswer> {
        Box::pin(ConsoleStore::sign_in(self, sign_in))
    }

    fn console(&self, request: ConsoleRequest) -> Asked<'_, Option<ConsoleResponse>> {
        Box::pin(ConsoleStore::console(self, request))
    }

    fn record_session_use<'ask>(&'ask self, session: &'ask SessionDigest, now: Timestamp) -> Asked<'ask, ()> {
        Box::pin(ConsoleStore::record_session_use(self, session, now))
    }
}

/// A store whose kind is forgotten.
pub struct AnyConsoleStore {
    store: AnyStore<'static>,
    console: Box<dyn ConsoleVerbs>,
    /// Where the ids of requests are noted.
    meeting: Option<Meeting>,
}

impl AnyConsoleStore {
    /// Forgets the kind of a store.
    pub fn new<S: Store + OperatorStore + ConsoleStore + 'static>(store: S) -> Self {
        let store = Shared(Rc::new(store));
        Self { console: Box::new(store.clone()), store: AnyStore::new(store), meeting: None }
    }

    /// The same, of a machine.
    pub(super) fn of_machine<S: Store + OperatorStore + ConsoleStore + 'static>(store: S, meeting: &Meeting) -> Self {
        Self { meeting: Some(meeting.clone()), ..Self::new(store) }
    }

    fn note(&self, request: uuid::Uuid) {
        if let Some(meeting) = &self.meeting {
            meeting.note_request(request);
        }
    }
}

impl Store for AnyConsoleStore {
    type Operator = Self;

    async fn key_owner(&self, key: &KeyDigest, now: Timestamp) -> Result<Option<KeyOwner>, StoreError> {
        self.store.key_owner(key, now).await
    }

    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        self.store.record_use(key, now).await
    }

    async fn change(&self, request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        self.note(request.request_id);
        self.store.change(request).await
    }

    async fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        self.store.clients(key, query, show).await
    }

    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        self.store.prospects(key, query).await
    }

    async fn history(&self, key: &KeyDigest, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        self.store.history(key, query).await
    }

    fn operator(&self) -> Option<&Self> {
        self.store.operator().map(|_| self)
    }
}

impl OperatorStore for AnyConsoleStore {
    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        self.note(entry.request_id);
        self.store.operate(command, entry).await
    }
}

impl ConsoleStore for AnyConsoleStore {
    async fn sign_in(&self, sign_in: SignIn) -> Result<SignInAnswer, StoreError> {
        self.console.sign_in(sign_in).await
    }

    async fn console(&self, request: ConsoleRequest) -> Result<Option<ConsoleResponse>, StoreError> {
        self.console.console(request).await
    }

    async fn record_session_use(&self, session: &SessionDigest, now: Timestamp) -> Result<(), StoreError> {
        self.console.record_session_use(session, now).await
    }
}

/// One store for both of its halves.
struct Shared<S>(Rc<S>);

impl<S> Clone for Shared<S> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<S: Store + OperatorStore> Store for Shared<S> {
    type Operator = Self;

    async fn key_owner(&self, key: &KeyDigest, now: Timestamp) -> Result<Option<KeyOwner>, StoreError> {
        self.0.key_owner(key, now).await
    }

    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        self.0.record_use(key, now).await
    }

    async fn change(&self, request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        self.0.change(request).await
    }

    async fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        self.0.clients(key, query, show).await
    }

    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        self.0.prospects(key, query).await
    }

    async fn history(&self, key: &KeyDigest, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        self.0.history(key, query).await
    }

    fn operator(&self) -> Option<&Self> {
        Some(self)
    }
}

impl<S: OperatorStore> OperatorStore for Shared<S> {
    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        self.0.operate(command, entry).await
    }
}

impl<S: ConsoleStore> ConsoleStore for Shared<S> {
    async fn sign_in(&self, sign_in: SignIn) -> Result<SignInAnswer, StoreError> {
        self.0.sign_in(sign_in).await
    }

    async fn console(&self, request: ConsoleRequest) -> Result<Option<ConsoleResponse>, StoreError> {
        self.0.console(request).await
    }

    async fn record_session_use(&self, session: &SessionDigest, now: Timestamp) -> Result<(), StoreError> {
        self.0.record_session_use(session, now).await
    }
}
