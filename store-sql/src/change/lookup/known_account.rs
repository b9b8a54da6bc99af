//! The lookup for a session where others may write between two batches.

use matterbook_core::store::{ChangeRequest, StoreError};

use super::{LookupResult, by_external_id, by_person, distinct, read_together, tombstone_statements};
use crate::{change_state, driver::Driver, read::ResultSets};

/// A session belongs to one account for ever, so its account is read first. The
/// batch reads the session again with what the account's number finds.
pub(super) async fn lookup<D: Driver>(driver: &D, request: &ChangeRequest) -> Result<Option<LookupResult>, StoreError> {
    let settles = request.lookup_keys.iter().any(|key| key.settles);
    let keys = distinct(&request.lookup_keys);
    let mut results = ResultSets::of(driver, &[change_state::statement(request)]).await?;
    let Some(row) = results.row() else { return Ok(None) };
    let version = change_state::read(request, row)?.version;
    let mut with_tombstones = version.last_erasure_at.is_some();
    loop {
        let account = version.account_id;
        let clients = [by_external_id(account, settles, &keys), by_person(request, Some(account), &keys)].concat();
        let tombstones = if with_tombstones { tombstone_statements(request, Some(account)) } else { Vec::new() };
        let read = read_together(driver, request, &keys, clients, tombstones).await?;
        let Some((state, matches)) = read else { return Ok(None) };
        if with_tombstones || state.version.last_erasure_at.is_none() {
            return Ok(Some(matches.into_result(state)));
        }
        with_tombstones = true;
    }
}
