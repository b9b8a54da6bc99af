//! Stores whose histories tell too much or too little (S18).

use matterbook_core::{
    key::KeyDigest,
    memory::MemoryStore,
    store::{ClientHistory, HistoryPage, HistoryQuery, Store as _, StoreError, View},
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
