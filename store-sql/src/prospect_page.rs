//! A page of the prospects that an account's grants show (S9), at a bounded cost (S10).
//!
//! A page reads about four rows for each county and crash year that the grants open, and six for each
//! prospect that it looks at. One that cannot be filled reads up to as many again, to find where its
//! scan ended.

use std::cmp::Reverse;

use matterbook_core::{
    key::KeyDigest,
    order,
    store::{Position, ProspectOrder, ProspectPage, ProspectPageQuery, StoreError},
};

use crate::{
    bind,
    client_page::horizon,
    driver::Driver,
    key_owner::{self, LiveKey},
    paginator::{ScannedRow, paginate},
    prospect_row, queries,
    read::ResultSets,
};

/// The most prospects that a page from the oldest on looks at, shown or not.
const SCAN_ROWS: u32 = 1_000;

/// The most prospects that the newest are looked for among: there is no place to go on from.
const SCAN_ROWS_NEWEST: u32 = 50_000;

/// Reads a page; `None` for a key that is not live.
pub(crate) async fn page<D: Driver>(
    driver: &D,
    key: &KeyDigest,
    query: &ProspectPageQuery,
) -> Result<Option<ProspectPage>, StoreError> {
    let [delayed, trusted_until, everything] = horizon(&query.view, None);
    let page = match query.order {
        ProspectOrder::Oldest { after } => {
            let (after_at, after_id) = bind::place(after);
            queries::PROSPECTS_OLDEST.bind([
                ("key", key.to_text().into()),
                delayed,
                trusted_until,
                everything,
                ("after_at", after_at),
                ("after_id", after_id),
                ("scan_rows", SCAN_ROWS.into()),
                ("rows", (query.limit + 1).into()),
            ])
        }
        ProspectOrder::Newest { added_since } => queries::PROSPECTS_NEWEST.bind([
            ("key", key.to_text().into()),
            delayed,
            trusted_until,
            everything,
            ("added_since", bind::time(added_since)),
            ("scan_rows", SCAN_ROWS_NEWEST.into()),
            ("rows", query.limit.into()),
        ]),
    };
    let batch =
        [key_owner::statement(key, query.view.now), queries::GRANTS.bind([("key", key.to_text().into())]), page];
    let mut results = ResultSets::of(driver, &batch).await?;
    let Some(LiveKey { owner: key_owner, .. }) = results.row().map(key_owner::live).transpose()? else {
        return Ok(None);
    };
    let grants = results.rows().map(|mut row| row.grant()).collect::<Result<_, _>>()?;
    let mut rows = Vec::new();
    for mut row in results.rows() {
        let prospect = prospect_row::read(&mut row)?;
        let place = Position { at: prospect.added_at, id: prospect.id };
        rows.push(ScannedRow { row: prospect, place, is_shown: row.flag()?, ends_scan: row.flag()? });
    }
    let (prospects, next) = match query.order {
        ProspectOrder::Oldest { .. } => paginate(rows, query.limit),
        ProspectOrder::Newest { .. } => {
            order::sort_by_key(&mut rows, |row| Reverse(row.place));
            // Several databases give a page each.
            rows.truncate(query.limit as usize);
            (rows.into_iter().map(|row| row.row).collect(), None)
        }
    };
    Ok(Some(ProspectPage { key_owner, grants, prospects, next }))
}
