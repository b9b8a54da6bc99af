//! What waits for review (S20): what a request writes of it, and the page that shows it.

use matterbook_core::{
    json::{Malformed, Scanner},
    normalize::FieldValue,
    store::{
        ChangeRequest, NewReviewItem, Position, REVIEW_ITEMS_MAX, REVIEW_SEEN_EVERY_SECONDS, ReviewChange, ReviewItem,
        ReviewStatus, StoreError,
    },
    time::Timestamp,
};
use uuid::Uuid;

use crate::{
    bind, change_state,
    commit::Author,
    driver::Statement,
    history::author,
    queries,
    read::{Row, unexpected},
};

/// Items that a request may delete besides those for the ones that it adds.
const SWEEP_ROWS: usize = 8;

/// What a request does to what waits.
pub(crate) fn statements(
    request: &ChangeRequest,
    account_id: i64,
    by: Author<'_>,
    change: ReviewChange,
) -> Vec<Statement> {
    let mut statements = Vec::new();
    if !change.gone.is_empty() {
        statements.push(
            queries::REMOVE_REVIEW_ITEMS.bind([("account_id", account_id.into()), ("ids", ids(&change.gone).into())]),
        );
    }
    if change.items.is_empty() {
        return statements;
    }
    let added = change.items.len();
    let seen_before = request.now.plus_seconds(-REVIEW_SEEN_EVERY_SECONDS);
    let rows = change.items.into_iter().enumerate().map(|(place, item)| {
        let NewReviewItem { id, status, message, sent, content, candidates, name_hash } = item;
        [
            account_id.into(),
            bind::id(id),
            i64::try_from(place + 1).unwrap_or(i64::MAX).into(),
            status.name().into(),
            message.into(),
            sent.into(),
            bind::id(content),
            ids(&candidates).into(),
            name_hash.into(),
            bind::id(request.request_id),
            by.api_key_id(),
            by.login_id(),
            by.import_id(),
            bind::time(request.now),
            bind::time(seen_before),
        ]
    });
    let names = [
        "account_id",
        "id",
        "place",
        "status",
        "message",
        "sent",
        "content",
        "candidates",
        "name_hash",
        "request_id",
        "api_key_id",
        "login_id",
        "import_id",
        "now",
        "seen_before",
    ];
    statements.extend(queries::PUT_REVIEW_ITEMS.bind_rows(&names, rows));
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    statements.push(queries::SWEEP_REVIEW_ITEMS.bind([
        ("account_id", account_id.into()),
        ("sweep_rows", count(added + added / 2 + SWEEP_ROWS).into()),
        ("seen_since", bind::time(request.retention.review_since(request.now))),
        ("items_max", count(REVIEW_ITEMS_MAX).into()),
    ]));
    statements
}

/// Reads which of the items that a request may concern are kept. The account is known where it was read before.
pub(crate) fn waiting(request: &ChangeRequest, account_id: Option<i64>) -> Vec<Statement> {
    let key = change_state::key(request);
    let rows = request.review_ids().into_iter().map(|id| [account_id.into(), key.clone(), bind::id(id)]);
    queries::WAITING_ITEMS.bind_rows(&["account_id", "key", "id"], rows)
}

/// Reads a page of what waits.
pub(crate) fn page(account: Uuid, seen_since: Timestamp, before: Option<Position>, limit: u32) -> Statement {
    queries::REVIEW_PAGE.bind([
        ("account", bind::id(account)),
        ("before", bind::time(before.map_or(Timestamp::MAX, |before| before.at))),
        ("seen_since", bind::time(seen_since)),
        ("rows", (limit + 1).into()),
    ])
}

/// An item that [`page`] read, and its place.
pub(crate) fn read(mut row: Row) -> Result<(ReviewItem, Position), StoreError> {
    read_item(&mut row)
}

/// An item that was read by its id, and whether it waits.
pub(crate) fn read_kept(mut row: Row) -> Result<(ReviewItem, bool), StoreError> {
    let (item, _) = read_item(&mut row)?;
    Ok((item, row.flag()?))
}

fn read_item(row: &mut Row) -> Result<(ReviewItem, Position), StoreError> {
    let id = row.id()?;
    let place = Position { at: row.time()?, id };
    let status = ReviewStatus::of_name(&row.text::<String>()?).ok_or_else(|| unexpected("a status"))?;
    let (message, sent, content) = (row.text()?, row.optional_text()?, row.id()?);
    let mut candidates = Vec::new();
    Scanner::new(&row.text::<String>()?)
        .array(|id| match id.value()? {
            FieldValue::Text(id) => {
                candidates.push(Uuid::try_parse(&id).map_err(|_| Malformed)?);
                Ok(())
            }
            _ => Err(Malformed),
        })
        .map_err(|Malformed| unexpected("ids"))?;
    let item = NewReviewItem { id, status, message, sent, content, candidates, name_hash: row.optional_integer()? };
    let (request_id, import_id) = (row.id()?, row.optional_id()?);
    let (first_seen_at, last_seen_at) = (row.time()?, row.time()?);
    Ok((ReviewItem { item, by: author(row)?, request_id, import_id, first_seen_at, last_seen_at }, place))
}

/// A JSON array of ids, each as 32 digits.
pub(crate) fn ids(ids: &[Uuid]) -> String {
    bind::texts(ids.iter().map(|id| id.simple().to_string()))
}
