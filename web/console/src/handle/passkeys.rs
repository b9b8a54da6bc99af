//! Passkeys: adding, renaming and removing them, and signing in (rules G8 and G28).
//!
//! What a passkey signs follows from the token in the browser's cookie, so nothing is kept between the page and the
//! form: for a new passkey the token of the session, for signing in a token that opens nothing.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use http::{StatusCode, header};
use matterbook_core::{
    key::KeyDigest,
    platform::Platform,
    rate_limiter::RateLimiter,
    sign_in::{SESSION_SECONDS, SessionDigest, new_token},
    store::{
        ConsoleAnswer, ConsoleCommand, ConsoleStore, NewPasskey, NewSession, PasskeyRecord, SessionOwner, SignInAnswer,
        SignInCommand, Store,
    },
    uuid::Uuid,
};
use matterbook_passkeys::{Ceremony, Credential, host_of};

use super::context::{Answered, Context};
use crate::{
    cookie,
    form::Form,
    response::Answer,
    view::{
        Notice,
        message::Message,
        passkeys::{self, Passkeys},
        sign_in,
    },
};

/// A page's challenge is good for one to two times as long.
const CHALLENGE_SECONDS: i64 = 300;
/// The most characters of a passkey's name.
const NAME_MAX: usize = 100;

/// What a challenge is for. One is never taken for the other.
#[derive(Clone, Copy)]
enum Purpose {
    Add,
    SignIn,
}

