//! The traits of a store whose futures are `Send`, for hosts that are generic over their store.
//!
//! The compiler cannot ask of a plain `async fn` that its future is `Send`, except for a concrete type. So there is a
//! second form of each trait, with the same functions. A type implements one of the two forms.

use super::{
    ChangeRequest, ClientPageEnd, ClientPageQuery, HistoryPage, HistoryQuery, LogEntry, NoOperatorStore,
    OperatorAnswer, OperatorCommand, OperatorStore, ProspectPage, ProspectPageQuery, ShowClient, Store, StoreError,
    StoredResponse,
};
use crate::{account::KeyOwner, key::KeyDigest, time::Timestamp};

/// A [`Store`] whose futures are `Send`. Each type that implements it is a [`Store`].
///
/// It has the functions of [`Store`], with the same contract. Write them as `async fn`.
///
/// ```
/// # #[cfg(feature = "memory")] {
/// use matterbook_core::{memory::MemoryStore, store::{BoxedStore, SendStore}};
/// // A host may choose its store at run time.
/// fn open(is_durable: bool, file: impl SendStore + 'static) -> BoxedStore {
///     if is_durable { BoxedStore::new(file) } else { BoxedStore::new(MemoryStore::default()) }
/// }
/// # open(false, MemoryStore::default());
/// # }
/// ```
pub trait SendStore: Send + Sync {
    /// As [`Store::Operator`].
    type Operator: SendOperatorStore;

    /// As [`Store::key_owner`].
    ///
    /// # Errors
    /// As there.
    fn key_owner(
        &self,
        key: &KeyDigest,
        now: Timestamp,
    ) -> impl Future<Output = Result<Option<KeyOwner>, StoreError>> + Send;

    /// As [`Store::record_use`].
    ///
    /// # Errors
    /// As there.
    fn record_use(&self, key: &KeyDigest, now: Timestamp) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// As [`Store::change`].
    ///
    /// # Errors
    /// As there.
    fn change(&self, request: ChangeRequest)
    -> impl Future<Output = Result<Option<StoredResponse>, StoreError>> + Send;

    /// As [`Store::clients`].
    ///
    /// # Errors
    /// As there.
    fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> impl Future<Output = Result<Option<ClientPageEnd>, StoreError>> + Send;

    /// As [`Store::prospects`].
    ///
    /// # Errors
    /// As there.
    fn prospects(
        &self,
        key: &KeyDigest,
        query: &ProspectPageQuery,
    ) -> impl Future<Output = Result<Option<ProspectPage>, StoreError>> + Send;

    /// As [`Store::history`].
    ///
    /// # Errors
    /// As there.
    fn history(
        &self,
        key: &KeyDigest,
        query: &HistoryQuery,
    ) -> impl Future<Output = Result<Option<HistoryPage>, StoreError>> + Send;

    /// As [`Store::operator`].
    fn operator(&self) -> Option<&Self::Operator> {
        None
    }

    /// As [`Store::problem`].
    fn problem(&self) -> Option<&'static str> {
        None
    }

    /// As [`Store::copied_until`].
    fn copied_until(&self) -> Option<Timestamp> {
        None
    }
}

/// An [`OperatorStore`] whose futures are `Send`. Each type that implements it is an [`OperatorStore`].
pub trait SendOperatorStore: Send + Sync {
    /// As [`OperatorStore::operate`].
    ///
    /// # Errors
    /// As there.
    fn operate(
        &self,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> impl Future<Output = Result<OperatorAnswer, StoreError>> + Send;

    /// As [`OperatorStore::database_bytes`].
    fn database_bytes(&self) -> Option<u64> {
        None
    }
}

impl<S: SendStore> Store for S {
    type Operator = S::Operator;

    async fn key_owner(&self, key: &KeyDigest, now: Timestamp) -> Result<Option<KeyOwner>, StoreError> {
        SendStore::key_owner(self, key, now).await
    }

    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        SendStore::record_use(self, key, now).await
    }

    async fn change(&self, request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        SendStore::change(self, request).await
    }

    async fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        SendStore::clients(self, key, query, show).await
    }

    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        SendStore::prospects(self, key, query).await
    }

    async fn history(&self, key: &KeyDigest, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        SendStore::history(self, key, query).await
    }

    fn operator(&self) -> Option<&S::Operator> {
        SendStore::operator(self)
    }

    fn problem(&self) -> Option<&'static str> {
        SendStore::problem(self)
    }

    fn copied_until(&self) -> Option<Timestamp> {
        SendStore::copied_until(self)
    }
}

impl<S: SendOperatorStore> OperatorStore for S {
    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        SendOperatorStore::operate(self, command, entry).await
    }

    fn database_bytes(&self) -> Option<u64> {
        SendOperatorStore::database_bytes(self)
    }
}

impl SendOperatorStore for NoOperatorStore {
    async fn operate(&self, _: OperatorCommand, _: LogEntry) -> Result<OperatorAnswer, StoreError> {
        match *self {}
    }
}
