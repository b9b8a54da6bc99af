//! Stores that break one rule of the console, each with the case that must notice.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use matterbook_core::{
    account::KeyOwner,
    key::KeyDigest,
    memory::MemoryStore,
    sign_in::SessionDigest,
    store::{
        Authority, ChangeOwner, ChangeRequest, ClientPageEnd, ClientPageQuery, ClientSearch, ConsoleAnswer,
        ConsoleCommand, ConsoleRefusal, ConsoleRequest, ConsoleResponse, ConsoleStore, HistoryPage, HistoryQuery,
        LogEntry, OperatorAnswer, OperatorCommand, OperatorStore, ProspectPage, ProspectPageQuery, SessionOwner,
        ShowClient, SignIn, SignInAnswer, SignInCommand, SignInRefusal, Store, StoreError, StoredResponse,
    },
    time::Timestamp,
};

use super::super::CaseResult;

/// A broken store, and who must notice.
pub struct ConsoleMutant {
    /// What it gets wrong.
    pub name: &'static str,
    /// The case that must fail on it, and pass on the sound store.
    pub caught_by: &'static str,
    fault: Fault,
}

impl ConsoleMutant {
    /// Runs the case that must notice.
    ///
    /// # Errors
    /// What the case found, as it should.
    pub async fn run(&self) -> CaseResult {
        let case = super::console_cases().into_iter().find(|case| case.name == self.caught_by);
        match case {
            Some(case) => case.run(Broken::with(self.fault)).await,
            // A case that is not there catches nothing.
            None => Ok(()),
        }
    }
}

/// What a broken store does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// A link that was shown is used up.
    ShowingUsesUp,
    /// A refused link begins a session all the same.
    SuspendedSignsIn,
    /// A passkey's state is not compared.
    AnyStateSignsIn,
    /// Time does not end sessions.
    SessionsLastForEver,
    /// A session keeps the owner that it began with.
    OwnerIsRemembered,
    /// Signing out is only answered.
    SignOutIsForgotten,
    /// A session that a suspension ended comes back.
    SuspensionIsNoEnd,
    /// Everybody is an owner.
    EverybodyIsOwner,
    /// A search ignores its text.
    SearchFindsAll,
    /// A search shows the oldest change first.
    SearchIsReversed,
    /// A change leaves no entry in the log.
    NothingIsLogged,
    /// What came in has no name.
    SourcesHaveNoName,
    /// A session that is not open changes clients.
    ClosedSessionChanges,
    /// A batch does not advance its import.
    ProgressIsForgotten,
    /// A batch is decided on how far the import was.
    ImportIsRemembered,
    /// A file begins again each time.
    FileBeginsAnew,
    /// The undo of an import ends with its last batch.
    UndoEndsEarly,
    /// Each batch of an import is undone as if it were a change of its own.
    BatchesAreUndoneAlone,
    /// A person's undo is the operator's.
    UndoIsTheOperators,
}

/// Every mutant, in the order of the rules.
#[must_use]
pub fn console_mutants() -> Vec<ConsoleMutant> {
    let mutant = |name, fault, caught_by| ConsoleMutant { name, caught_by, fault };
    vec![
        mutant("showing a link uses it up", Fault::ShowingUsesUp, "s30_link_signs_in_once"),
        mutant(
            "a link signs in to a suspended account",
            Fault::SuspendedSignsIn,
            "s30_link_of_a_removed_or_suspended_login_does_not_work",
        ),
        mutant(
            "a passkey signs in whatever its state is",
            Fault::AnyStateSignsIn,
            "s31_passkey_signs_in_with_the_state_that_was_verified",
        ),
        mutant("sessions last for ever", Fault::SessionsLastForEver, "s32_session_ends_without_use"),
        mutant("who asks is remembered", Fault::OwnerIsRemembered, "s32_owner_is_as_of_now"),
        mutant("signing out ends nothing", Fault::SignOutIsForgotten, "s33_session_ends_at_sign_out_and_everywhere"),
        mutant("a suspension is no end", Fault::SuspensionIsNoEnd, "s33_suspension_ends_sessions_for_good"),
        mutant("everybody is an owner", Fault::EverybodyIsOwner, "s34_each_role_does_what_it_may"),
        mutant("a search finds all", Fault::SearchFindsAll, "s35_search_finds_parts_newest_change_first"),
        mutant(
            "a search begins with the oldest",
            Fault::SearchIsReversed,
            "s35_search_finds_parts_newest_change_first",
        ),
        mutant("nothing is logged", Fault::NothingIsLogged, "s36_each_change_is_logged_once_with_its_person"),
        mutant(
            "a person's undo is the operator's",
            Fault::UndoIsTheOperators,
            "s36_person_who_undoes_a_change_is_its_author",
        ),
        mutant("sources have no name", Fault::SourcesHaveNoName, "s35_overview_names_the_sources_of_a_day"),
        mutant(
            "a session that is not open changes clients",
            Fault::ClosedSessionChanges,
            "s37_session_changes_clients_while_it_is_open",
        ),
        mutant(
            "a batch does not advance its import",
            Fault::ProgressIsForgotten,
            "s37_batch_and_progress_land_together",
        ),
        mutant("how far an import is, is remembered", Fault::ImportIsRemembered, "s37_same_rows_at_once_are_done_once"),
        mutant("a file begins again each time", Fault::FileBeginsAnew, "s37_same_file_goes_on_until_it_ends"),
        mutant(
            "the undo of an import ends with its last batch",
            Fault::UndoEndsEarly,
            "s37_import_is_undone_batch_by_batch_as_one_change",
        ),
        mutant(
            "each batch of an import is undone alone",
            Fault::BatchesAreUndoneAlone,
            "s37_import_is_undone_batch_by_batch_as_one_change",
        ),
    ]
}

