//! Pairs of clients that may be one person (S38, S39).

use matterbook_core::{
    client::Client,
    order,
    similar::{COMPARED_MAX, SimilarReason},
    store::{
        ClientPair, ComparisonStart, DecidedPair, FoundPair, OperatorAnswer, Refusal, SIMILAR_PAIRS_MAX,
        SimilarDecision, SimilarFilter, SimilarPage, SimilarPair, StoreError,
    },
    time::Timestamp,
};
use uuid::Uuid;

use super::{
    command::{Command, CommandResult},
    write::{Concerns, Write},
};
use crate::{
    bind,
    driver::{Driver, Statement, Value},
    queries,
    read::{ResultSets, Row, unexpected, write_error},
};

pub(super) async fn list<D: Driver>(
    command: &Command<'_, D>,
    account: Uuid,
    filter: SimilarFilter,
    after: Option<ClientPair>,
    limit: u32,
) -> CommandResult {
    let mut results = command.read(&reads(account, filter, after, limit)).await?;
    Ok(OperatorAnswer::Similar(read_page(&mut results, limit)?.ok_or(Refusal::NoAccount)?))
}

/// Reads a page.
pub(super) fn reads(account: Uuid, filter: SimilarFilter, after: Option<ClientPair>, limit: u32) -> [Statement; 2] {
    // No pair is before this one.
    let [client, other] = after.unwrap_or_default().ids();
    let names = [
        ("account", bind::id(account)),
        ("after_client", bind::id(client)),
        ("after_other", bind::id(other)),
        ("decided", filter.decided.into()),
        ("letters", filter.letters.into()),
        ("rows", (limit + 1).into()),
    ];
    [queries::COMPARED_AT.bind([("account", bind::id(account))]), queries::SIMILAR_PAGE.bind(names)]
}

/// The page that [`reads`] read; `None` if there is no such account.
pub(super) fn read_page(results: &mut ResultSets, limit: u32) -> Result<Option<SimilarPage>, StoreError> {
    let Some(mut row) = results.row() else { return Ok(None) };
    let compared_at = row.optional_time()?;
    let (pairs, next) = super::page(read_pairs(results.rows())?, limit, ids);
    Ok(Some(SimilarPage { pairs, compared_at, next }))
}

fn ids(pair: &SimilarPair) -> ClientPair {
    let [one, other] = &pair.clients;
    ClientPair::of(one.id, other.id)
}

/// The pairs of rows, two for each.
fn read_pairs(rows: impl Iterator<Item = Row>) -> Result<Vec<SimilarPair>, StoreError> {
    let mut rows = rows.map(read).collect::<Result<Vec<_>, _>>()?;
    order::sort_by_key(&mut rows, |(pair, _, client)| (*pair, client.id));
    let mut pairs = Vec::new();
    let mut first: Option<(ClientPair, Client)> = None;
    for (pair, (reasons, found_at, decided), client) in rows {
        match first.take() {
            Some((of, one)) if of == pair => {
                pairs.push(SimilarPair { clients: [one, client], reasons, found_at, decided });
            }
            _ => first = Some((pair, client)),
        }
    }
    Ok(pairs)
}

/// What is known of a pair besides its clients.
type About = (Vec<SimilarReason>, Timestamp, Option<DecidedPair>);

fn read(mut row: Row) -> Result<(ClientPair, About, Client), StoreError> {
    let pair = ClientPair::of(row.id()?, row.id()?);
    let (reasons, found_at) = (FoundPair::reasons_of(&row.text::<String>()?), row.time()?);
    let decision = row.optional_text::<String>()?;
    let (at, by) = (row.optional_time()?, row.optional_text()?);
    let decided = match (decision.as_deref().and_then(SimilarDecision::of_name), at, by) {
        (Some(decision), Some(at), Some(by)) => Some(DecidedPair { decision, at, by }),
        _ => None,
    };
    Ok((pair, (reasons, found_at, decided), row.client()?))
}

pub(super) async fn decide<D: Driver>(
    command: &Command<'_, D>,
    account: Uuid,
    pair_ids: ClientPair,
    decision: Option<SimilarDecision>,
) -> CommandResult {
    let [client, other] = pair_ids.ids();
    let names = || [("account", bind::id(account)), ("client", bind::id(client)), ("other", bind::id(other))];
    command.read(&[queries::ACCOUNT.bind([("account", bind::id(account))])]).await?.row().ok_or(Refusal::NoAccount)?;
    let entry = command.entry;
    let decided = [
        ("decision", decision.map(SimilarDecision::name).into()),
        ("decided_at", decision.map(|_| bind::time(entry.at)).into()),
        ("decided_by", decision.map(|_| entry.actor.as_str()).into()),
    ];
    let decide = queries::DECIDE_SIMILAR_PAIR.bind([&names()[..], &decided].concat());
    let write = Write::new(Concerns::Account(account), vec![decide])
        .require(queries::REQUIRE_SIMILAR_PAIR.bind(names()), Refusal::NoPair)
        .then_read(vec![queries::SIMILAR_PAIR.bind(names())]);
    let pair = read_pairs(write.run(command).await?.rows())?.pop().ok_or(Refusal::NoPair)?;
    Ok(OperatorAnswer::SimilarPair(Box::new(pair)))
}

