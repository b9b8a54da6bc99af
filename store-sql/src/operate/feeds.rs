//! The listings that the operator reads page by page: settlements, and the log.

use matterbook_core::store::{LogRecord, OperatorAnswer, Position, Refusal, SettlementEntry, StoreError};
use uuid::Uuid;

use super::{
    command::{Command, CommandResult},
    page,
};
use crate::{bind, driver::Driver, queries, read::Row};

pub(super) async fn settlements<D: Driver>(
    command: &Command<'_, D>,
    account: Uuid,
    after: Option<Position>,
    limit: u32,
) -> CommandResult {
    let (after_at, after_id) = bind::place(after);
    let batch = [
        queries::ACCOUNT.bind([("account", bind::id(account))]),
        queries::SETTLEMENT_FEED.bind([
            ("account", bind::id(account)),
            ("after_at", after_at),
            ("after_id", after_id),
            ("rows", (limit + 1).into()),
        ]),
    ];
    let mut results = command.read(&batch).await?;
    results.row().ok_or(Refusal::NoAccount)?;
    let settlements = results.rows().map(settlement).collect::<Result<Vec<_>, _>>()?;
    let (settlements, next) = page(settlements, limit, |entry| Position { at: entry.changed_at, id: entry.id });
    Ok(OperatorAnswer::Settlements(settlements, next))
}

pub(super) async fn log<D: Driver>(command: &Command<'_, D>, after: Option<Position>, limit: u32) -> CommandResult {
    let (after_at, after_id) = bind::place(after);
    let read = queries::LOG_PAGE.bind([("after_at", after_at), ("after_id", after_id), ("rows", (limit + 1).into())]);
    let mut results = command.read(&[read]).await?;
    let records = results.rows().map(record).collect::<Result<Vec<_>, _>>()?;
    let (records, next) = page(records, limit, |record| Position { at: record.at, id: record.id });
    Ok(OperatorAnswer::Log(records, next))
}

fn settlement(mut row: Row) -> Result<SettlementEntry, StoreError> {
    Ok(SettlementEntry {
        id: row.id()?,
        client_id: row.id()?,
        external_id: row.optional_text()?,
        first_name: row.optional_text()?,
        last_name: row.optional_text()?,
        address_line1: row.optional_text()?,
        address_line2: row.optional_text()?,
        city: row.optional_text()?,
        state: row.optional_text()?,
        zip: row.optional_text()?,
        case_type: row.optional_text()?,
        settled_on: row.date()?,
        begun_at: row.time()?,
        changed_at: row.time()?,
        do_not_mail: row.flag()?,
    })
}

fn record(mut row: Row) -> Result<LogRecord, StoreError> {
    Ok(LogRecord {
        id: row.id()?,
        at: row.time()?,
        actor: row.text()?,
        action: row.text()?,
        subject: row.text()?,
        request_id: row.id()?,
    })
}
