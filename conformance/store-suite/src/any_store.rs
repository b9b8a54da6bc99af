//! A store of whatever kind, behind one type: so a case is compiled once, not once for each store
//! and each mutant.

use std::{future::Future, pin::Pin};

use matterbook_core::{
    account::KeyOwner,
    key::KeyDigest,
    store::{
        ChangeRequest, ClientPageEnd, ClientPageQuery, HistoryPage, HistoryQuery, LogEntry, OperatorAnswer,
        OperatorCommand, OperatorStore, ProspectPage, ProspectPageQuery, ShowClient, Store, StoreError, StoredResponse,
    },
    time::Timestamp,
};

/// A store whose kind is forgotten.
pub struct AnyStore<'store>(Box<dyn Verbs + 'store>);

impl<'store> AnyStore<'store> {
    /// Forgets the kind of a store.
    pub fn new(store: impl Store + OperatorStore + 'store) -> Self {
        Self(Box::new(store))
    }
}

type Asked<'ask, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + 'ask>>;

/// The verbs of a store in a form that a pointer can call.
trait Verbs {
    fn key_owner<'ask>(&'ask self, key: &'ask KeyDigest, now: Timestamp) -> Asked<'ask, Option<KeyOwner>>;
    fn record_use<'ask>(&'ask self, key: &'ask KeyDigest, now: Timestamp) -> Asked<'ask, ()>;
    fn change(&self, request: ChangeRequest) -> Asked<'_, Option<StoredResponse>>;
    fn clients<'ask>(
        &'ask self,
        key: &'ask KeyDigest,
        query: &'ask ClientPageQuery,
        show: &'ask mut ShowClient<'_>,
    ) -> Asked<'ask, Option<ClientPageEnd>>;
    fn prospects<'ask>(
        &'ask self,
        key: &'ask KeyDigest,
        query: &'ask ProspectPageQuery,
    ) -> Asked<'ask, Option<ProspectPage>>;
    fn history<'ask>(&'ask self, key: &'ask KeyDigest, query: &'ask HistoryQuery) -> Asked<'ask, Option<HistoryPage>>;
    fn has_operator(&self) -> bool;
    fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Asked<'_, OperatorAnswer>;
}

impl<S: Store + OperatorStore> Verbs for S {
    fn key_owner<'ask>(&'ask self, key: &'ask KeyDigest, now: Timestamp) -> Asked<'ask, Option<KeyOwner>> {
        Box::pin(Store::key_owner(self, key, now))
    }

    fn record_use<'ask>(&'ask self, key: &'ask KeyDigest, now: Timestamp) -> Asked<'ask, ()> {
        Box::pin(Store::record_use(self, key, now))
    }

    fn change(&self, request: ChangeRequest) -> Asked<'_, Option<StoredResponse>> {
        Box::pin(Store::change(self, request))
    }

    fn clients<'ask>(
        &'ask self,
        key: &'ask KeyDigest,
        query: &'ask ClientPageQuery,
        show: &'ask mut ShowClient<'_>,
    ) -> Asked<'ask, Option<ClientPageEnd>> {
        Box::pin(Store::clients(self, key, query, show))
    }

    fn prospects<'ask>(
        &'ask self,
        key: &'ask KeyDigest,
        query: &'ask ProspectPageQuery,
    ) -> Asked<'ask, Option<ProspectPage>> {
        Box::pin(Store::prospects(self, key, query))
    }

    fn history<'ask>(&'ask self, key: &'ask KeyDigest, query: &'ask HistoryQuery) -> Asked<'ask, Option<HistoryPage>> {
        Box::pin(Store::history(self, key, query))
    }

    fn has_operator(&self) -> bool {
        Store::operator(self).is_some()
    }

    fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Asked<'_, OperatorAnswer> {
        Box::pin(OperatorStore::operate(self, command, entry))
    }
}

impl Store for AnyStore<'_> {
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
}

impl OperatorStore for AnyStore<'_> {
    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        self.0.operate(command, entry).await
    }
}
