//! The account, and where the person is signed in.

use http::header;
use matterbook_core::{
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{ConsoleAnswer, ConsoleCommand, ConsoleStore, SessionOwner, Store},
};

use super::{
    context::{Answered, Context},
    prospects::counties,
};
use crate::{
    cookie,
    form::Form,
    response::Answer,
    view::{
        Notice, Section, account,
        passkeys::{self, WaysIn},
    },
};

impl<S, L, P> Context<'_, S, L, P>
where
    S: Store + ConsoleStore,
    L: RateLimiter,
    P: Platform,
{
    pub(super) async fn account(&self, own: &str) -> Answered {
        let (_, ConsoleAnswer::Account(account)) = self.ask_as_owner(ConsoleCommand::ShowAccount).await? else {
            return Err(self.unexpected());
        };
        let (owner, ways) = self.ways_in(own).await?;
        let frame = self.frame(&owner, Some(Section::Account), None);
        let counties = counties(self.api.platform(), &account.counties);
        let page = account::account(&frame, account.flags, &counties, account.created_at, &ways);
        Ok(Answer::ok(page))
    }

    pub(super) async fn passkeys(&self, form: &Form<'_>, own: &str) -> Answered {
        let (owner, ways) = self.ways_in(own).await?;
        let frame = self.frame(&owner, Some(Section::Passkeys), notice(form.text("said")));
        Ok(Answer::ok(passkeys::passkeys(&frame, &ways)))
    }

    /// The ways in of the person: browsers, and passkeys where they are offered.
    async fn ways_in(&self, own: &str) -> Result<(SessionOwner, WaysIn), Answer> {
        let (owner, ConsoleAnswer::Sessions(sessions)) = self.ask(ConsoleCommand::ListSessions).await? else {
            return Err(self.unexpected());
        };
        let passkeys = self.passkeys_of(&owner, own).await?;
        let this = owner.session;
        Ok((owner, WaysIn { sessions, this, passkeys }))
    }

    pub(super) async fn sign_out_everywhere(&self) -> Answered {
        let (owner, _) = self.ask(ConsoleCommand::Session).await?;
        self.ask(ConsoleCommand::EndSessions { login: owner.login }).await?;
        Ok(Answer::see("/app/sign-in?said=out").with(header::SET_COOKIE, cookie::clear()))
    }
}

/// What was just done with a passkey.
fn notice(said: &str) -> Option<Notice> {
    let refused = |sentence: &str| Some(Notice::Refused(sentence.to_owned()));
    match said {
        "added" => Some(Notice::Done("The passkey is added. Next time, sign in with it.".to_owned())),
        "renamed" => Some(Notice::Done("The passkey has its new name.".to_owned())),
        "removed" => Some(Notice::Done("The passkey is removed. It does not sign in any more.".to_owned())),
        "failed" => refused("No passkey was added: it took too long, or the browser did not make one. Try again."),
        "known" => refused("No passkey was added: this one is known already."),
        "last" => refused("Nothing was removed: this is your only passkey. Add another one first."),
        _ => None,
    }
}
