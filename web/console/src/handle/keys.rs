//! Keys: the list, a new one, and the end of one. Owners only.

use http::StatusCode;
use matterbook_core::{
    key::{KeyLimits, KeyScope},
    order,
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{ConsoleAnswer, ConsoleCommand, ConsoleStore, Store},
    uuid::Uuid,
};

use super::{
    clients::midnight,
    context::{Answered, Context},
};
use crate::{
    form::{Field, Form},
    response::Answer,
    view::{
        Notice, Section,
        keys::{self, KeyForm, NewKey},
    },
};

/// The most characters of a label.
const LABEL_MAX: usize = 100;

impl<S, L, P> Context<'_, S, L, P>
where
    S: Store + ConsoleStore,
    L: RateLimiter,
    P: Platform,
{
    pub(super) async fn keys(&self, form: &Form<'_>) -> Answered {
        let notice = match form.text("said") {
            "ended" => Some(Notice::Done("The key is ended. The program that used it can do nothing any more.".to_owned())),
            "shown" => Some(Notice::Refused(
                "This key was made and shown before, and it is shown only once. If it is lost, end it and make another."
                    .to_owned(),
            )),
            _ => None,
        };
        self.list_keys(StatusCode::OK, &KeyForm { id: self.mint.id(0), ..KeyForm::default() }, notice).await
    }

    async fn list_keys(&self, status: StatusCode, form: &KeyForm, notice: Option<Notice>) -> Answered {
        let (owner, ConsoleAnswer::Keys(mut keys)) = self.ask_as_owner(ConsoleCommand::ListKeys).await? else {
            return Err(self.unexpected());
        };
        let (_, ConsoleAnswer::Account(account)) = self.ask(ConsoleCommand::ShowAccount).await? else {
            return Err(self.unexpected());
        };
        // Keys that work come first, the newest of them on top.
        keys.reverse();
        order::sort_by_key(&mut keys, |key| key.revoked_at.is_some());
        let frame = self.frame(&owner, Some(Section::Keys), notice);
        Ok(Answer::page(status, keys::keys(&frame, &keys, &account.logins, form, self.now)))
    }

    pub(super) async fn create_key(&self, form: &Form<'_>, own: &str) -> Answered {
        let mut label = form.field("label", LABEL_MAX);
        if label.value.is_empty() {
            label.fault = Some("Say what the key is for.");
        }
        let (mut ends_on, day) = form.date("ends_on");
        // The key works on its last day, to the end.
        let ends_at = day.and_then(|day| day.succ_opt()).and_then(midnight);
        if ends_at.is_some_and(|end| end <= self.now) {
            ends_on.fault = Some("This day is over. Choose a later one.");
        }
        let scope = form.text("scope").to_owned();
        if label.fault.is_some() || ends_on.fault.is_some() {
            let form = KeyForm { id: self.mint.id(0), label, ends_on, scope };
            let notice = Notice::Refused("No key was made: see what is marked below.".to_owned());
            return self.list_keys(StatusCode::BAD_REQUEST, &form, Some(notice)).await;
        }
        let id = Uuid::try_parse(form.text("id")).unwrap_or(self.mint.id(0));
        let (_, ConsoleAnswer::Keys(keys)) = self.ask_as_owner(ConsoleCommand::ListKeys).await? else {
            return Err(self.unexpected());
        };
        if keys.iter().any(|key| key.id == id) {
            return Err(Answer::see("/app/settings/keys?said=shown"));
        }
        let asked = self.ask_as_owner(ConsoleCommand::ListKeySecrets).await?;
        let (owner, ConsoleAnswer::KeySecrets(recorded)) = asked else { return Err(self.unexpected()) };
        // A key of a secret that no other key has would hide that the others are refused (rule K11).
        if !self.api.key_secrets().fit(&recorded) {
            let notice = "No key was made. The service has to be set up again by the people who run it: its key secret is \
                          not the one of your other keys.";
            let form = KeyForm { id: self.mint.id(0), label, ends_on: Field::default(), scope };
            return self.list_keys(StatusCode::CONFLICT, &form, Some(Notice::Refused(notice.to_owned()))).await;
        }
        let random = self.api.platform().random();
        let random = random.first_chunk().unwrap_or(&[0; 20]);
        let key = self.api.key_secrets().new_key(&self.api.settings().key_prefix, owner.account_number, *random);
        let stored = self.api.key_secrets().stored(&key);
        let limits = KeyLimits { scope: KeyScope::from_name(&scope), ends_at };
        let label = Some(label.value);
        let command = ConsoleCommand::CreateKey { id, label: label.clone(), limits, key: stored };
        let (owner, _) = self.ask_as_owner(command).await?;
        let new = NewKey { key, label, scope: limits.scope, base: format!("{own}/api/v1") };
        Ok(Answer::ok(keys::new_key(&self.frame(&owner, Some(Section::Keys), None), &new)))
    }

    pub(super) async fn revoke_key(&self, id: &str) -> Answered {
        let key = self.id(id).await?;
        self.ask_as_owner(ConsoleCommand::RevokeKey { key }).await?;
        Ok(Answer::see("/app/settings/keys?said=ended"))
    }
}
