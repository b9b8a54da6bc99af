//! The listings that the operator reads page by page: settlements, clients, and the log.

use matterbook_core::{
    client::Client,
    matching::hashes_of_full_name,
    store::{ClientFilter, LogRecord, OperatorAnswer, Position, Refusal, SettlementEntry, StoreError},
    time::Timestamp,
};
use uuid::Uuid;

use super::{
    command::{Command, CommandResult},
    page,
};
use crate::{
    bind,
    client_page::CLIENTS_FILTERED,
    driver::Driver,
    paginator::{ScannedRow, paginate},
    queries,
    read::Row,
    review,
};

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

/// The clients that a filter admits, as they are now.
pub(super) async fn clients<D: Driver>(
    command: &Command<'_, D>,
    account: Uuid,
    filter: &ClientFilter,
    after: Option<Position>,
    limit: u32,
) -> CommandResult {
    let (after_at, after_id) = bind::place(after);
    let hashes = filter.name.as_deref().map(|name| format!("{:?}", hashes_of_full_name(name)));
    let names = || ("account", bind::id(account));
    let by_external_id = |external_id: &str| {
        let queries = [&queries::FIND_CLIENT_BY_EXTERNAL_ID, &queries::FIND_CLIENT_BY_ALIAS];
        queries.map(|query| query.bind([names(), ("external_id", external_id.into())])).to_vec()
    };
    let all = || {
        queries::FIND_CLIENTS.bind([
            names(),
            ("email", filter.email.as_deref().into()),
            ("phone", filter.phone.as_deref().into()),
            ("name_hashes", hashes.as_deref().into()),
            ("after_at", after_at),
            ("after_id", after_id),
            ("scan_rows", CLIENTS_FILTERED.into()),
            ("rows", (limit + 1).into()),
        ])
    };
    let find = filter.external_id.as_deref().map_or_else(|| vec![all()], by_external_id);
    let statements = find.len();
    let mut results = command.read(&[vec![queries::ACCOUNT.bind([names()])], find].concat()).await?;
    results.row().ok_or(Refusal::NoAccount)?;
    // What was found by an external id has it, as its own or as an alias.
    let scanned = results.rows_of(statements).map(|mut row| {
        let row_client: Client = row.client()?;
        let place = Position { at: row_client.updated_at, id: row_client.id };
        let is_shown = row.flag()? && filter.admits_by_alias(&row_client.borrowed());
        Ok::<_, StoreError>(ScannedRow { place, is_shown, ends_scan: row.flag()?, row: row_client })
    });
    let (clients, next) = paginate(scanned.collect::<Result<_, _>>()?, limit);
    Ok(OperatorAnswer::Clients(clients, next))
}

/// What waits for review, the latest seen first.
pub(super) async fn review<D: Driver>(
    command: &Command<'_, D>,
    account: Uuid,
    seen_since: Timestamp,
    before: Option<Position>,
    limit: u32,
) -> CommandResult {
    let account_row = queries::ACCOUNT.bind([("account", bind::id(account))]);
    let mut results = command.read(&[account_row, review::page(account, seen_since, before, limit)]).await?;
    results.row().ok_or(Refusal::NoAccount)?;
    let items = results.rows().map(review::read).collect::<Result<Vec<_>, _>>()?;
    let (items, next) = page(items, limit, |(_, place)| *place);
    Ok(OperatorAnswer::Review(items.into_iter().map(|(item, _)| item).collect(), next))
}

pub(super) async fn log<D: Driver>(command: &Command<'_, D>, before: Option<Position>, limit: u32) -> CommandResult {
    let (at, id) = bind::before(before);
    let read = queries::LOG_PAGE.bind([("before_at", at), ("before_id", id), ("rows", (limit + 1).into())]);
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
        similar_do_not_mail: row.flag()?,
    })
}

pub(super) fn record(mut row: Row) -> Result<LogRecord, StoreError> {
    Ok(LogRecord {
        id: row.id()?,
        at: row.time()?,
        actor: row.text()?,
        action: row.text()?,
        subject: row.text()?,
        request_id: row.id()?,
    })
}
