//! Passkeys: adding, renaming and removing them, and signing in (rules G8 and G28).
//!
//! What a passkey signs follows from the token in the browser's cookie, so nothing is kept between the page and the
//! form: for a new passkey the token of the session, for signing in a token that opens nothing.

use http::header;
use matterbook_core::{
    key::KeyDigest,
    platform::Platform,
    rate_limiter::RateLimiter,
    sign_in::{SESSION_SECONDS, SessionDigest, new_token},
    store::{
        ConsoleAnswer, ConsoleCommand, ConsoleStore, NewPasskey, NewSession, PasskeyRecord, SessionOwner, SignInAnswer,
        SignInCommand, Store,
    },
};
use passki::{
    AuthenticationCredential, AuthenticationOptions, Passki, RegistrationCredential, RegistrationOptions,
    StoredPasskey, UserVerificationRequirement,
};

use super::context::{Answered, Context};
use crate::{
    cookie,
    form::Form,
    origin::passkey_host,
    response::Answer,
    view::{
        Notice,
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
        let credential: AuthenticationCredential =
            serde_json::from_str(form.text("credential")).map_err(|_| refused())?;
        let credential_id = Passki::base64_decode(&credential.raw_id).map_err(|_| refused())?;
        let found = self.sign_in(SignInCommand::FindPasskey { credential_id: credential_id.clone() }).await?;
        let passkey = match found {
            SignInAnswer::Passkey(passkey) => passkey,
            SignInAnswer::Refused(refusal) => return Err(self.no_passkey(refusal)),
            _ => return Err(self.unexpected()),
        };
        self.count_attempt_of(passkey.login).await?;
        let mut stored: StoredPasskey = serde_json::from_slice(&passkey.state).map_err(|_| self.unexpected())?;
        let passki = passki(own, self.service_name()).ok_or_else(refused)?;
        let started = passki.start_passkey_authentication(&[], AuthenticationOptions::default());
        let (_, mut state) = started.map_err(|_| refused())?;
        state.allowed_credentials = vec![stored.credential_id.clone()];
        state.user_verification = UserVerificationRequirement::Required;
        let verified = [0, 1].into_iter().find_map(|back| {
            state.challenge = Passki::base64_decode(&self.challenge(Purpose::SignIn, token, back)).ok()?;
            passki.finish_passkey_authentication(&credential, &state, &stored).ok()
        });
        let verified = verified.ok_or_else(refused)?;
        // A discoverable passkey names its login.
        if verified.user_handle.is_some_and(|handle| handle != passkey.login.as_bytes()) {
            return Err(refused());
        }
        stored.counter = verified.counter;
        let new_state = serde_json::to_vec(&stored).map_err(|_| self.unexpected())?;
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
        let Some((host, token)) = passkey_host(own).zip(cookie::token(&self.head.headers)) else { return Ok(None) };
        let known = self.known_passkeys(owner).await?;
        let known_ids = known.iter().map(|passkey| Passki::base64_encode(&passkey.credential_id));
        Ok(Some(Passkeys {
            host: host.to_owned(),
            challenge: self.challenge(Purpose::Add, token, 0),
            user: Passki::base64_encode(owner.login.as_bytes()),
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
        let credential: RegistrationCredential =
            serde_json::from_str(form.text("credential")).map_err(|_| refused())?;
        let passki = passki(own, self.service_name()).ok_or_else(refused)?;
        let options = RegistrationOptions::default();
        let started = passki.start_passkey_registration(owner.login.as_bytes(), &owner.email, &owner.email, options);
        let (_, mut state) = started.map_err(|_| refused())?;
        state.user_verification = UserVerificationRequirement::Required;
        let stored = [0, 1].into_iter().find_map(|back| {
            state.challenge = Passki::base64_decode(&self.challenge(Purpose::Add, token, back)).ok()?;
            passki.finish_passkey_registration(&credential, &state).ok()
        });
        let stored = stored.ok_or_else(refused)?;
        let state = serde_json::to_vec(&stored).map_err(|_| self.unexpected())?;
        let passkey = NewPasskey { id: self.mint.id(0), credential_id: stored.credential_id, state, name: name.value };
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

/// What verifies passkeys of this origin.
fn passki(own: &str, name: &str) -> Option<Passki> {
    Some(Passki::new(passkey_host(own)?, &[own], name))
}
