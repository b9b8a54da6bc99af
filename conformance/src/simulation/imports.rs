//! Imports of the console: sessions, and files whose batches a run sends.

use std::collections::BTreeMap;

use matterbook_core::{
    sign_in::{LinkDigest, SessionDigest, new_token},
    store::{
        ConsoleAnswer, ConsoleCommand, ConsoleRequest, ConsoleStore as _, NewImport, NewSession, OperatorAnswer,
        OperatorCommand, Retention, SignIn, SignInAnswer, SignInCommand,
    },
    time::Timestamp,
};
use uuid::Uuid;

use super::{
    AnyConsoleStore, Failure,
    auditor::{ask, operate},
    universe::login_id,
};

/// The most rows of a file.
const ROWS: u32 = 1_000_000;

/// The imports of a run.
#[derive(Default)]
pub(super) struct Imports {
    /// By account, number and machine: the machines' clocks may differ by more than an import may take.
    begun: BTreeMap<(usize, usize, usize), Uuid>,
    /// Ids that were given.
    given: u64,
}

impl Imports {
    fn id(&mut self) -> Uuid {
        self.given += 1;
        Uuid::from_u128((0x1390 << 64) + u128::from(self.given))
    }

    /// A session of the account's owner; `None` while the account is suspended.
    pub(super) fn sign_in(
        &mut self,
        store: &AnyConsoleStore,
        account: usize,
        now: Timestamp,
    ) -> Result<Option<SessionDigest>, Failure> {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&(self.given + 1).to_be_bytes());
        let token = new_token(bytes);
        let (link, session) = (LinkDigest::of(&token), SessionDigest::of(&token));
        let command = OperatorCommand::MakeLink { login: login_id(account), link, expires_at: now.plus_seconds(60) };
        if !matches!(operate(store, command, self.id().as_u128())?, OperatorAnswer::Login(_)) {
            return Err(Failure::new("answers", "there is no link"));
        }
        let sign_in = SignIn {
            now,
            entry_id: self.id(),
            request_id: self.id(),
            retention: Retention::default(),
            command: SignInCommand::UseLink { link, session: NewSession { id: self.id(), digest: session } },
        };
        Ok(matches!(ask(store.sign_in(sign_in))?, SignInAnswer::SignedIn(_)).then_some(session))
    }

    /// An import by its number, which begins where there is none yet.
    pub(super) fn import(
        &mut self,
        store: &AnyConsoleStore,
        place: (usize, usize, usize),
        session: SessionDigest,
        now: Timestamp,
    ) -> Result<Uuid, Failure> {
        if let Some(known) = self.begun.get(&place) {
            return Ok(*known);
        }
        let id = self.id();
        let digest = format!("{:064x}", id.as_u128());
        let import =
            NewImport { id, file_name: "clients.csv".to_owned(), digest, rows: ROWS, mapping: "{}".to_owned() };
        self.console(store, session, now, ConsoleCommand::BeginImport { import })?;
        self.begun.insert(place, id);
        Ok(id)
    }

    /// How many rows of an import are done; `None` while the account is suspended.
    pub(super) fn sent_rows(
        &mut self,
        store: &AnyConsoleStore,
        (account, import): (usize, Uuid),
        now: Timestamp,
    ) -> Result<Option<u32>, Failure> {
        let Some(session) = self.sign_in(store, account, now)? else { return Ok(None) };
        match self.console(store, session, now, ConsoleCommand::ShowImport { import })? {
            ConsoleAnswer::Import(import, _) => Ok(Some(import.sent_rows)),
            _ => Err(Failure::new("answers", "an import is not shown")),
        }
    }

    fn console(
        &mut self,
        store: &AnyConsoleStore,
        session: SessionDigest,
        now: Timestamp,
        command: ConsoleCommand,
    ) -> Result<ConsoleAnswer, Failure> {
        let (entry_id, request_id) = (self.id(), self.id());
        let request = ConsoleRequest { session, now, entry_id, request_id, retention: Retention::default(), command };
        let response = ask(store.console(request))?.ok_or_else(|| Failure::new("answers", "a new session is over"))?;
        Ok(response.answer)
    }
}
