//! A page of clients as they stood at the horizon (S8), at a bounded cost (S10).
//!
//! A client that did not change after the horizon is shown as it is, the others as an earlier state
//! that is kept of them. These are two statements over two indexes, each in the order of the page, and
//! are merged here. In SQL the merge would be one statement, which takes D1 longer to prepare than to
//! run.
//!
//! A page of 100 reads about 110 rows where no earlier state is shown: none is kept, or all are of
//! before the horizon. Otherwise it reads up to 130 states besides, among them those that it passes
//! over because nobody can be shown them any more: 250 rows at most.

use std::sync::LazyLock;

use matterbook_core::{
    client::Client,
    key::KeyDigest,
    order::sorted_by,
    store::{ClientPage, ClientPageQuery, Position, StoreError, View},
    time::Timestamp,
};

use crate::{
    bind,
    driver::{Driver, Statement, Value},
    holder, queries,
    query::Query,
    read::Results,
};

/// How many earlier states a page looks at besides as many as it may show. Beyond them it is short,
/// and goes on.
const LOOK_ROWS_MORE: u32 = 30;

/// The most states that are followed back from a client as it is now.
const LOOK_ROWS_OF_ONE: u32 = 10_000;

/// Reads a page; `None` for a key that is not live.
pub(crate) async fn page<D: Driver>(
    driver: &D,
    key: &KeyDigest,
    query: &ClientPageQuery,
) -> Result<Option<ClientPage>, StoreError> {
    let after = match (query.after, query.updated_since) {
        (Some(after), Some(since)) if after.at < since => None,
        (after, _) => after,
    };
    // A place before every row of a time is the time with an empty id.
    let (after_at, after_id) = match (after, query.updated_since) {
        (None, Some(since)) => (bind::time(since), Value::from("")),
        (after, _) => bind::place(after),
    };
    let pages = match &query.external_id {
        Some(external_id) => vec![one(key, query, external_id, after_at, after_id)],
        None => all(key, query, after_at, after_id),
    };
    let count = pages.len();
    let mut results = Results::of(driver, &[vec![holder::statement(key)], pages].concat()).await?;
    let Some((holder, _)) = holder::live(&mut results)? else { return Ok(None) };
    let mut rows = looked(&mut results)?;
    if count > 1 {
        let mut states = looked(&mut results)?;
        if states.len() == usize::try_from(look_rows(query)).unwrap_or(usize::MAX)
            && let Some(last) = states.last_mut()
        {
            last.ends_look = true;
        }
        rows.extend(states);
    }
    let (clients, next) = cut::<Client>(rows, query.limit);
    Ok(Some(ClientPage { holder, clients, next }))
}

/// The most states that a page looks at.
fn look_rows(query: &ClientPageQuery) -> u32 {
    query.limit + LOOK_ROWS_MORE
}

/// What the next statement found.
fn looked(results: &mut Results) -> Result<Vec<Looked<Client>>, StoreError> {
    let rows = results.rows();
    let mut found = Vec::with_capacity(rows.len());
    for mut row in rows {
        let client = row.client()?;
        let place = Position { at: client.updated_at, id: client.id };
        found.push(Looked { row: client, place, is_shown: row.flag()?, ends_look: false });
    }
    Ok(found)
}

/// The statements of a page of all clients: those that stand as they did at the horizon, and where
/// there is a delay the earlier states of the others. Each goes far enough to fill the page by itself,
/// where all that it looks at is shown.
fn all(key: &KeyDigest, query: &ClientPageQuery, after_at: Value, after_id: Value) -> Vec<Statement> {
    let mut pages = vec![&queries::CLIENT_PAGE];
    if query.view.delay_seconds > 0 {
        pages.push(&queries::CLIENT_STATE_PAGE);
    }
    let statement = |page: &&'static LazyLock<Query>| {
        let [delayed, trusted_until, everything] = horizon(&query.view);
        page.bind([
            ("key", key.to_text().into()),
            delayed,
            trusted_until,
            everything,
            ("after_at", after_at.clone()),
            ("after_id", after_id.clone()),
            ("look_rows", look_rows(query).into()),
            ("rows", (query.limit + 1).into()),
        ])
    };
    pages.iter().map(statement).collect()
}

/// The statement of the page that one client is on at most.
fn one(key: &KeyDigest, query: &ClientPageQuery, external_id: &str, after_at: Value, after_id: Value) -> Statement {
    let [delayed, trusted_until, everything] = horizon(&query.view);
    queries::CLIENT_PAGE_BY_EXTERNAL_ID.bind([
        ("key", key.to_text().into()),
        delayed,
        trusted_until,
        everything,
        ("external_id", external_id.into()),
        ("after_at", after_at),
        ("after_id", after_id),
        ("look_rows", LOOK_ROWS_OF_ONE.into()),
    ])
}

/// The parameters of the shared texts `horizon` and `prospect_horizon`: [`View::horizon`], of which
/// only the comparison with the last commit is left to the unit that reads.
pub(crate) fn horizon(view: &View) -> [(&'static str, Value); 3] {
    let trusted_until = view.now.plus_seconds(View::CLOCK_TOLERANCE_SECONDS);
    [
        ("delayed", bind::time(view.horizon(Timestamp::default()))),
        ("trusted_until", bind::time(trusted_until)),
        ("everything", bind::time(Timestamp::MAX)),
    ]
}

/// A row that a page looked at.
pub(crate) struct Looked<R> {
    pub(crate) row: R,
    pub(crate) place: Position,
    /// `false` for a row that is here only because the look ends with it.
    pub(crate) is_shown: bool,
    /// The look ends here: what follows was not looked at.
    pub(crate) ends_look: bool,
}

/// Cuts what was looked at to a page, and says where to go on.
pub(crate) fn cut<R>(rows: Vec<Looked<R>>, limit: u32) -> (Vec<R>, Option<Position>) {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut page = Vec::with_capacity(limit.min(rows.len()));
    let mut passed = None;
    for looked in sorted_by(rows, |one, other| one.place.cmp(&other.place)) {
        if looked.is_shown && page.len() == limit {
            return (page, passed);
        }
        passed = Some(looked.place);
        if looked.is_shown {
            page.push(looked.row);
        }
        if looked.ends_look {
            return (page, passed);
        }
    }
    (page, None)
}
