//! The lookup for a session where others may write between two batches.

use matterbook_core::store::{ChangeRequest, StoreError};

use super::{
    LookupResult,
    keys::distinct,
    read_together,
    statements::{by_external_id, by_person},
};
use crate::{change_state, driver::Driver, read::ResultSets};

/// A session belongs to one account for ever, so its account is read first. The
/// batch reads the session again with what the account's number finds.
pub(super) async fn lookup<D: Driver>(driver: &D, request: &ChangeRequest) -> Result<Option<LookupResult>, StoreError> {
    let settles = request.lookup_keys.iter().any(|key| key.settles);
    let keys = distinct(&request.lookup_keys);
    let mut results = ResultSets::of(driver, &[change_state::statement(request)]).await?;
    let Some(row) = results.row() else { return Ok(None) };
    let state = change_state::read(request, row)?;
    let (account, mut hint) = (state.version.account_id, state.hint());
    loop {
        let clients = [by_external_id(account, settles, &keys), by_person(request, Some(account), &keys)].concat();
        let read = read_together(driver, request, &keys, clients, hint, Some(account)).await?;
        let Some((state, matches)) = read else { return Ok(None) };
        if hint.and(state.hint()) == hint {
            return Ok(Some(matches.into_result(state)));
        }
        hint = hint.and(state.hint());
    }
}
