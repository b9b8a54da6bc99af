//! Clients that may be one person, and the decisions about them.

use http::StatusCode;
use matterbook_core::{
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{ClientPair, ConsoleAnswer, ConsoleCommand, ConsoleStore, SimilarDecision, SimilarFilter, Store},
    uuid::Uuid,
};

use super::context::{Answered, Context};
use crate::{
    form::Form,
    response::Answer,
    view::{
        Notice, Section,
        similar::{self, SimilarView},
    },
};

/// Pairs on one page.
const PAIRS: u32 = 20;

impl<S, L, P> Context<'_, S, L, P>
where
    S: Store + ConsoleStore,
    L: RateLimiter,
    P: Platform,
{
    pub(super) async fn similar(&self, form: &Form<'_>) -> Answered {
        self.list_similar(StatusCode::OK, form, notice(form.text("said"))).await
    }

    async fn list_similar(&self, status: StatusCode, form: &Form<'_>, notice: Option<Notice>) -> Answered {
        let filter = SimilarFilter { decided: form.text("show") == "decided", letters: form.text("show") == "letters" };
        let after = pair(form.text("after"));
        match self.ask(ConsoleCommand::ListSimilar { filter, after, limit: PAIRS }).await? {
            (owner, ConsoleAnswer::Similar(page)) => {
                let frame = self.frame(&owner, Some(Section::Review), notice);
                Ok(Answer::page(status, similar::similar(&frame, &SimilarView { page, filter })))
            }
            _ => Err(self.unexpected()),
        }
    }

    pub(super) async fn decide_similar(&self, form: &Form<'_>) -> Answered {
        let (decision, said) = match form.text("decision") {
            "same" => (Some(SimilarDecision::Same), "same"),
            "different" => (Some(SimilarDecision::Different), "different"),
            "open" => (None, "open"),
            _ => {
                let unknown = "Nothing was changed: the decision did not arrive. Choose one of the buttons.".to_owned();
                return self.list_similar(StatusCode::BAD_REQUEST, form, Some(Notice::Refused(unknown))).await;
            }
        };
        let pair = pair(form.text("pair")).unwrap_or_default();
        self.ask(ConsoleCommand::DecideSimilar { pair, decision }).await?;
        Ok(Answer::see(&format!("/app/review/similar?said={said}")))
    }
}

/// A pair as a form has it: both ids with a space between them.
fn pair(text: &str) -> Option<ClientPair> {
    let (one, other) = text.split_once(' ')?;
    Some(ClientPair::of(Uuid::try_parse(one).ok()?, Uuid::try_parse(other).ok()?))
}

fn notice(said: &str) -> Option<Notice> {
    let done = |sentence: &str| Some(Notice::Done(sentence.to_owned()));
    match said {
        "same" => done("They are one person now. If one of the two gets no letters, the other gets none either."),
        "different" => done("They are two people now. They are not shown again."),
        "open" => done("The decision is taken back."),
        _ => None,
    }
}
