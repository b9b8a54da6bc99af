//! People: the logins of the firm, their roles and links. Owners only.

use http::StatusCode;
use matterbook_core::{
    account::Role,
    normalize::{self, FieldValue},
    platform::Platform,
    rate_limiter::RateLimiter,
    sign_in::{LINK_SECONDS, LinkDigest, new_token},
    store::{ConsoleAnswer, ConsoleCommand, ConsoleStore, PasskeyRecord, SessionOwner, Store},
    uuid::Uuid,
};

use super::context::{Answered, Context};
use crate::{
    form::Form,
    response::Answer,
    view::{
        Notice, Section,
        people::{self, PersonForm},
    },
};

impl<S, L, P> Context<'_, S, L, P>
where
    S: Store + ConsoleStore,
    L: RateLimiter,
    P: Platform,
{
    pub(super) async fn people(&self, form: &Form<'_>) -> Answered {
        let notice = match form.text("said") {
            "added" => Some(Notice::Done("The person is added. Now make a sign-in link and pass it on.".to_owned())),
            "role" => Some(Notice::Done("It is changed. The person has to sign in again.".to_owned())),
            "removed" => {
                Some(Notice::Done("The person is removed, and the keys that the person made are ended.".to_owned()))
            }
            "out" => Some(Notice::Done("The person is signed out everywhere.".to_owned())),
            "last-owner" => Some(Notice::Refused(
                "Nothing was changed: this is the only owner. Make somebody else an owner first.".to_owned(),
            )),
            _ => None,
        };
        self.list_people(StatusCode::OK, &PersonForm::default(), notice).await
    }

    async fn list_people(&self, status: StatusCode, form: &PersonForm, notice: Option<Notice>) -> Answered {
        let (owner, ConsoleAnswer::Account(account)) = self.ask_as_owner(ConsoleCommand::ShowAccount).await? else {
            return Err(self.unexpected());
        };
        let frame = self.frame(&owner, Some(Section::People), notice);
        Ok(Answer::page(status, people::people(&frame, &account.logins, owner.login, form)))
    }

    pub(super) async fn add_person(&self, form: &Form<'_>) -> Answered {
        let mut email = form.field("email", 320);
        let normalized = normalize::email(&FieldValue::from(email.value.as_str())).ok().flatten();
        let role = Role::from_name(form.text("role"));
        let (Some(normalized), Some(role)) = (normalized, role) else {
            email.fault = Some("Write the whole address, such as ana@example.com.");
            let form = PersonForm { email, role: form.text("role").to_owned() };
            return self.list_people(StatusCode::BAD_REQUEST, &form, None).await;
        };
        let command = ConsoleCommand::AddLogin { id: self.mint.id(0), email: normalized.to_string(), role };
        self.ask_as_owner(command).await?;
        Ok(Answer::see("/app/settings/people?said=added"))
    }

    pub(super) async fn set_role(&self, id: &str, form: &Form<'_>) -> Answered {
        let login = self.id(id).await?;
        let Some(role) = Role::from_name(form.text("role")) else {
            return self.list_people(StatusCode::BAD_REQUEST, &PersonForm::default(), None).await;
        };
        self.ask_as_owner(ConsoleCommand::SetRole { login, role }).await?;
        Ok(Answer::see("/app/settings/people?said=role"))
    }

    pub(super) async fn make_link(&self, id: &str, own: &str) -> Answered {
        let login = self.id(id).await?;
        let token = new_token(self.api.platform().random());
        let expires_at = self.now.plus_seconds(LINK_SECONDS);
        let command = ConsoleCommand::MakeLink { login, link: LinkDigest::of(&token), expires_at };
        let (owner, ConsoleAnswer::Login(login)) = self.ask_as_owner(command).await? else {
            return Err(self.unexpected());
        };
        let public_url = self.api.settings().public_url.as_deref().unwrap_or(own);
        let url = format!("{}/app/link/{token}", public_url.trim_end_matches('/'));
        let frame = self.frame(&owner, Some(Section::People), None);
        Ok(Answer::ok(people::new_link(&frame, &login.email, &url, expires_at)))
    }

    pub(super) async fn remove_person(&self, id: &str) -> Answered {
        let login = self.id(id).await?;
        self.ask_as_owner(ConsoleCommand::RemoveLogin { login }).await?;
        Ok(Answer::see("/app/settings/people?said=removed"))
    }

    /// The passkeys of a person, for an owner.
    pub(super) async fn person_passkeys(&self, id: &str, form: &Form<'_>) -> Answered {
        let login = self.id(id).await?;
        let (_, known) = self.passkeys_of_person(login).await?;
        let (owner, ConsoleAnswer::Account(account)) = self.ask_as_owner(ConsoleCommand::ShowAccount).await? else {
            return Err(self.unexpected());
        };
        let Some(person) = account.logins.iter().find(|known| known.id == login) else {
            return Err(self.not_found(&owner));
        };
        let notice = (form.text("said") == "removed")
            .then(|| Notice::Done("The passkey is removed. It does not sign in any more.".to_owned()));
        let frame = self.frame(&owner, Some(Section::People), notice);
        Ok(Answer::ok(people::passkeys(&frame, person, &known)))
    }

    /// Removes a passkey of a person, for an owner.
    pub(super) async fn remove_person_passkey(&self, id: &str, form: &Form<'_>) -> Answered {
        let login = self.id(id).await?;
        let (owner, known) = self.passkeys_of_person(login).await?;
        let passkey = self.id(form.text("passkey")).await?;
        if !known.iter().any(|known| known.id == passkey) {
            return Err(self.not_found(&owner));
        }
        self.ask_as_owner(ConsoleCommand::RemovePasskey { id: passkey }).await?;
        Ok(Answer::see(&format!("/app/settings/people/{login}/passkeys?said=removed")))
    }

    async fn passkeys_of_person(&self, login: Uuid) -> Result<(SessionOwner, Vec<PasskeyRecord>), Answer> {
        match self.ask_as_owner(ConsoleCommand::ListPasskeys { login }).await? {
            (owner, ConsoleAnswer::Passkeys(known)) => Ok((owner, known)),
            _ => Err(self.unexpected()),
        }
    }

    pub(super) async fn sign_out_person(&self, id: &str) -> Answered {
        let login = self.id(id).await?;
        // Ending one's own sessions is offered to everybody at another path.
        self.ask_as_owner(ConsoleCommand::ShowAccount).await?;
        self.ask(ConsoleCommand::EndSessions { login }).await?;
        Ok(Answer::see("/app/settings/people?said=out"))
    }
}