impl<S, L, P> Context<'_, S, L, P>
where
    S: Store + ConsoleStore,
    L: RateLimiter,
    P: Platform,
{
    /// The page for signing in, with the cookie that its challenge is made of.
    pub(super) fn sign_in_page_with_passkey(&self, notice: Option<&Notice>, host: &str) -> Answer {
        let known = cookie::token(&self.head.headers).filter(|token| !token.is_empty());
        let token = known.map_or_else(|| new_token(self.api.platform().random()), str::to_owned);
        let challenge = self.challenge(Purpose::SignIn, &token, 0);
        let form = passkeys::sign_in_form(host, &challenge);
        let answer = Answer::ok(sign_in::sign_in(self.service_name(), notice, Some(&form)));
        if known.is_some() {
            answer
        } else {
            answer.with(header::SET_COOKIE, cookie::set(&token, CHALLENGE_SECONDS * 2))
        }
    }

    pub(super) async fn sign_in_with_passkey(&self, form: &Form<'_>, own: &str) -> Answered {
        self.count_attempt().await?;
        let refused = || Answer::see("/app/sign-in?said=passkey");
        let token = cookie::token(&self.head.headers).ok_or_else(refused)?;
        let credential_id = credential_id(form).ok_or_else(refused)?;
        let found = self.sign_in(SignInCommand::FindPasskey { credential_id: credential_id.clone() }).await?;
        let passkey = match found {
            SignInAnswer::Passkey(passkey) => passkey,
            SignInAnswer::Refused(refusal) => return Err(self.no_passkey(refusal)),
            _ => return Err(self.unexpected()),
        };
        self.count_attempt_of(passkey.login).await?;
        let challenges = [0, 1].map(|back| self.challenge(Purpose::SignIn, token, back));
        let ceremony = ceremony(own, &challenges, &passkey.login);
        let credential = Credential { id: &credential_id, answer: form.text("credential") };
        let verified = self.verifier.sign_in(ceremony, credential, &passkey.state);
        let new_state = verified.map_err(|cause| self.verifier_failed(cause))?.ok_or_else(refused)?;
        let secret = new_token(self.api.platform().random());
        let session = NewSession { id: self.mint.id(0), digest: SessionDigest::of(&secret) };
        let command = SignInCommand::UsePasskey { credential_id, verified_state: passkey.state, new_state, session };
        match self.sign_in(command).await? {
            SignInAnswer::SignedIn(_) => {
                Ok(Answer::see("/app").with(header::SET_COOKIE, cookie::set(&secret, SESSION_SECONDS)))
            }
            SignInAnswer::Refused(refusal) => Err(self.no_passkey(refusal)),
            _ => Err(self.unexpected()),
        }
    }

    /// The passkeys of the person who asks, and what makes another.
    pub(super) async fn passkeys_of(&self, owner: &SessionOwner, own: &str) -> Result<Option<Passkeys>, Answer> {
        let Some((host, token)) = host_of(own).zip(cookie::token(&self.head.headers)) else { return Ok(None) };
        let known = self.known_passkeys(owner).await?;
        let known_ids = known.iter().map(|passkey| URL_SAFE_NO_PAD.encode(&passkey.credential_id));
        Ok(Some(Passkeys {
            host: host.to_owned(),
            challenge: self.challenge(Purpose::Add, token, 0),
            user: URL_SAFE_NO_PAD.encode(owner.login.as_bytes()),
            known_ids: known_ids.collect::<Vec<_>>().join(" "),
            known,
        }))
    }

    async fn known_passkeys(&self, owner: &SessionOwner) -> Result<Vec<PasskeyRecord>, Answer> {
        match self.ask(ConsoleCommand::ListPasskeys { login: owner.login }).await? {
            (_, ConsoleAnswer::Passkeys(known)) => Ok(known),
            _ => Err(self.unexpected()),
        }
    }

    pub(super) async fn add_passkey(&self, form: &Form<'_>, own: &str) -> Answered {
        let (owner, _) = self.ask(ConsoleCommand::Session).await?;
        let refused = || Answer::see("/app/settings/passkeys?said=failed");
        let name = form.field("name", NAME_MAX);
        if name.value.is_empty() || name.fault.is_some() {
            return Err(refused());
        }
        let token = cookie::token(&self.head.headers).ok_or_else(refused)?;
        let credential_id = credential_id(form).ok_or_else(refused)?;
        let challenges = [0, 1].map(|back| self.challenge(Purpose::Add, token, back));
        let ceremony = ceremony(own, &challenges, &owner.login);
        let credential = Credential { id: &credential_id, answer: form.text("credential") };
        let verified = self.verifier.register(ceremony, credential);
        let state = verified.map_err(|cause| self.verifier_failed(cause))?.ok_or_else(refused)?;
        let passkey = NewPasskey { id: self.mint.id(0), credential_id, state, name: name.value };
        self.ask(ConsoleCommand::AddPasskey { passkey }).await?;
        Ok(Answer::see("/app/settings/passkeys?said=added"))
    }

    pub(super) async fn rename_passkey(&self, id: &str, form: &Form<'_>) -> Answered {
        let id = self.id(id).await?;
        let name = form.field("name", NAME_MAX);
        if name.value.is_empty() || name.fault.is_some() {
            return Err(Answer::see("/app/settings/passkeys"));
        }
        self.ask(ConsoleCommand::RenamePasskey { id, name: name.value }).await?;
        Ok(Answer::see("/app/settings/passkeys?said=renamed"))
    }

    pub(super) async fn remove_passkey(&self, id: &str) -> Answered {
        let id = self.id(id).await?;
        self.ask(ConsoleCommand::RemovePasskey { id }).await?;
        Ok(Answer::see("/app/settings/passkeys?said=removed"))
    }

    /// The page for a failure of the verifier, whose cause goes to the log.
    fn verifier_failed(&self, cause: String) -> Answer {
        let page = Message::Failed.outside(self.service_name(), Some(&self.request_id.to_string()));
        Answer::page(StatusCode::INTERNAL_SERVER_ERROR, page).failed_by(cause)
    }

    /// What a passkey signs, in base64url. The token is secret, and `back` periods ago it was another.
    fn challenge(&self, purpose: Purpose, token: &str, back: i64) -> String {
        let purpose = match purpose {
            Purpose::Add => "add",
            Purpose::SignIn => "sign in",
        };
        let period = self.now.micros().div_euclid(CHALLENGE_SECONDS * 1_000_000) - back;
        KeyDigest::of(&format!("passkey {purpose} {period} {token}")).to_text()
    }
}

/// The id of the passkey that a form is about.
pub(crate) fn credential_id(form: &Form<'_>) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(form.text("credential_id")).ok().filter(|id| !id.is_empty())
}

fn ceremony<'c>(origin: &'c str, [present, earlier]: &'c [String; 2], login: &'c Uuid) -> Ceremony<'c> {
    Ceremony { origin, challenges: [present, earlier], login: login.as_bytes() }
}
