//! Links, sessions, and their end.

use http::{StatusCode, header};
use matterbook_core::{
    platform::Platform,
    rate_limiter::RateLimiter,
    sign_in::{LinkDigest, SESSION_SECONDS, SessionDigest, new_token},
    store::{ConsoleCommand, ConsoleStore, NewSession, SignIn, SignInAnswer, SignInCommand, SignInRefusal, Store},
};

use super::context::{Answered, Context};
use crate::{
    cookie,
    form::Form,
    response::Answer,
    view::{Notice, message, sign_in},
};

impl<S, L, P> Context<'_, S, L, P>
where
    S: Store + ConsoleStore,
    L: RateLimiter,
    P: Platform,
{
    pub(super) fn sign_in_page(&self, form: &Form<'_>, own: &str) -> Answer {
        let notice = match form.text("said") {
            "over" => Some(Notice::Refused("You are signed out. Nothing that you saved is lost.".to_owned())),
            "out" => Some(Notice::Done("You have signed out.".to_owned())),
            "passkey" => Some(Notice::Refused(
                "You are not signed in: the passkey is not known here, or it took too long. Try again, or use a link."
                    .to_owned(),
            )),
            _ => None,
        };
        if let Some(host) = matterbook_passkeys::host_of(own) {
            return self.sign_in_page_with_passkey(notice.as_ref(), host);
        }
        Answer::ok(sign_in::sign_in(self.service_name(), notice.as_ref(), None))
    }

    /// Shows the button. The link stays good.
    pub(super) async fn link_page(&self, token: &str) -> Answered {
        self.count_attempt().await?;
        let link = LinkDigest::of(token);
        match self.sign_in(SignInCommand::ShowLink { link }).await? {
            SignInAnswer::Link(owner) => {
                self.count_attempt_of(owner.login).await?;
                Ok(Answer::ok(sign_in::link(self.service_name(), &owner)))
            }
            SignInAnswer::Refused(refusal) => Err(self.no_link(refusal)),
            _ => Err(self.unexpected()),
        }
    }

    /// Uses the link up and begins a session.
    pub(super) async fn use_link(&self, token: &str) -> Answered {
        self.count_attempt().await?;
        let secret = new_token(self.api.platform().random());
        let session = NewSession { id: self.mint.id(0), digest: SessionDigest::of(&secret) };
        let link = LinkDigest::of(token);
        // A link that does not work names no login, and its use is refused below.
        if let SignInAnswer::Link(owner) = self.sign_in(SignInCommand::ShowLink { link }).await? {
            self.count_attempt_of(owner.login).await?;
        }
        match self.sign_in(SignInCommand::UseLink { link, session }).await? {
            SignInAnswer::SignedIn(_) => {
                Ok(Answer::see("/app").with(header::SET_COOKIE, cookie::set(&secret, SESSION_SECONDS)))
            }
            SignInAnswer::Refused(refusal) => Err(self.no_link(refusal)),
            _ => Err(self.unexpected()),
        }
    }

    pub(super) async fn sign_out(&self) -> Answered {
        self.ask(ConsoleCommand::SignOut).await?;
        Ok(Answer::see("/app/sign-in?said=out").with(header::SET_COOKIE, cookie::clear()))
    }

    /// The answer to a refused passkey.
    pub(super) fn no_passkey(&self, refusal: SignInRefusal) -> Answer {
        match refusal {
            SignInRefusal::Unknown => Answer::see("/app/sign-in?said=passkey"),
            SignInRefusal::Suspended => self.no_link(refusal),
        }
    }

    fn no_link(&self, refusal: SignInRefusal) -> Answer {
        let page = match refusal {
            SignInRefusal::Unknown => sign_in::link_is_over(self.service_name()),
            SignInRefusal::Suspended => message::suspended(self.service_name()),
        };
        Answer::page(StatusCode::FORBIDDEN, page)
    }

    pub(super) async fn sign_in(&self, command: SignInCommand) -> Result<SignInAnswer, Answer> {
        let sign_in = SignIn {
            now: self.now,
            entry_id: self.entry_id,
            request_id: self.request_id,
            retention: self.api.settings().retention,
            command,
        };
        self.api.store().sign_in(sign_in).await.map_err(|error| self.failed(&error))
    }
}
