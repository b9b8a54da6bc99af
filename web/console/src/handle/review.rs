//! What waits for review, and the decisions about it.

use http::StatusCode;
use matterbook_core::{
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{ConsoleAnswer, ConsoleCommand, ConsoleStore, ReviewDecision, Store},
    uuid::Uuid,
};

use super::context::{Answered, Context};
use crate::{
    form::{Form, position, position_text},
    response::Answer,
    view::{
        Notice, Section,
        review::{self, ReviewPage},
    },
};

/// Items on one page.
const ITEMS: u32 = 20;

impl<S, L, P> Context<'_, S, L, P>
where
    S: Store + ConsoleStore,
    L: RateLimiter,
    P: Platform,
{
    pub(super) async fn review(&self, form: &Form<'_>) -> Answered {
        let decided_by = Uuid::try_parse(form.text("by")).ok();
        self.list_review(StatusCode::OK, form.text("before"), notice(form.text("said")), decided_by).await
    }

    async fn list_review(
        &self,
        status: StatusCode,
        before: &str,
        notice: Option<Notice>,
        decided_by: Option<Uuid>,
    ) -> Answered {
        let before = position(before);
        let seen_since = self.api.settings().retention.review_since(self.now);
        match self.ask(ConsoleCommand::ListReview { seen_since, before, limit: ITEMS }).await? {
            (owner, ConsoleAnswer::Review(items, next)) => {
                let frame = self.frame(&owner, Some(Section::Review), notice);
                let (next, is_further) = (next.map(position_text), before.is_some());
                let page = ReviewPage { items, next, is_further, decided_by };
                Ok(Answer::page(status, review::review(&frame, &page)))
            }
            _ => Err(self.unexpected()),
        }
    }

    pub(super) async fn decide_review(&self, item: &str, form: &Form<'_>) -> Answered {
        let item = self.id(item).await?;
        let (decision, said) = match form.text("decision") {
            "same" => (ReviewDecision::Same(Uuid::try_parse(form.text("client")).unwrap_or_default()), "same"),
            "another" => (ReviewDecision::Another, "another"),
            "leave" => (ReviewDecision::Leave, "left"),
            _ => {
                let unknown = "Nothing was changed: the decision did not arrive. Choose one of the buttons.".to_owned();
                return self.list_review(StatusCode::BAD_REQUEST, "", Some(Notice::Refused(unknown)), None).await;
            }
        };
        let client_delay_seconds = self.api.settings().client_delay_seconds;
        let command = ConsoleCommand::ResolveReview { item, decision, mint: self.mint, client_delay_seconds };
        self.ask(command).await?;
        Ok(Answer::see(&format!("/app/review?said={said}&by={}", self.request_id)))
    }
}

fn notice(said: &str) -> Option<Notice> {
    let done = |sentence: &str| Some(Notice::Done(sentence.to_owned()));
    let refused = |sentence: &str| Some(Notice::Refused(sentence.to_owned()));
    match said {
        "same" => done("It is the same person now. The client has what was sent."),
        "another" => done("The other person is a client now."),
        "left" => done("It is left. It comes back when something else is sent for this person."),
        "unreadable" => refused("Nothing was changed: a value cannot be read. Correct it in your case system."),
        "nameless" => refused("Nothing was changed: there is no name, so no client can be added."),
        "taken" => refused("Nothing was changed: another client has this number by now. Send it again."),
        _ => None,
    }
}
