//! The overview, the imports and the activity.

use matterbook_core::{
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{ConsoleAnswer, ConsoleCommand, ConsoleStore, OverviewQuery, Store},
};

use super::context::{Answered, Context};
use crate::{
    form::{Form, position, position_text},
    response::Answer,
    view::{
        Section,
        activity::{self, ActivityPage},
        imports, overview,
    },
};

/// Entries on one page.
const ENTRIES: u32 = 50;
/// Imports on one page.
const IMPORTS: u32 = 20;

impl<S, L, P> Context<'_, S, L, P>
where
    S: Store + ConsoleStore,
    L: RateLimiter,
    P: Platform,
{
    pub(super) async fn overview(&self) -> Answered {
        let query =
            OverviewQuery::at(self.now, self.api.settings().prospect_delay_seconds, self.api.settings().retention);
        match self.ask(ConsoleCommand::Overview { query }).await? {
            (owner, ConsoleAnswer::Overview(counts)) => {
                let frame = self.frame(&owner, Some(Section::Overview), None);
                Ok(Answer::ok(overview::overview(&frame, owner.flags, &counts)))
            }
            _ => Err(self.unexpected()),
        }
    }

    pub(super) async fn imports(&self, form: &Form<'_>) -> Answered {
        let before = position(form.text("before"));
        match self.ask(ConsoleCommand::ListImports { before, limit: IMPORTS }).await? {
            (owner, ConsoleAnswer::Imports(past, next)) => {
                let frame = self.frame(&owner, Some(Section::Imports), None);
                let next = next.map(position_text);
                let page = imports::imports(&frame, &past, next.as_deref(), before.is_some());
                Ok(Answer::ok(page).with_worker())
            }
            _ => Err(self.unexpected()),
        }
    }

    pub(super) async fn activity(&self, form: &Form<'_>) -> Answered {
        let before = position(form.text("before"));
        match self.ask(ConsoleCommand::ListActivity { before, limit: ENTRIES }).await? {
            (owner, ConsoleAnswer::Log(entries, next)) => {
                let page = ActivityPage { entries, next: next.map(position_text), is_further: before.is_some() };
                Ok(Answer::ok(activity::activity(&self.frame(&owner, Some(Section::Activity), None), &page)))
            }
            _ => Err(self.unexpected()),
        }
    }
}
