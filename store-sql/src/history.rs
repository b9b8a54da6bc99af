//! A page of a client's history, at a cost of the states that it has and of those after it.

use matterbook_core::{
    key::KeyDigest,
    order,
    plan::MatchedBy,
    store::{AliasChange, AuthorKind, ChangeAuthor, ClientHistory, ClientState, HistoryPage, HistoryQuery, StoreError},
    time::Timestamp,
};
use uuid::Uuid;

use crate::{
    bind,
    client_page::horizon,
    driver::{Driver, Statement, Value},
    key_owner, queries,
    read::{ResultSets, Row, unexpected},
};

/// Who reads a history.
#[derive(Clone, Copy)]
pub(crate) enum Reader<'a> {
    /// A key, by its view.
    Key(&'a KeyDigest),
    /// Somebody who is shown this account as it is now.
    Account(Uuid),
}

/// Reads a page; `None` for a key that is not live.
pub(crate) async fn page<D: Driver>(
    driver: &D,
    key: &KeyDigest,
    query: &HistoryQuery,
) -> Result<Option<HistoryPage>, StoreError> {
    let batch = [key_owner::statement(key, query.view.now), statement(Reader::Key(key), query)];
    let mut results = ResultSets::of(driver, &batch).await?;
    let Some(found) = results.row() else { return Ok(None) };
    let key_owner = key_owner::live(found)?.owner;
    Ok(Some(HistoryPage { key_owner, history: read(&mut results, query)? }))
}

/// Reads the states of a page.
pub(crate) fn statement(reader: Reader<'_>, query: &HistoryQuery) -> Statement {
    let (key, account) = match reader {
        Reader::Key(key) => (Some(key.to_text()), None),
        Reader::Account(account) => (None, Some(bind::id(account))),
    };
    let [delayed, trusted_until, everything] = horizon(&query.view, None);
    queries::CLIENT_HISTORY.bind([
        ("key", key.into()),
        ("account", account.unwrap_or(Value::Null)),
        delayed,
        trusted_until,
        everything,
        ("client", bind::id(query.client)),
        ("before", bind::time(query.before.unwrap_or(Timestamp::MAX))),
        ("rows", ClientHistory::states(query.limit).into()),
    ])
}

/// The page of what [`statement`] read; `None` if there is no such client.
pub(crate) fn read(results: &mut ResultSets, query: &HistoryQuery) -> Result<Option<ClientHistory>, StoreError> {
    let mut states = results.rows().map(state).collect::<Result<Vec<_>, _>>()?;
    order::sort_by_key(&mut states, |state| std::cmp::Reverse(state.at));
    let is_unknown = states.is_empty() && query.before.is_none();
    Ok((!is_unknown).then(|| ClientHistory::of(states, query.limit)))
}

fn state(mut row: Row) -> Result<ClientState, StoreError> {
    let created_at = row.time()?;
    let at = row.time()?;
    let request_id = row.optional_id()?;
    let code = row.optional_integer()?;
    let is_first = at == created_at || code == Some(0);
    let matched_by = match code {
        None | Some(0) => None,
        Some(code) => {
            Some(u8::try_from(code).ok().and_then(MatchedBy::of_code).ok_or_else(|| unexpected("a kind of match"))?)
        }
    };
    let is_recorded = row.optional_time()?.is_some();
    let by = Some(author(&mut row)?).filter(|_| is_recorded);
    let import_id = row.optional_id()?;
    let fields = row.client_fields()?;
    let (alias, is_given) = (row.optional_text()?, row.flag()?);
    let alias = alias.map(|external_id| AliasChange { external_id, is_given });
    Ok(ClientState { at, by, request_id, import_id, matched_by, is_first, fields, alias })
}

/// Who made a commit: the ids of its key and its login, and a label.
pub(crate) fn author(row: &mut Row) -> Result<ChangeAuthor, StoreError> {
    let kind = match (row.optional_id()?, row.optional_id()?) {
        (Some(_), _) => AuthorKind::Key,
        (None, Some(_)) => AuthorKind::Login,
        (None, None) => AuthorKind::Operator,
    };
    let label = row.optional_text()?.or_else(|| (kind == AuthorKind::Operator).then(|| kind.name().to_owned()));
    Ok(ChangeAuthor { kind, label })
}
