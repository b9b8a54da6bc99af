//! A page of clients as they stood at the horizon (S8), at a bounded cost (S10).
//!
//! A client that did not change after the horizon is shown as it is, the others as an earlier state
//! that is kept of them. These are statements over two tables, each in the order of the page, and
//! are merged here: the states are kept, of which there are seldom any, and the clients shown as the
//! database hands them out. In SQL the merge would be one statement, which takes D1 longer to prepare than to
//! run.
//!
//! A page of 100 reads about 110 rows if it shows no earlier state: all were superseded before the horizon. Otherwise
//! it also reads up to 130 states of each of two periods, including dead ones, which it skips because no page can show
//! them: 380 rows at most.

use std::{collections::VecDeque, sync::LazyLock};

use matterbook_core::{
    client::{Client, ClientOf},
    key::KeyDigest,
    matching::hashes_of_full_name,
    store::{ClientFilter, ClientPageEnd, ClientPageQuery, Position, ShowClient, StoreError, View},
    time::Timestamp,
};

use crate::{
    bind,
    commit::period_mask,
    driver::{Driver, Statement, Value},
    key_owner,
    paginator::{Paginator, ScannedRow},
    queries,
    query::Query,
    read::RowRef,
};

/// How many earlier states a page looks at besides as many as it may show. Beyond them it is short,
/// and goes on.
const SCAN_ROWS_MORE: u32 = 30;

/// How many clients a page with a filter looks at. An account of usual size needs two pages at most, and
/// SQLite reads them in a few milliseconds.
pub(crate) const CLIENTS_FILTERED: u32 = 10_000;

/// How many earlier states a page with a filter looks at. Their texts come out of the database.
const STATES_FILTERED: u32 = 500;

/// The most states that are followed back from a client as it is now.
const SCAN_ROWS_OF_ONE: u32 = 10_000;

/// Reads a page; `None` for a key that is not live.
pub(crate) async fn page<D: Driver>(
    driver: &D,
    key: &KeyDigest,
    query: &ClientPageQuery,
    show: &mut ShowClient<'_>,
) -> Result<Option<ClientPageEnd>, StoreError> {
    let after = match (query.after, query.updated_since) {
        (Some(after), Some(since)) if after.at < since => None,
        (after, _) => after,
    };
    // A place before every row of a time is the time with an empty id.
    let (after_at, after_id) = match (after, query.updated_since) {
        (None, Some(since)) => (bind::time(since), Value::from("")),
        (after, _) => bind::place(after),
    };
    let filter = &query.filter;
    let pages = match (filter.id, &filter.external_id) {
        (Some(id), _) => vec![one(&queries::CLIENT_PAGE_BY_ID, ("id", bind::id(id)), key, query, after_at, after_id)],
        (None, Some(external_id)) => {
            let external_id = ("external_id", external_id.as_str().into());
            let page = |page| one(page, external_id.clone(), key, query, after_at.clone(), after_id.clone());
            vec![page(&queries::CLIENT_PAGE_BY_EXTERNAL_ID), page(&queries::CLIENT_PAGE_BY_ALIAS)]
        }
        (None, None) => several(key, query, after_at, after_id),
    };
    // Of several clients, the earlier states come first. One client comes by its own external id or by an alias.
    let clients = if filter.is_of_one() { 1 } else { pages.len() };
    let batch = [vec![key_owner::statement(key, query.view.now)], pages].concat();
    let mut found = None;
    let mut page = Page { paginator: Paginator::to(query.limit), filter, states: VecDeque::new(), read: (0, 0), show };
    driver
        .read(&batch, |statement, values| {
            let mut row = RowRef::of(values);
            match statement {
                0 => found = Some(key_owner::live(row.into_row())?),
                _ if statement < clients => page.keep(statement, &mut row, query)?,
                _ => page.pass(&mut row, statement > clients)?,
            }
            Ok(())
        })
        .await?;
    let next = page.end();
    Ok(found.map(|found| {
        let seen_until = query.seen_until(found.last_commit_at);
        ClientPageEnd { key_owner: found.owner, seen_until, next }
    }))
}

/// A page on its way: its earlier states have been read, and the clients that did not change come one by one.
struct Page<'a, 'show> {
    paginator: Paginator,
    filter: &'a ClientFilter,
    states: VecDeque<ScannedRow<Client>>,
    /// The statement that is read, and how many states it gave.
    read: (usize, u32),
    show: &'a mut ShowClient<'show>,
}

impl Page<'_, '_> {
    /// Takes in a state. Those of one statement come in the order of the page.
    fn keep(&mut self, statement: usize, row: &mut RowRef<'_>, query: &ClientPageQuery) -> Result<(), StoreError> {
        let client = row.client()?.to_client();
        // Of an account whose last commit is to be trusted, or its states would not be read.
        let is_current = row.time()? > query.horizon(Timestamp::default());
        let is_shown = is_current && self.filter.admits(&client.borrowed());
        let before = if self.read.0 == statement { self.read.1 } else { 0 };
        self.read = (statement, before + 1);
        let ends_scan = before + 1 == scan_rows(query);
        let place = place_of(&client);
        let at = self.states.partition_point(|state| state.place < place);
        self.states.insert(at, ScannedRow { place, row: client, is_shown, ends_scan });
        Ok(())
    }

