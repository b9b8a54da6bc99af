//! A store whose type is chosen at run time.

use std::pin::Pin;

use super::{
    ChangeRequest, ClientPageEnd, ClientPageQuery, HistoryPage, HistoryQuery, LogEntry, OperatorAnswer,
    OperatorCommand, ProspectPage, ProspectPageQuery, SendOperatorStore, SendStore, ShowClient, StoreError,
    StoredResponse,
};
use crate::{account::KeyOwner, key::KeyDigest, time::Timestamp};

/// Any [`SendStore`], behind one type. Each call allocates its future.
pub struct BoxedStore(Box<dyn Verbs>);

impl BoxedStore {
    /// That store, with its operator's half if it has one.
    pub fn new(store: impl SendStore + 'static) -> Self {
        Self(Box::new(store))
    }
}

impl std::fmt::Debug for BoxedStore {
    /// Shows nothing of the store, which may hold client data.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("BoxedStore(…)")
    }
}

type Boxed<'call, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'call>>;

/// The functions of a store in a form that a pointer can call.
trait Verbs: Send + Sync {
    fn key_owner<'call>(&'call self, key: &'call KeyDigest, now: Timestamp) -> Boxed<'call, Option<KeyOwner>>;
    fn record_use<'call>(&'call self, key: &'call KeyDigest, now: Timestamp) -> Boxed<'call, ()>;
    fn change(&self, request: ChangeRequest) -> Boxed<'_, Option<StoredResponse>>;
    fn clients<'call>(
        &'call self,
        key: &'call KeyDigest,
        query: &'call ClientPageQuery,
        show: &'call mut ShowClient<'_>,
    ) -> Boxed<'call, Option<ClientPageEnd>>;
    fn prospects<'call>(
        &'call self,
        key: &'call KeyDigest,
        query: &'call ProspectPageQuery,
    ) -> Boxed<'call, Option<ProspectPage>>;
    fn history<'call>(
        &'call self,
        key: &'call KeyDigest,
        query: &'call HistoryQuery,
    ) -> Boxed<'call, Option<HistoryPage>>;
    fn problem(&self) -> Option<&'static str>;
    fn copied_until(&self) -> Option<Timestamp>;
    fn has_operator(&self) -> bool;
    /// `None` without an operator's half.
    fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Option<Boxed<'_, OperatorAnswer>>;
    fn database_bytes(&self) -> Option<u64>;
}

impl<S: SendStore> Verbs for S {
    fn key_owner<'call>(&'call self, key: &'call KeyDigest, now: Timestamp) -> Boxed<'call, Option<KeyOwner>> {
        Box::pin(SendStore::key_owner(self, key, now))
    }

    fn record_use<'call>(&'call self, key: &'call KeyDigest, now: Timestamp) -> Boxed<'call, ()> {
        Box::pin(SendStore::record_use(self, key, now))
    }

    fn change(&self, request: ChangeRequest) -> Boxed<'_, Option<StoredResponse>> {
        Box::pin(SendStore::change(self, request))
    }

    fn clients<'call>(
        &'call self,
        key: &'call KeyDigest,
        query: &'call ClientPageQuery,
        show: &'call mut ShowClient<'_>,
    ) -> Boxed<'call, Option<ClientPageEnd>> {
        Box::pin(SendStore::clients(self, key, query, show))
    }

    fn prospects<'call>(
        &'call self,
        key: &'call KeyDigest,
        query: &'call ProspectPageQuery,
    ) -> Boxed<'call, Option<ProspectPage>> {
        Box::pin(SendStore::prospects(self, key, query))
    }

    fn history<'call>(
        &'call self,
        key: &'call KeyDigest,
        query: &'call HistoryQuery,
    ) -> Boxed<'call, Option<HistoryPage>> {
        Box::pin(SendStore::history(self, key, query))
    }

    fn problem(&self) -> Option<&'static str> {
        SendStore::problem(self)
    }

    fn copied_until(&self) -> Option<Timestamp> {
        SendStore::copied_until(self)
    }

    fn has_operator(&self) -> bool {
        SendStore::operator(self).is_some()
    }

    fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Option<Boxed<'_, OperatorAnswer>> {
        let operator = SendStore::operator(self)?;
        Some(Box::pin(SendOperatorStore::operate(operator, command, entry)))
    }

    fn database_bytes(&self) -> Option<u64> {
        SendStore::operator(self).and_then(SendOperatorStore::database_bytes)
    }
}

impl SendStore for BoxedStore {
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
        self.0.has_operator().then_some(self)
    }

    fn problem(&self) -> Option<&'static str> {
        self.0.problem()
    }

    fn copied_until(&self) -> Option<Timestamp> {
        self.0.copied_until()
    }
}

impl SendOperatorStore for BoxedStore {
    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        match self.0.operate(command, entry) {
            Some(answer) => answer.await,
            // Only a caller that did not ask `SendStore::operator` gets here.
            None => Err(StoreError::Failed { cause: "this store has no operator's half".to_owned() }),
        }
    }

    fn database_bytes(&self) -> Option<u64> {
        self.0.database_bytes()
    }
}