/// What a comparison begins with.
pub(super) async fn start<D: Driver>(command: &Command<'_, D>, account: Uuid) -> CommandResult {
    let account = ("account", bind::id(account));
    let number = |count: usize| Value::from(u32::try_from(count).unwrap_or(u32::MAX));
    let former = [account.clone(), ("rows", number(SIMILAR_PAIRS_MAX)), ("residents_max", number(COMPARED_MAX))];
    let reads = [
        queries::ACCOUNT_VERSION.bind([account.clone()]),
        queries::DECIDED_PAIRS.bind([account]),
        queries::FORMER_ADDRESS_PAIRS.bind(former),
    ];
    let mut results = command.read(&reads).await?;
    let version = crate::account_version::AccountVersion::read(&mut results.row().ok_or(Refusal::NoAccount)?)?;
    let mut pairs = || -> Result<Vec<_>, StoreError> {
        results.rows().map(|mut row| Ok(ClientPair::of(row.id()?, row.id()?))).collect()
    };
    let (decided, moved) = (pairs()?, pairs()?);
    Ok(OperatorAnswer::ComparisonStart(ComparisonStart { last_commit_at: version.last_commit_at, decided, moved }))
}

/// Clients by id.
pub(super) async fn clients_by_id<D: Driver>(
    command: &Command<'_, D>,
    account: Uuid,
    after: Uuid,
    limit: u32,
) -> CommandResult {
    let names = [("account", bind::id(account)), ("after", bind::id(after)), ("rows", limit.into())];
    clients(command, account, vec![queries::CLIENTS_BY_ID.bind(names)]).await
}

/// Clients with these ids.
pub(super) async fn clients_of_ids<D: Driver>(command: &Command<'_, D>, account: Uuid, ids: &[Uuid]) -> CommandResult {
    let rows = ids.iter().map(|id| [bind::id(account), bind::id(*id)]);
    clients(command, account, queries::CLIENTS_OF_IDS.bind_rows(&["account", "id"], rows)).await
}

async fn clients<D: Driver>(command: &Command<'_, D>, account: Uuid, reads: Vec<Statement>) -> CommandResult {
    let batch = [vec![queries::ACCOUNT.bind([("account", bind::id(account))])], reads].concat();
    let mut results = command.read(&batch).await?;
    results.row().ok_or(Refusal::NoAccount)?;
    let clients = results.rows_of(batch.len()).map(|mut row| row.client()).collect::<Result<Vec<Client>, _>>()?;
    Ok(OperatorAnswer::Clients(clients, None))
}

/// Keeps what a comparison found.
pub(super) async fn keep<D: Driver>(
    command: &Command<'_, D>,
    account: Uuid,
    found: &[FoundPair],
    last_commit_at: Timestamp,
) -> CommandResult {
    let names = || ("account", bind::id(account));
    let now = || bind::time(command.entry.at);
    let digits = found.iter().map(|found| found.pair.ids().map(|id| format!("{:X}", id.simple())).concat());
    let drop = queries::DROP_SIMILAR_PAIRS.bind([names(), ("found", bind::texts(digits).into())]);
    let rows = found.iter().map(|found| {
        let [client, other] = found.pair.ids().map(bind::id);
        [bind::id(account), client, other, Value::from(found.reasons_text()), now()]
    });
    let mut batch = vec![queries::REQUIRE_ACCOUNT.bind([names()]), drop];
    batch.extend(queries::KEEP_SIMILAR_PAIRS.bind_rows(&["account", "client", "other", "reasons", "now"], rows));
    batch.push(queries::NOTE_COMPARISON.bind([
        names(),
        ("now", now()),
        ("last_commit_at", bind::time(last_commit_at)),
    ]));
    let written = batch.len();
    batch.push(queries::COUNT_SIMILAR_PAIRS.bind([names()]));
    let account_row = command.read(&[queries::ACCOUNT.bind([names()])]).await?.row();
    account_row.ok_or(Refusal::NoAccount)?;
    let results = command.driver.run(&batch).await;
    let mut results = ResultSets::new(results.map_err(|error| write_error(command.driver.isolation(), error))?);
    let mut count = results.skip(written).row().ok_or_else(|| unexpected("a count"))?;
    Ok(OperatorAnswer::Compared(usize::try_from(count.integer()?).unwrap_or_default()))
}

/// The accounts that are due for a comparison.
pub(super) async fn due<D: Driver>(command: &Command<'_, D>, compared_before: Timestamp, limit: u32) -> CommandResult {
    let names = [("compared_before", bind::time(compared_before)), ("rows", limit.into())];
    let mut results = command.read(&[queries::DUE_ACCOUNTS.bind(names)]).await?;
    let due = results.rows().map(|mut row| row.id()).collect::<Result<_, _>>()?;
    Ok(OperatorAnswer::Due(due))
}
