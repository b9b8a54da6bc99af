//! Stores that show prospects to the wrong account, at the wrong time or in the wrong order (S9,
//! S12).

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
};

use chrono::NaiveDate;
use matterbook_core::{
    SmolStr,
    account::Grant,
    memory::MemoryStore,
    prospect::ProspectFields,
    store::{
        ImportOutcome, LogEntry, OperatorAnswer, OperatorCommand, OperatorStore, ProspectOrder, ProspectPage,
        ProspectPageQuery, StoreError, View,
    },
    time::Timestamp,
};
use uuid::Uuid;

use super::broken::Fault;

/// Shows all crashes of a granted county, the ones before the grant's date too.
#[derive(Default)]
pub(super) struct IgnoresFromDate {
    grants: RefCell<BTreeMap<(Uuid, String), Grant>>,
}

impl Fault for IgnoresFromDate {
    fn command(&self, _entry: &LogEntry, command: OperatorCommand) -> OperatorCommand {
        match command {
            OperatorCommand::GrantCounty { account, grant } => {
                self.grants.borrow_mut().insert((account, grant.fips.clone()), grant.clone());
                OperatorCommand::GrantCounty { account, grant: Grant { from_date: NaiveDate::MIN, ..grant } }
            }
            other => other,
        }
    }

    fn answer(&self, command: &OperatorCommand, _entry: &LogEntry, answer: OperatorAnswer) -> OperatorAnswer {
        match (command, answer) {
            (OperatorCommand::GrantCounty { grant, .. }, OperatorAnswer::County(_)) => {
                OperatorAnswer::County(grant.clone())
            }
            (_, other) => other,
        }
    }

    fn prospect_page(&self, _query: &ProspectPageQuery, mut page: ProspectPage) -> ProspectPage {
        for grant in &mut page.grants {
            let known = self.grants.borrow().get(&(page.key_owner.account, grant.fips.clone())).cloned();
            *grant = known.unwrap_or_else(|| grant.clone());
        }
        page
    }
}

/// Answers that a county is taken back, and goes on showing it.
#[derive(Default)]
pub(super) struct RevokedCountyShows {
    grants: RefCell<BTreeMap<(Uuid, String), Grant>>,
}

impl Fault for RevokedCountyShows {
    async fn operate(
        &self,
        sound: &MemoryStore,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> Result<OperatorAnswer, StoreError> {
        match &command {
            OperatorCommand::GrantCounty { account, grant } => {
                self.grants.borrow_mut().insert((*account, grant.fips.clone()), grant.clone());
            }
            OperatorCommand::RevokeCounty { account, fips } => {
                if let Some(grant) = self.grants.borrow_mut().remove(&(*account, fips.clone())) {
                    return Ok(OperatorAnswer::County(grant));
                }
            }
            _ => {}
        }
        sound.operate(command, entry).await
    }
}

/// Shows prospects as soon as they are imported.
#[derive(Default)]
pub(super) struct ShowsProspectsAtOnce;

impl Fault for ShowsProspectsAtOnce {
    fn prospect_query(&self, query: ProspectPageQuery) -> ProspectPageQuery {
        ProspectPageQuery { view: View { delay_seconds: 0, ..query.view }, ..query }
    }
}

/// Hands back the grants of an earlier page.
#[derive(Default)]
pub(super) struct GrantsAreRemembered {
    grants: RefCell<BTreeMap<Uuid, Vec<Grant>>>,
}

impl Fault for GrantsAreRemembered {
    fn prospect_page(&self, _query: &ProspectPageQuery, page: ProspectPage) -> ProspectPage {
        let mut remembered = self.grants.borrow_mut();
        let grants = remembered.entry(page.key_owner.account).or_insert_with(|| page.grants.clone()).clone();
        ProspectPage { grants, ..page }
    }
}

/// Fills the newest prospects from the oldest end.
#[derive(Default)]
pub(super) struct NewestAreTheOldest;

impl Fault for NewestAreTheOldest {
    fn prospect_query(&self, query: ProspectPageQuery) -> ProspectPageQuery {
        match query.order {
            ProspectOrder::Newest { .. } => ProspectPageQuery { limit: u32::MAX, ..query },
            ProspectOrder::Oldest { .. } => query,
        }
    }

