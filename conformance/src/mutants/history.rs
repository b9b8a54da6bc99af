//! Stores whose histories tell too much or too little (S18).

use matterbook_core::{
    key::KeyDigest,
    memory::MemoryStore,
    store::{
        ClientHistory, HistoryPage, HistoryQuery, LogEntry, OperatorAnswer, OperatorCommand, OperatorStore as _,
        Store as _, StoreError, View,
    },
    time::Timestamp,
};

use super::broken::Fault;

async fn edited(
    sound: &MemoryStore,
    key: &KeyDigest,
    query: HistoryQuery,
    edit: impl FnOnce(&mut ClientHistory),
) -> Result<Option<HistoryPage>, StoreError> {
    let mut page = sound.history(key, &query).await?;
    if let Some(history) = page.as_mut().and_then(|page| page.history.as_mut()) {
        edit(history);
    }
    Ok(page)
}

/// Shows a change that the list does not show yet.
#[derive(Default)]
pub(super) struct ShowsChangesAtOnce;

impl Fault for ShowsChangesAtOnce {
    async fn history(
        &self,
        sound: &MemoryStore,
        key: &KeyDigest,
        query: &HistoryQuery,
    ) -> Result<Option<HistoryPage>, StoreError> {
        edited(sound, key, HistoryQuery { view: View { delay_seconds: 0, ..query.view }, ..*query }, |_| {}).await
    }
}

/// Has no second page.
#[derive(Default)]
pub(super) struct EndsWithFirstPage;

impl Fault for EndsWithFirstPage {
    async fn history(
        &self,
        sound: &MemoryStore,
        key: &KeyDigest,
        query: &HistoryQuery,
    ) -> Result<Option<HistoryPage>, StoreError> {
        edited(sound, key, *query, |history| history.next = None).await
    }
}

/// Begins a page with the last change of the page before.
#[derive(Default)]
pub(super) struct RepeatsTheLastChange;

impl Fault for RepeatsTheLastChange {
    async fn history(
        &self,
        sound: &MemoryStore,
        key: &KeyDigest,
        query: &HistoryQuery,
    ) -> Result<Option<HistoryPage>, StoreError> {
        edited(sound, key, HistoryQuery { before: query.before.map(Timestamp::next), ..*query }, |_| {}).await
    }
}

/// Does not tell who made a change.
#[derive(Default)]
pub(super) struct ForgetsWho;

impl Fault for ForgetsWho {
    async fn history(
        &self,
        sound: &MemoryStore,
        key: &KeyDigest,
        query: &HistoryQuery,
    ) -> Result<Option<HistoryPage>, StoreError> {
        edited(sound, key, *query, |history| history.changes.iter_mut().for_each(|change| change.by = None)).await
    }
}

/// Does not tell how a request found the client.
#[derive(Default)]
pub(super) struct ForgetsHow;

impl Fault for ForgetsHow {
    async fn history(
        &self,
        sound: &MemoryStore,
        key: &KeyDigest,
        query: &HistoryQuery,
    ) -> Result<Option<HistoryPage>, StoreError> {
        edited(sound, key, *query, |history| history.changes.iter_mut().for_each(|change| change.matched_by = None))
            .await
    }
}

/// Only tells what an undo would do.
#[derive(Default)]
pub(super) struct UndoesNothing;

impl Fault for UndoesNothing {
    fn command(&self, _entry: &LogEntry, command: OperatorCommand) -> OperatorCommand {
        with_dry_run(command, true)
    }
}

/// Carries out the dry run of an undo.
#[derive(Default)]
pub(super) struct DryRunUndoes;

impl Fault for DryRunUndoes {
    fn command(&self, _entry: &LogEntry, command: OperatorCommand) -> OperatorCommand {
        with_dry_run(command, false)
    }
}

fn with_dry_run(command: OperatorCommand, dry_run: bool) -> OperatorCommand {
    match command {
        OperatorCommand::UndoChange { account, change, after, client_delay_seconds, .. } => {
            OperatorCommand::UndoChange { account, change, after, client_delay_seconds, dry_run }
        }
        other => other,
    }
}

/// Does not tell what an undo leaves.
#[derive(Default)]
pub(super) struct HidesWhatIsLeft;

impl Fault for HidesWhatIsLeft {
    fn answer(&self, _command: &OperatorCommand, _entry: &LogEntry, answer: OperatorAnswer) -> OperatorAnswer {
        match answer {
            OperatorAnswer::Undone(mut report) => {
                report.undo.left.clear();
                report.undo.left_clients.clear();
                OperatorAnswer::Undone(report)
            }
            other => other,
        }
    }
}

/// Takes the latest change of a client back first, which makes the earlier one the latest.
#[derive(Default)]
pub(super) struct OverwritesLaterChanges;

impl Fault for OverwritesLaterChanges {
    async fn operate(
        &self,
        sound: &MemoryStore,
        command: OperatorCommand,
        entry: LogEntry,
    ) -> Result<OperatorAnswer, StoreError> {
        let OperatorCommand::UndoChange { account, dry_run: false, .. } = &command else {
            return sound.operate(command, entry).await;
        };
        let answer = sound.operate(command.clone(), entry.clone()).await?;
        let OperatorAnswer::Undone(report) = &answer else { return Ok(answer) };
        for left in &report.undo.left {
            let list =
                OperatorCommand::ListHistory { account: *account, client: left.client, before: None, limit: 100 };
            let OperatorAnswer::History(history) = sound.operate(list, entry.clone()).await? else { continue };
            let later = history.changes.iter().filter(|change| change.at > report.change.at);
            for request in later.filter_map(|change| change.request_id) {
                let again = with_request(&command, request);
                sound.operate(again, entry.clone()).await?;
            }
        }
        Ok(answer)
    }
}

fn with_request(command: &OperatorCommand, request: uuid::Uuid) -> OperatorCommand {
    match command.clone() {
        OperatorCommand::UndoChange { account, client_delay_seconds, dry_run, .. } => {
            OperatorCommand::UndoChange { account, change: request, after: None, client_delay_seconds, dry_run }
        }
        other => other,
    }
}
