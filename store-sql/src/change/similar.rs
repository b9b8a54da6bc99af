//! The clients that may be the same person as one that a request matches (S40).

use matterbook_core::{
    order,
    store::{FoundPair, SimilarClient, Snapshot, StoreError},
};

use crate::{bind, change_state::ChangeState, driver::Driver, queries, read::ResultSets};

/// Adds them to what a decision sees, where the request names them. Where they cannot be read there are none.
pub(super) async fn add<D: Driver>(driver: &D, state: &ChangeState, snapshot: &mut Snapshot) {
    // A saved answer names those of its time.
    if state.keeps_similar && snapshot.idempotency_record.is_none() {
        snapshot.similar = read(driver, state, snapshot).await.unwrap_or_default();
    }
}

async fn read<D: Driver>(
    driver: &D,
    state: &ChangeState,
    snapshot: &Snapshot,
) -> Result<Vec<SimilarClient>, StoreError> {
    let rows = snapshot.clients.iter().map(|client| [state.version.account_id.into(), bind::id(client.id)]);
    let batch = queries::SIMILAR_OF_CLIENTS.bind_rows(&["account_id", "id"], rows);
    if batch.is_empty() {
        return Ok(Vec::new());
    }
    let mut results = ResultSets::of(driver, &batch).await?;
    let mut similar = Vec::new();
    for mut row in results.rows_of(batch.len()) {
        let (client, other) = (row.id()?, row.id()?);
        similar.push(SimilarClient { client, other, reasons: FoundPair::reasons_of(&row.text::<String>()?) });
    }
    order::sort_by_key(&mut similar, |similar| (similar.client, similar.other));
    Ok(similar)
}