    fn prospect_page(&self, query: &ProspectPageQuery, mut page: ProspectPage) -> ProspectPage {
        if let ProspectOrder::Newest { .. } = query.order {
            let surplus = page.prospects.len().saturating_sub(query.limit as usize);
            page.prospects.drain(..surplus);
        }
        page
    }
}

/// Ends the newest prospects' time with the moment that should begin it.
#[derive(Default)]
pub(super) struct NewestIgnoresTime;

impl Fault for NewestIgnoresTime {
    fn prospect_query(&self, query: ProspectPageQuery) -> ProspectPageQuery {
        match query.order {
            ProspectOrder::Newest { .. } => {
                let order = ProspectOrder::Newest { added_since: Timestamp::default() };
                ProspectPageQuery { order, ..query }
            }
            ProspectOrder::Oldest { .. } => query,
        }
    }
}

/// Stamps prospects with the clock of their import, even if the last import was later.
#[derive(Default)]
pub(super) struct ImportTrustsTheClock {
    clocks: RefCell<BTreeMap<SmolStr, Timestamp>>,
}

impl Fault for ImportTrustsTheClock {
    fn command(&self, entry: &LogEntry, command: OperatorCommand) -> OperatorCommand {
        if let OperatorCommand::ImportProspects { prospects } = &command {
            let mut clocks = self.clocks.borrow_mut();
            for (_, fields) in prospects {
                clocks.entry(fields.source_id.clone()).or_insert(entry.at);
            }
        }
        command
    }

    fn prospect_page(&self, _query: &ProspectPageQuery, mut page: ProspectPage) -> ProspectPage {
        for prospect in &mut page.prospects {
            let clock = self.clocks.borrow().get(&prospect.fields.source_id).copied();
            prospect.added_at = clock.unwrap_or(prospect.added_at);
        }
        page
    }
}

/// Takes the last import of a prospect for all that is known of it.
#[derive(Default)]
pub(super) struct ImportErasesWhatIsNotGiven {
    imported: RefCell<BTreeMap<SmolStr, ProspectFields>>,
}

impl Fault for ImportErasesWhatIsNotGiven {
    fn command(&self, _entry: &LogEntry, command: OperatorCommand) -> OperatorCommand {
        if let OperatorCommand::ImportProspects { prospects } = &command {
            let imported = prospects.iter().map(|(_, fields)| (fields.source_id.clone(), fields.clone()));
            self.imported.borrow_mut().extend(imported);
        }
        command
    }

    fn prospect_page(&self, _query: &ProspectPageQuery, mut page: ProspectPage) -> ProspectPage {
        for prospect in &mut page.prospects {
            if let Some(last) = self.imported.borrow().get(&prospect.fields.source_id) {
                prospect.fields = last.clone();
            }
        }
        page
    }
}

/// Forgets the `source_id` of an erased prospect, so an import brings it back.
#[derive(Default)]
pub(super) struct ErasedProspectComesBack;

impl Fault for ErasedProspectComesBack {
    async fn operate(
        &self,
        sound: &MemoryStore,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> Result<OperatorAnswer, StoreError> {
        let answer = sound.operate(command.clone(), entry.clone()).await?;
        let (OperatorCommand::ImportProspects { prospects }, OperatorAnswer::Imported(mut outcomes)) =
            (command, answer.clone())
        else {
            return Ok(answer);
        };
        for ((id, mut fields), outcome) in prospects.into_iter().zip(&mut outcomes) {
            if *outcome == ImportOutcome::Erased {
                fields.source_id = format!("{} again", fields.source_id).into();
                let command = OperatorCommand::ImportProspects { prospects: vec![(id, fields)] };
                if let OperatorAnswer::Imported(again) = sound.operate(command, entry.clone()).await? {
                    *outcome = again.first().copied().unwrap_or(*outcome);
                }
            }
        }
        Ok(OperatorAnswer::Imported(outcomes))
    }
}

/// Takes an import that leaves every prospect as it was for a change: it adds one and erases it.
#[derive(Default)]
pub(super) struct CountsWhatChangesNothing {
    added: Cell<u128>,
}

impl Fault for CountsWhatChangesNothing {
    async fn operate(
        &self,
        sound: &MemoryStore,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> Result<OperatorAnswer, StoreError> {
        let answer = sound.operate(command, entry.clone()).await?;
        if let OperatorAnswer::Imported(outcomes) = &answer
            && outcomes.iter().all(|outcome| matches!(outcome, ImportOutcome::Updated(_)))
        {
            self.added.set(self.added.get() + 1);
            let prospect = Uuid::from_u128((0xadded << 64) + self.added.get());
            let source_id = format!("added {}", self.added.get()).into();
            let prospects = vec![(prospect, ProspectFields { source_id, ..ProspectFields::default() })];
            sound.operate(OperatorCommand::ImportProspects { prospects }, entry.clone()).await?;
            sound.operate(OperatorCommand::EraseProspect { prospect }, entry).await?;
        }
        Ok(answer)
    }
}
