//! A request in progress: its time, its ids, its session, and how storage is asked.

use std::sync::OnceLock;

use http::{HeaderValue, Method, StatusCode, header, request::Parts};
use matterbook_core::{
    account::Role,
    api::{Api, CallerAddress, Handled, TAKEOVER_SECONDS},
    id::IdMint,
    key::KeyDigest,
    platform::Platform,
    rate_limiter::RateLimiter,
    sign_in::SessionDigest,
    store::{
        ConsoleAnswer, ConsoleCommand, ConsoleRefusal, ConsoleRequest, ConsoleResponse, ConsoleStore, SessionOwner,
        Store, StoreError,
    },
    time::Timestamp,
    uuid::Uuid,
};
use matterbook_passkeys::PasskeyVerifier;

use crate::{
    cookie,
    response::Answer,
    view::{
        Frame, Notice, Section,
        message::{self, Message},
    },
};

/// Attempts to sign in from one address in a minute. No token can be guessed; the limit protects storage.
const ATTEMPTS_PER_MINUTE: u32 = 300;

/// Attempts to sign in to one login in a minute, by a link or a passkey.
const ATTEMPTS_OF_LOGIN_PER_MINUTE: u32 = 20;

/// What an endpoint comes to. The error is an answer, too: the request stopped before its page.
pub(super) type Answered = Result<Answer, Answer>;

/// A request in progress.
pub(super) struct Context<'c, S, L, P> {
    pub(super) api: &'c Api<S, L, P>,
    pub(super) verifier: &'c dyn PasskeyVerifier,
    pub(super) head: &'c Parts,
    pub(super) now: Timestamp,
    /// Ids of what the request creates.
    pub(super) mint: IdMint,
    pub(super) request_id: Uuid,
    pub(super) entry_id: Uuid,
    pub(super) session: Option<SessionDigest>,
    /// The account of the session, once it is known.
    account: OnceLock<Uuid>,
}

