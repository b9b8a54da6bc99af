//! What the firm's console asks of the service (rules of group G).

use super::Api;
use crate::store::{ConsoleCommand, ConsoleRequest, ConsoleResponse, ConsoleStore, StoreError};

impl<S: ConsoleStore, L, P> Api<S, L, P> {
    /// Answers a request of the console; `None` for a session that has ended. Where it revokes keys, this service
    /// forgets the keys that it has seen (rule A14).
    ///
    /// # Errors
    /// As [`ConsoleStore::console`].
    pub async fn console(&self, request: ConsoleRequest) -> Result<Option<ConsoleResponse>, StoreError> {
        let revokes = matches!(request.command, ConsoleCommand::RevokeKey { .. } | ConsoleCommand::RemoveLogin { .. });
        let response = self.store.console(request).await;
        if let Some(keys) = self.seen_keys.as_ref().filter(|_| revokes) {
            keys.forget_all();
        }
        response
    }
}
