//! The rows of a change that is undone, read.

use std::cmp::Reverse;

use matterbook_core::{
    client::{Client, ClientFields},
    order,
    store::{AliasChange, StoreError},
    time::Timestamp,
    undo::{Removed, Touched, TouchedAlias, TouchedState},
};
use uuid::Uuid;

use crate::{bind, driver::Value, read::Row};

/// The first and the last id that a request may have minted: all begin with its time.
pub(super) fn ids_of(request: Uuid) -> [Value; 2] {
    let millis = request.as_u128() >> 80;
    [bind::id(Uuid::from_u128(millis << 80)), bind::id(Uuid::from_u128(((millis + 1) << 80) - 1))]
}

pub(super) fn touched(rows: impl Iterator<Item = Row>) -> Result<Vec<Touched>, StoreError> {
    let mut found = Vec::new();
    for mut row in rows {
        let (id, is_of_import) = (row.id()?, row.flag()?);
        let (matched_by, holder) = (row.optional_integer()?, row.optional_id()?);
        let fields = row.client_fields()?;
        let (created_at, at) = (row.time()?, row.time()?);
        let is_first = created_at == at || matched_by == Some(0);
        found.push((id, created_at, TouchedState { at, is_of_import, is_first, holder, fields }));
    }
    order::sort_by_key(&mut found, |(id, _, state)| (*id, Reverse(state.at)));
    let mut touched: Vec<Touched> = Vec::new();
    for (id, created_at, state) in found {
        match touched.last_mut().filter(|touched| touched.now.id == id) {
            Some(touched) => touched.states.push(state),
            None => {
                let now = Client { id, fields: state.fields.clone(), created_at, updated_at: state.at };
                touched.push(Touched { now, states: vec![state] });
            }
        }
    }
    Ok(touched)
}

/// A client that the change brought back and that changed since. All that an undo asks of its states are two times.
pub(super) fn changed_return(at: Timestamp, mut row: Row) -> Result<Touched, StoreError> {
    let now = row.client()?;
    let fields = ClientFields::default;
    let state = |at, is_first| TouchedState { at, is_of_import: false, is_first, holder: None, fields: fields() };
    let states = vec![state(now.updated_at, false), state(at, true)];
    Ok(Touched { now, states })
}

/// An alias that the change gave or took; `None` if its client is gone.
pub(super) fn alias(mut row: Row, touched: &[Touched]) -> Result<Option<TouchedAlias>, StoreError> {
    let client = row.id()?;
    let external_id = row.text()?;
    let (is_given, is_live) = (!row.flag()?, row.flag()?);
    let (by_own, by_alias) = (row.optional_id()?, row.optional_id()?);
    let change = AliasChange { external_id, is_given };
    let now = touched.iter().map(|client| &client.now).find(|now| now.id == client);
    Ok(now.map(|now| TouchedAlias {
        now: now.clone(),
        change,
        is_as_left: !is_given || is_live,
        holder: by_own.or(by_alias),
    }))
}

pub(super) fn removed(mut row: Row) -> Result<Removed, StoreError> {
    let (id, holder) = (row.id()?, row.optional_id()?);
    let fields = row.client_fields()?;
    let created_at = row.time()?;
    let client = Client { id, fields, created_at, updated_at: created_at };
    Ok(Removed { client, holder, is_sent_again: false })
}