impl<'c, S, L, P> Context<'c, S, L, P>
where
    S: Store + ConsoleStore,
    L: RateLimiter,
    P: Platform,
{
    /// Takes the time and random bytes once.
    pub(super) fn begin(api: &'c Api<S, L, P>, verifier: &'c dyn PasskeyVerifier, head: &'c Parts) -> Self {
        let now = api.platform().now();
        let random = api.platform().random();
        let (first, rest) = random.split_first_chunk().unwrap_or((&[0; 10], &[]));
        let (second, rest) = rest.split_first_chunk().unwrap_or((&[0; 10], &[]));
        let third = rest.first_chunk().unwrap_or(&[0; 10]);
        Self {
            api,
            verifier,
            head,
            now,
            mint: IdMint::new(now, *second),
            request_id: IdMint::new(now, *first).id(0),
            entry_id: IdMint::new(now, *third).id(0),
            session: cookie::token(&head.headers).map(SessionDigest::of),
            account: OnceLock::new(),
        }
    }

    /// The response, with what may be logged.
    pub(super) fn finish(self, route: &'static str, answer: Answer) -> Handled {
        let cause = answer.cause.clone();
        let id = self.request_id.to_string();
        let is_head = self.head.method == Method::HEAD;
        let file = answer.file.filter(|_| !is_head);
        let response = answer.into_response(&id, is_head);
        let mut handled = Handled::of_part(response, self.request_id, route, self.account.get().copied(), cause);
        handled.file = file;
        handled
    }

    pub(super) fn service_name(&self) -> &'c str {
        &self.api.settings().service_name
    }

    /// Asks storage for something in the name of the session. An error is the page that says why not.
    pub(super) async fn ask(&self, command: ConsoleCommand) -> Result<(SessionOwner, ConsoleAnswer), Answer> {
        self.ask_as((self.request_id, self.entry_id), command).await
    }

    /// As [`Self::ask`], with the ids of a request and of its log entry, where one request makes several changes.
    pub(super) async fn ask_as(
        &self,
        (request_id, entry_id): (Uuid, Uuid),
        command: ConsoleCommand,
    ) -> Result<(SessionOwner, ConsoleAnswer), Answer> {
        let Some(session) = self.session else { return Err(Answer::see("/app/sign-in")) };
        let request = ConsoleRequest {
            session,
            now: self.now,
            entry_id,
            request_id,
            retention: self.api.settings().retention,
            command,
        };
        let response = self.api.console(request).await.map_err(|error| self.failed(&error))?;
        let Some(ConsoleResponse { owner, answer }) = response else {
            return Err(Answer::see("/app/sign-in?said=over").with(header::SET_COOKIE, cookie::clear()));
        };
        let _ = self.account.set(owner.account);
        if let ConsoleAnswer::Refused(refusal) = answer {
            return Err(self.refused(&owner, refusal));
        }
        if owner.is_use_old(self.now) {
            // If this fails, the next request records the use.
            let _ = self.api.store().record_session_use(&session, self.now).await;
        }
        Ok((owner, answer))
    }

    /// As [`Self::ask`], for owners: for everybody else there is nothing at the path.
    pub(super) async fn ask_as_owner(&self, command: ConsoleCommand) -> Result<(SessionOwner, ConsoleAnswer), Answer> {
        let (owner, answer) = self.ask(command).await?;
        if owner.role == Role::Owner { Ok((owner, answer)) } else { Err(self.not_found(&owner)) }
    }

    fn refused(&self, owner: &SessionOwner, refusal: ConsoleRefusal) -> Answer {
        let frame = self.frame(owner, None, None);
        match refusal {
            ConsoleRefusal::Suspended => Answer::page(StatusCode::FORBIDDEN, message::suspended(self.service_name())),
            ConsoleRefusal::NotEnabled => Answer::page(StatusCode::FORBIDDEN, message::not_enabled(&frame)),
            ConsoleRefusal::NoBundle => {
                let frame = self.frame(owner, Some(Section::Prospects), None);
                Answer::page(StatusCode::FORBIDDEN, crate::view::prospects::without_bundle(&frame))
            }
            // Only changes of clients are offered to some who may not make them; settings are not there for others.
            ConsoleRefusal::Role
                if ["/app/clients", "/app/changes", "/app/review"]
                    .iter()
                    .any(|part| self.head.uri.path().starts_with(part)) =>
            {
                self.view_only(owner)
            }
            ConsoleRefusal::Role
            | ConsoleRefusal::NoKey
            | ConsoleRefusal::NoLogin
            | ConsoleRefusal::NoClient
            | ConsoleRefusal::NoItem
            | ConsoleRefusal::NoPair
            | ConsoleRefusal::NoImport
            | ConsoleRefusal::NoChange
            | ConsoleRefusal::NoPasskey => self.not_found(owner),
            ConsoleRefusal::LastOwner => Answer::see("/app/settings/people?said=last-owner"),
            ConsoleRefusal::KnownPasskey => Answer::see("/app/settings/passkeys?said=known"),
            ConsoleRefusal::Unreadable => Answer::see("/app/review?said=unreadable"),
            ConsoleRefusal::Nameless => Answer::see("/app/review?said=nameless"),
            ConsoleRefusal::ExternalIdTaken => Answer::see("/app/review?said=taken"),
            ConsoleRefusal::LastWayIn => Answer::see("/app/settings/passkeys?said=last"),
        }
    }

    /// 404 for somebody who is signed in.
    pub(super) fn not_found(&self, owner: &SessionOwner) -> Answer {
        let frame = self.frame(owner, None, None);
        Answer::page(StatusCode::NOT_FOUND, Message::NotFound.inside(&frame, None))
    }

    /// 403 for a login that only looks at things.
    pub(super) fn view_only(&self, owner: &SessionOwner) -> Answer {
        let frame = self.frame(owner, None, None);
        Answer::page(StatusCode::FORBIDDEN, Message::ViewOnly.inside(&frame, None))
    }

    /// A page with one message, for a visitor without a session.
    pub(super) fn outside(&self, status: StatusCode, message: Message) -> Answer {
        Answer::page(status, message.outside(self.service_name(), None))
    }

    /// The page for a failure of storage, whose cause goes to the log.
    pub(super) fn failed(&self, error: &StoreError) -> Answer {
        let (message, wait) = match error {
            StoreError::Overloaded { retry_after_seconds, .. } => (Message::Busy, Some(*retry_after_seconds)),
            StoreError::Unknown { .. } => (Message::Unknown, None),
            StoreError::ReadOnly => (Message::Standby, Some(TAKEOVER_SECONDS)),
            StoreError::Contended { .. } | StoreError::Failed { .. } => (Message::Failed, None),
        };
        let page = message.outside(self.service_name(), Some(&self.request_id.to_string()));
        let status = match message {
            Message::Standby => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Answer::page(status, page).with(header::RETRY_AFTER, wait.map(HeaderValue::from)).failed_by(error.to_string())
    }

    /// The page for a store's answer of another kind, which is a defect.
    pub(super) fn unexpected(&self) -> Answer {
        self.failed(&StoreError::Failed { cause: "the store answered another command".to_owned() })
    }

    pub(super) fn frame<'f>(
        &'f self,
        owner: &'f SessionOwner,
        section: Option<Section>,
        notice: Option<Notice>,
    ) -> Frame<'f> {
        Frame {
            service_name: self.service_name(),
            account_email: &owner.account_email,
            login_email: &owner.email,
            role: owner.role,
            section,
            notice,
        }
    }

    /// Counts an attempt to sign in to a login.
    pub(super) async fn count_attempt_of(&self, login: Uuid) -> Result<(), Answer> {
        self.count(&format!("sign in as {login}"), ATTEMPTS_OF_LOGIN_PER_MINUTE).await
    }

    /// Counts an attempt to sign in from the caller's address.
    pub(super) async fn count_attempt(&self) -> Result<(), Answer> {
        let address = self.head.extensions.get::<CallerAddress>().map(|address| address.0.to_string());
        // On the Worker the runtime sets this header.
        let header = || self.head.headers.get("cf-connecting-ip")?.to_str().ok().map(str::to_owned);
        let address = address.or_else(header).unwrap_or_default();
        self.count(&format!("sign in from {address}"), ATTEMPTS_PER_MINUTE).await
    }

    async fn count(&self, what: &str, limit: u32) -> Result<(), Answer> {
        let decision = self.api.rate_limiter().check(&KeyDigest::of(what), limit, self.now).await;
        let decision = decision.map_err(|error| self.failed(&StoreError::Failed { cause: error.to_string() }))?;
        if decision.allowed {
            return Ok(());
        }
        let wait = HeaderValue::from(decision.retry_after_seconds);
        Err(self.outside(StatusCode::TOO_MANY_REQUESTS, Message::TooManyAttempts).with(header::RETRY_AFTER, Some(wait)))
    }

    /// The id in a path; 404 where it is none.
    pub(super) async fn id(&self, text: &str) -> Result<Uuid, Answer> {
        match Uuid::try_parse(text) {
            Ok(id) if text.len() == 36 => Ok(id),
            _ => {
                let (owner, _) = self.ask(ConsoleCommand::Session).await?;
                Err(self.not_found(&owner))
            }
        }
    }
}
