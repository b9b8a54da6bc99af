//! The console's storage on the native host: what reads on pooled connections, what writes through the writer.

use matterbook_core::{
    sign_in::SessionDigest,
    store::{
        ConsoleCommand, ConsoleRequest, ConsoleResponse, ConsoleStore, SignIn, SignInAnswer, SignInCommand, StoreError,
    },
    time::Timestamp,
};
use matterbook_store_sql::SqlStore;
use uuid::Uuid;

use super::{
    Database,
    driver::ReaderDriver,
    store::{complete, writing},
    writer::Task,
};

/// The console's requests have one turn together with the operator's commands.
const TASK: Task = Task { account: Uuid::nil(), rows: 1, is_erasure: false };

impl ConsoleStore for Database {
    async fn sign_in(&self, sign_in: SignIn) -> Result<SignInAnswer, StoreError> {
        let _timed = self.metrics().operate.time();
        // A link that does not work never reaches the writer.
        let shown = match &sign_in.command {
            SignInCommand::UseLink { link, .. } => SignInCommand::ShowLink { link: *link },
            SignInCommand::UsePasskey { credential_id, .. } => {
                SignInCommand::FindPasskey { credential_id: credential_id.clone() }
            }
            command => command.clone(),
        };
        let is_read = matches!(sign_in.command, SignInCommand::ShowLink { .. } | SignInCommand::FindPasskey { .. });
        let looked_up = SignIn { command: shown, ..sign_in.clone() };
        let found = self.read(|connection| complete(SqlStore::new(ReaderDriver(connection)).sign_in(looked_up)))?;
        if is_read || matches!(found, SignInAnswer::Refused(_)) {
            return Ok(found);
        }
        self.write(TASK, move |connection| complete(writing(connection).sign_in(sign_in))).await
    }

    async fn console(&self, request: ConsoleRequest) -> Result<Option<ConsoleResponse>, StoreError> {
        let _timed = self.metrics().operate.time();
        let is_read = request.command.action().is_none();
        // A request without a live key never reaches the writer.
        let command = if is_read { request.command.clone() } else { ConsoleCommand::Session };
        let looked_up = ConsoleRequest { command, ..request.clone() };
        let found = self.read(|connection| complete(SqlStore::new(ReaderDriver(connection)).console(looked_up)))?;
        if is_read || found.is_none() {
            return Ok(found);
        }
        self.write(TASK, move |connection| complete(writing(connection).console(request))).await
    }

    async fn record_session_use(&self, session: &SessionDigest, now: Timestamp) -> Result<(), StoreError> {
        if self.is_copy() {
            return Ok(());
        }
        let _timed = self.metrics().record_use.time();
        let session = *session;
        self.write(TASK, move |connection| complete(writing(connection).record_session_use(&session, now))).await
    }
}
