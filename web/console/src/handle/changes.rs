//! The undo of a change or of an import.

use matterbook_core::{
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{ConsoleAnswer, ConsoleCommand, ConsoleStore, SessionOwner, Store},
    undo::UndoReport,
    uuid::Uuid,
};

use super::context::{Answered, Context};
use crate::{
    form::Form,
    response::Answer,
    view::{
        Notice, Section,
        change::{self, ChangePage},
    },
};

/// Batches of an import that one request looks at or takes back: 10,000 clients.
const BATCHES: u32 = 20;

impl<S, L, P> Context<'_, S, L, P>
where
    S: Store + ConsoleStore,
    L: RateLimiter,
    P: Platform,
{
    /// What an undo would do.
    pub(super) async fn change(&self, id: &str, form: &Form<'_>) -> Answered {
        let change = self.id(id).await?;
        let after = Uuid::try_parse(form.text("cursor")).ok();
        let mut reports = Vec::new();
        let mut owner = None;
        let mut next = after;
        for _ in 0..BATCHES {
            let (asked, report) = self.undo_one(change, next, None).await?;
            owner = Some(asked);
            next = report.next;
            reports.push(report);
            if next.is_none() {
                break;
            }
        }
        let owner = owner.ok_or_else(|| self.unexpected())?;
        let import = match reports.first().and_then(|report| report.change.import_id) {
            Some(import) => match self.ask(ConsoleCommand::ShowImport { import }).await?.1 {
                ConsoleAnswer::Import(import, _) => Some(import),
                _ => return Err(self.unexpected()),
            },
            None => None,
        };
        let notice = match form.text("said") {
            "undone" => Some(Notice::Done("It was taken back.".to_owned())),
            "part" => Some(Notice::Done("A part of the import was taken back. Go on with the rest below.".to_owned())),
            _ => None,
        };
        let section = if import.is_some() { Section::Imports } else { Section::Clients };
        let undone_by = Uuid::try_parse(form.text("by")).ok();
        let page = ChangePage { change, import, reports, after, undone_by };
        Ok(Answer::ok(change::change(&self.frame(&owner, Some(section), notice), &page)))
    }

    /// Takes a change back; of an import, so many batches.
    pub(super) async fn undo_change(&self, id: &str, form: &Form<'_>) -> Answered {
        let change = self.id(id).await?;
        let mut next = Uuid::try_parse(form.text("cursor")).ok();
        let mut number = 0;
        loop {
            if number == 0 {
                self.end_import_of(change, next).await?;
            }
            // Each batch is a request of its own, with an entry in the log.
            let ids = if number == 0 {
                (self.request_id, self.entry_id)
            } else {
                (self.mint.id(2 * number), self.mint.id(2 * number + 1))
            };
            let (_, report) = self.undo_one(change, next, Some(ids)).await?;
            number += 1;
            next = report.next;
            match next {
                Some(cursor) if number == BATCHES => {
                    return Ok(Answer::see(&format!("/app/changes/{change}?said=part&cursor={cursor}")));
                }
                Some(_) => {}
                None if report.change.import_id.is_none() && !report.undo.is_empty() => {
                    let by = self.request_id;
                    return Ok(Answer::see(&format!("/app/changes/{change}?said=undone&by={by}")));
                }
                None => return Ok(Answer::see(&format!("/app/changes/{change}?said=undone"))),
            }
        }
    }

    /// No batch of an import comes any more once it is taken back.
    async fn end_import_of(&self, change: Uuid, after: Option<Uuid>) -> Result<(), Answer> {
        let (_, report) = self.undo_one(change, after, None).await?;
        let Some(import) = report.change.import_id else { return Ok(()) };
        let (_, shown) = self.ask(ConsoleCommand::ShowImport { import }).await?;
        if matches!(&shown, ConsoleAnswer::Import(import, _) if import.ended_at.is_none()) {
            let ids = (self.mint.id(0), self.mint.id(1));
            self.ask_as(ids, ConsoleCommand::EndImport { import }).await?;
        }
        Ok(())
    }

    /// The undo of one batch, under the ids of a request and its log entry; `None` for a dry run.
    async fn undo_one(
        &self,
        change: Uuid,
        after: Option<Uuid>,
        ids: Option<(Uuid, Uuid)>,
    ) -> Result<(SessionOwner, UndoReport), Answer> {
        let client_delay_seconds = self.api.settings().client_delay_seconds;
        let command = ConsoleCommand::UndoChange { change, after, client_delay_seconds, dry_run: ids.is_none() };
        match self.ask_as(ids.unwrap_or((self.request_id, self.entry_id)), command).await? {
            (owner, ConsoleAnswer::Undone(report)) => Ok((owner, *report)),
            _ => Err(self.unexpected()),
        }
    }
}
