//! The account, and where the person is signed in.

use http::header;
use matterbook_core::{
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{ConsoleAnswer, ConsoleCommand, ConsoleStore, SessionOwner, SessionRecord, Store},
};

use super::{
    context::{Answered, Context},
    prospects::counties,
};
use crate::{
    cookie,
    response::Answer,
    view::{Section, account, passkeys},
};

impl<S, L, P> Context<'_, S, L, P>
where
    S: Store + ConsoleStore,
    L: RateLimiter,
    P: Platform,
{
    pub(super) async fn account(&self) -> Answered {
        let (_, ConsoleAnswer::Account(account)) = self.ask_as_owner(ConsoleCommand::ShowAccount).await? else {
            return Err(self.unexpected());
        };
        let (owner, sessions) = self.sessions().await?;
        let frame = self.frame(&owner, Some(Section::Account), None);
        let counties = counties(self.api.platform(), &account.counties);
        let page = account::account(&frame, account.flags, &counties, account.created_at, &sessions, owner.session);
        Ok(Answer::ok(page))
    }

    pub(super) async fn passkeys(&self) -> Answered {
        let (owner, sessions) = self.sessions().await?;
        let frame = self.frame(&owner, Some(Section::Passkeys), None);
        Ok(Answer::ok(passkeys::passkeys(&frame, &sessions, owner.session)))
    }

    async fn sessions(&self) -> Result<(SessionOwner, Vec<SessionRecord>), Answer> {
        match self.ask(ConsoleCommand::ListSessions).await? {
            (owner, ConsoleAnswer::Sessions(sessions)) => Ok((owner, sessions)),
            _ => Err(self.unexpected()),
        }
    }

    pub(super) async fn sign_out_everywhere(&self) -> Answered {
        let (owner, _) = self.ask(ConsoleCommand::Session).await?;
        self.ask(ConsoleCommand::EndSessions { login: owner.login }).await?;
        Ok(Answer::see("/app/sign-in?said=out").with(header::SET_COOKIE, cookie::clear()))
    }
}