/// A sound store behind a fault. Clones share one content.
#[derive(Clone)]
struct Broken(Rc<Inner>);

impl std::ops::Deref for Broken {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

/// The store and its fault.
struct Inner {
    sound: MemoryStore,
    fault: Fault,
    /// Who asked first.
    first_owner: RefCell<Option<SessionOwner>>,
    /// When somebody asked first.
    began: Cell<Option<Timestamp>>,
    /// The session that asked first.
    first_session: Cell<Option<SessionDigest>>,
    is_suspended: Cell<bool>,
}

impl Broken {
    fn with(fault: Fault) -> Self {
        Self(Rc::new(Inner {
            sound: MemoryStore::default(),
            fault,
            first_owner: RefCell::default(),
            began: Cell::default(),
            first_session: Cell::default(),
            is_suspended: Cell::default(),
        }))
    }
}

impl Broken {
    /// An undo as the operator's, or of a batch as if it were no part of an import.
    async fn undo(&self, request: ConsoleRequest) -> Result<Option<ConsoleResponse>, StoreError> {
        let ConsoleCommand::UndoChange { change, after, client_delay_seconds, dry_run } = request.command else {
            return self.sound.console(request).await;
        };
        let tried = ConsoleCommand::UndoChange { change, after, client_delay_seconds, dry_run: true };
        let tried = self.sound.console(ConsoleRequest { command: tried, ..request.clone() }).await?;
        let Some(ConsoleResponse { owner, answer: ConsoleAnswer::Undone(tried) }) = tried else { return Ok(tried) };
        let answer = if self.fault == Fault::UndoIsTheOperators && !dry_run {
            let entry = LogEntry {
                id: request.entry_id,
                at: request.now,
                actor: owner.email.clone(),
                action: "change.undo",
                subject: change.to_string(),
                request_id: request.request_id,
                retention: request.retention,
            };
            let account = owner.account;
            let command = OperatorCommand::UndoChange { account, change, after, client_delay_seconds, dry_run };
            match self.sound.operate(command, entry).await? {
                OperatorAnswer::Undone(report) => ConsoleAnswer::Undone(report),
                _ => ConsoleAnswer::Done,
            }
        } else {
            let change = tried.change.request_id;
            let alone = ConsoleCommand::UndoChange { change, after: None, client_delay_seconds, dry_run };
            match self.sound.console(ConsoleRequest { command: alone, ..request }).await? {
                Some(ConsoleResponse { answer: ConsoleAnswer::Undone(mut report), .. }) => {
                    (report.change.import_id, report.next) = (tried.change.import_id, tried.next);
                    ConsoleAnswer::Undone(report)
                }
                other => return Ok(other),
            }
        };
        Ok(Some(ConsoleResponse { owner, answer }))
    }
}

impl ConsoleStore for Broken {
    async fn sign_in(&self, sign_in: SignIn) -> Result<SignInAnswer, StoreError> {
        if let (Fault::AnyStateSignsIn, SignInCommand::UsePasskey { credential_id, new_state, session, .. }) =
            (self.fault, &sign_in.command)
        {
            let find = SignInCommand::FindPasskey { credential_id: credential_id.clone() };
            let found = self.sound.sign_in(SignIn { command: find, ..sign_in.clone() }).await?;
            if let SignInAnswer::Passkey(passkey) = found {
                let (credential_id, new_state, session) = (credential_id.clone(), new_state.clone(), *session);
                let verified_state = passkey.state;
                let command = SignInCommand::UsePasskey { credential_id, verified_state, new_state, session };
                return self.sound.sign_in(SignIn { command, ..sign_in }).await;
            }
        }
        let answer = self.sound.sign_in(sign_in.clone()).await?;
        Ok(match (self.fault, &sign_in.command, answer) {
            (Fault::ShowingUsesUp, SignInCommand::ShowLink { link }, shown @ SignInAnswer::Link(_)) => {
                let session = matterbook_core::store::NewSession {
                    id: sign_in.entry_id,
                    digest: SessionDigest::of(&sign_in.entry_id.to_string()),
                };
                let command = SignInCommand::UseLink { link: *link, session };
                self.sound.sign_in(SignIn { command, ..sign_in }).await?;
                shown
            }
            (Fault::SuspendedSignsIn, _, SignInAnswer::Refused(SignInRefusal::Suspended)) => {
                SignInAnswer::Refused(SignInRefusal::Unknown)
            }
            (_, _, answer) => answer,
        })
    }