    /// Takes in a client that did not change, in the order of the page, after the states before it.
    fn pass(&mut self, row: &mut RowRef<'_>, is_by_alias: bool) -> Result<(), StoreError> {
        let client = row.client()?;
        let place = place_of(&client);
        self.pass_states(|state| state.place < place);
        // Only a statement that looks for some clients says what it has looked at.
        let is_scan = !self.filter.is_open() && !self.filter.is_of_one();
        let (is_candidate, ends_scan) = if is_scan { (row.flag()?, row.flag()?) } else { (true, false) };
        let admits = if is_by_alias { self.filter.admits_by_alias(&client) } else { self.filter.admits(&client) };
        if self.paginator.takes(place, is_candidate && admits, ends_scan) {
            (self.show)(client);
        }
        Ok(())
    }

    fn pass_states(&mut self, is_next: impl Fn(&ScannedRow<Client>) -> bool) {
        while let Some(state) = self.states.front().filter(|state| is_next(state)) {
            if self.paginator.takes(state.place, state.is_shown, state.ends_scan) {
                (self.show)(state.row.borrowed());
            }
            self.states.pop_front();
        }
    }

    /// Where to go on.
    fn end(mut self) -> Option<Position> {
        self.pass_states(|_| true);
        self.paginator.next()
    }
}

fn place_of<Text>(client: &ClientOf<Text>) -> Position {
    Position { at: client.updated_at, id: client.id }
}

/// The most states of a period that a page looks at.
fn scan_rows(query: &ClientPageQuery) -> u32 {
    if query.filter.is_open() { query.limit + SCAN_ROWS_MORE } else { STATES_FILTERED }
}

/// The statements of a page of several clients: where there is a delay the earlier states of those that
/// changed after the horizon, then the others. Each goes far enough to fill the page by itself,
/// where all that it looks at is shown.
fn several(key: &KeyDigest, query: &ClientPageQuery, after_at: Value, after_id: Value) -> Vec<Statement> {
    let horizon_at = query.horizon(Timestamp::default());
    let mask = period_mask(query.view.delay_seconds);
    let mut periods = [horizon_at, trusted_until(&query.view)].map(|at| at.micros() & mask).to_vec();
    periods.dedup();
    if query.view.delay_seconds == 0 {
        periods.clear();
    }
    let filter = &query.filter;
    let clients = if filter.is_open() { &queries::CLIENT_PAGE } else { &queries::CLIENT_PAGE_FILTERED };
    let statement = |page: &'static LazyLock<Query>, period: Value, scan_rows: u32| {
        let [delayed, trusted_until, everything] = horizon(&query.view, query.seen_until);
        let hashes = filter.name.as_deref().map(|name| format!("{:?}", hashes_of_full_name(name)));
        page.bind([
            ("key", key.to_text().into()),
            delayed,
            trusted_until,
            everything,
            ("period", period),
            ("after_at", after_at.clone()),
            ("after_id", after_id.clone()),
            ("scan_rows", scan_rows.into()),
            ("rows", (query.limit + 1).into()),
            ("email", filter.email.as_deref().into()),
            ("phone", filter.phone.as_deref().into()),
            ("name_hashes", hashes.as_deref().into()),
        ])
    };
    let states =
        periods.into_iter().map(|period| statement(&queries::CLIENT_STATE_PAGE, period.into(), scan_rows(query)));
    states.chain([statement(clients, Value::Null, CLIENTS_FILTERED)]).collect()
}

/// A later commit shows that a clock was wrong.
fn trusted_until(view: &View) -> Timestamp {
    view.now.plus_seconds(View::CLOCK_TOLERANCE_SECONDS)
}

/// The statement of the page that one client is on at most.
fn one(
    page: &'static LazyLock<Query>,
    client: (&'static str, Value),
    key: &KeyDigest,
    query: &ClientPageQuery,
    after_at: Value,
    after_id: Value,
) -> Statement {
    let [delayed, trusted_until, everything] = horizon(&query.view, query.seen_until);
    page.bind([
        ("key", key.to_text().into()),
        delayed,
        trusted_until,
        everything,
        client,
        ("after_at", after_at),
        ("after_id", after_id),
        ("scan_rows", SCAN_ROWS_OF_ONE.into()),
    ])
}

/// The parameters of the shared texts `horizon` and `prospect_horizon`: [`View::horizon`], and no
/// earlier than what was seen, of which only the comparison with the last commit is left to the unit
/// that reads.
pub(crate) fn horizon(view: &View, seen_until: Option<Timestamp>) -> [(&'static str, Value); 3] {
    [
        ("delayed", bind::time(view.horizon(Timestamp::default()).max(seen_until.unwrap_or_default()))),
        ("trusted_until", bind::time(trusted_until(view))),
        ("everything", bind::time(Timestamp::MAX)),
    ]
}
