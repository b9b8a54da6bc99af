//! A person with a session, and short ways to ask.

use std::{future::Future, ops::Deref, pin::Pin};

use matterbook_core::{
    account::Role,
    sign_in::{LinkDigest, SessionDigest},
    store::{
        ConsoleAnswer, ConsoleCommand, ConsoleRefusal, ConsoleRequest, ConsoleResponse, ConsoleStore, NewSession,
        OperatorAnswer, OperatorCommand, OperatorStore, Retention, SignIn, SignInAnswer, SignInCommand, SignInRefusal,
        Store, StoreError,
    },
    time::Timestamp,
    uuid::Uuid,
};

use super::super::{
    AnyStore, CaseResult, Failure,
    scene::{Firm, Scene, unexpected},
    values::at,
};

/// A session of a login.
#[derive(Clone, Copy, Debug)]
pub(super) struct Person {
    pub(super) session: SessionDigest,
}

/// The email of logins that cases add.
pub(super) const EMAIL: &str = "someone@firm.example";

/// A scene whose store is asked as the console asks it.
pub(super) struct ConsoleScene<'store> {
    scene: Scene<'store>,
    console: Box<dyn Verbs + 'store>,
}

impl<'store> ConsoleScene<'store> {
    /// A scene on a store, of which clones share one content.
    pub(super) fn on(store: impl Store + OperatorStore + ConsoleStore + Clone + 'store) -> Self {
        Self { scene: Scene::on(AnyStore::new(store.clone())), console: Box::new(store) }
    }
}

impl<'store> Deref for ConsoleScene<'store> {
    type Target = Scene<'store>;

    fn deref(&self) -> &Scene<'store> {
        &self.scene
    }
}

type Asked<'ask, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + 'ask>>;

/// The verbs of the console in a form that a pointer can call.
trait Verbs {
    fn sign_in(&self, sign_in: SignIn) -> Asked<'_, SignInAnswer>;
    fn console(&self, request: ConsoleRequest) -> Asked<'_, Option<ConsoleResponse>>;
    fn record_session_use<'ask>(&'ask self, session: &'ask SessionDigest, now: Timestamp) -> Asked<'ask, ()>;
}

impl<S: ConsoleStore> Verbs for S {
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

impl ConsoleScene<'_> {
    /// Records the use of a session.
    pub(super) async fn record_session_use(&self, session: &SessionDigest, now: Timestamp) -> CaseResult {
        Ok(self.console.record_session_use(session, now).await?)
    }

    /// Another login of the firm.
    pub(super) async fn login(&self, firm: &Firm, role: Role) -> CaseResult<Uuid> {
        let (id, email) = (self.id(), EMAIL.to_owned());
        let command = OperatorCommand::AddLogin { id, account: firm.account, email, role };
        match self.operate(at(0), "login.add", command).await? {
            OperatorAnswer::Login(login) => Ok(login.id),
            other => Err(unexpected("a login", &other)),
        }
    }

    /// A sign-in link of a login that expires at a time.
    pub(super) async fn link(&self, login: Uuid, expires_at: Timestamp) -> CaseResult<LinkDigest> {
        let link = LinkDigest::of(&self.id().to_string());
        let command = OperatorCommand::MakeLink { login, link, expires_at };
        match self.operate(at(0), "login.link", command).await? {
            OperatorAnswer::Login(known) if known.id == login => Ok(link),
            other => Err(unexpected("the login", &other)),
        }
    }

    /// A session that is to begin.
    pub(super) fn new_session(&self) -> NewSession {
        NewSession { id: self.id(), digest: SessionDigest::of(&self.id().to_string()) }
    }

    /// One step of signing in.
    pub(super) async fn sign_in(&self, now: Timestamp, command: SignInCommand) -> CaseResult<SignInAnswer> {
        let (entry_id, request_id) = (self.id(), self.id());
        let sign_in = SignIn { now, entry_id, request_id, retention: Retention::default(), command };
        Ok(self.console.sign_in(sign_in).await?)
    }

    /// A step of signing in that has to be refused.
    pub(super) async fn refuses_sign_in(
        &self,
        now: Timestamp,
        command: SignInCommand,
        refusal: SignInRefusal,
    ) -> CaseResult {
        let shown = format!("{command:?}");
        let answer = self.sign_in(now, command).await?;
        super::super::ensure_eq!(answer, SignInAnswer::Refused(refusal), "the answer to {shown}");
        Ok(())
    }

    /// A session of a login that begins at a time.
    pub(super) async fn session(&self, login: Uuid, now: Timestamp) -> CaseResult<Person> {
        let link = self.link(login, now.plus_seconds(60)).await?;
        let session = self.new_session();
        match self.sign_in(now, SignInCommand::UseLink { link, session }).await? {
            SignInAnswer::SignedIn(owner) if owner.login == login => Ok(Person { session: session.digest }),
            other => Err(Failure(format!("a link does not sign in: {other:?}"))),
        }
    }

    /// What a person is answered at a time; `None` for a session that has ended.
    pub(super) async fn response(
        &self,
        person: Person,
        now: Timestamp,
        command: ConsoleCommand,
    ) -> CaseResult<Option<ConsoleResponse>> {
        let (entry_id, request_id) = (self.id(), self.id());
        let (session, retention) = (person.session, Retention::default());
        let request = ConsoleRequest { session, now, entry_id, request_id, retention, command };
        Ok(self.console.console(request).await?)
    }

    /// The answer to a person whose session lives.
    pub(super) async fn ask(
        &self,
        person: Person,
        now: Timestamp,
        command: ConsoleCommand,
    ) -> CaseResult<ConsoleAnswer> {
        let shown = format!("{command:?}");
        let response = self.response(person, now, command).await?;
        response.map(|response| response.answer).ok_or_else(|| Failure(format!("the session has ended: {shown}")))
    }

    /// Asks what has to be refused.
    pub(super) async fn denies(
        &self,
        person: Person,
        now: Timestamp,
        command: ConsoleCommand,
        refusal: ConsoleRefusal,
    ) -> CaseResult {
        let shown = format!("{command:?}");
        let answer = self.ask(person, now, command).await?;
        super::super::ensure_eq!(answer, ConsoleAnswer::Refused(refusal), "the answer to {shown}");
        Ok(())
    }

    /// Whether a session still opens anything.
    pub(super) async fn is_open(&self, person: Person, now: Timestamp) -> CaseResult<bool> {
        let response = self.response(person, now, ConsoleCommand::Session).await?;
        Ok(response.is_some_and(|response| response.answer == ConsoleAnswer::Done))
    }
}

/// The failure of a request that was answered otherwise.
pub(super) fn instead(wanted: &str, found: &ConsoleAnswer) -> Failure {
    Failure(format!("instead of {wanted} the store answered {found:?}"))
}