    async fn console(&self, mut request: ConsoleRequest) -> Result<Option<ConsoleResponse>, StoreError> {
        match (self.fault, &mut request.command) {
            (Fault::SessionsLastForEver, _) => {
                let began = self.began.get().unwrap_or(request.now);
                self.began.set(Some(began));
                request.now = began;
            }
            (Fault::SignOutIsForgotten, command @ ConsoleCommand::SignOut) => *command = ConsoleCommand::Session,
            (Fault::SearchFindsAll, ConsoleCommand::SearchClients { search, .. }) => {
                *search = ClientSearch { text: None, ..search.clone() };
            }
            (Fault::FileBeginsAnew, ConsoleCommand::BeginImport { import }) => {
                import.digest = format!("{:0>64}", import.id.simple());
            }
            (Fault::UndoIsTheOperators | Fault::BatchesAreUndoneAlone, ConsoleCommand::UndoChange { .. }) => {
                return self.undo(request).await;
            }
            (Fault::EverybodyIsOwner, _) => {
                let first = self.first_session.get().unwrap_or(request.session);
                self.first_session.set(Some(first));
                request.session = first;
            }
            _ => {}
        }
        let Some(ConsoleResponse { owner, answer }) = self.sound.console(request).await? else { return Ok(None) };
        let first = self.first_owner.borrow_mut().get_or_insert_with(|| owner.clone()).clone();
        let (owner, answer) = match (self.fault, answer) {
            (Fault::OwnerIsRemembered, answer) => (first, answer),
            (Fault::SuspensionIsNoEnd, _) if self.is_suspended.get() => {
                (owner, ConsoleAnswer::Refused(ConsoleRefusal::Suspended))
            }
            (Fault::SourcesHaveNoName, ConsoleAnswer::Overview(mut overview)) => {
                overview.days.iter_mut().flat_map(|day| &mut day.sources).for_each(|source| source.name = None);
                (owner, ConsoleAnswer::Overview(overview))
            }
            (Fault::SearchIsReversed, ConsoleAnswer::Clients(mut clients, next)) => {
                clients.reverse();
                (owner, ConsoleAnswer::Clients(clients, next))
            }
            (Fault::UndoEndsEarly, ConsoleAnswer::Undone(mut report)) => {
                report.next = None;
                (owner, ConsoleAnswer::Undone(report))
            }
            (_, answer) => (owner, answer),
        };
        Ok(Some(ConsoleResponse { owner, answer }))
    }

    async fn record_session_use(&self, session: &SessionDigest, now: Timestamp) -> Result<(), StoreError> {
        self.sound.record_session_use(session, now).await
    }
}

impl Store for Broken {
    type Operator = Self;

    async fn key_owner(&self, key: &KeyDigest, now: Timestamp) -> Result<Option<KeyOwner>, StoreError> {
        self.sound.key_owner(key, now).await
    }

    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        self.sound.record_use(key, now).await
    }

    async fn change(&self, mut request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        match (self.fault, &mut request.authority) {
            (Fault::ClosedSessionChanges, Authority::Session(_)) => {
                // As if it had come while the session was open.
                if let Some(response) = self.sound.change(request).await? {
                    return Ok(Some(response));
                }
                return Ok(Some(StoredResponse::default()));
            }
            (Fault::ProgressIsForgotten, _) => {
                let mut decide = request.decide;
                request.decide = Box::new(move |snapshot| {
                    let mut decided = decide(snapshot);
                    decided.change_set.import = None;
                    decided
                });
            }
            (Fault::ImportIsRemembered, _) => {
                let mut decide = request.decide;
                request.decide = Box::new(move |snapshot| {
                    let mut snapshot = snapshot.clone();
                    if let ChangeOwner::Session(_, Some(state)) = &mut snapshot.owner {
                        state.sent_rows = 0;
                    }
                    decide(&snapshot)
                });
            }
            _ => {}
        }
        self.sound.change(request).await
    }

    async fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        self.sound.clients(key, query, show).await
    }

    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        self.sound.prospects(key, query).await
    }

    async fn history(&self, key: &KeyDigest, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        self.sound.history(key, query).await
    }
}

impl OperatorStore for Broken {
    async fn operate(&self, mut command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        if let (Fault::SuspensionIsNoEnd, OperatorCommand::SetAccount { change, .. }) = (self.fault, &mut command)
            && let Some(is_suspended) = change.suspended.take()
        {
            self.is_suspended.set(is_suspended);
        }
        Ok(match (self.fault, self.sound.operate(command, entry).await?) {
            (Fault::NothingIsLogged, OperatorAnswer::Log(mut records, next)) => {
                records.retain(|record| record.actor != super::person::EMAIL);
                OperatorAnswer::Log(records, next)
            }
            (_, answer) => answer,
        })
    }
}
