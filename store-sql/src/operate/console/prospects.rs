//! A page of the prospects that a person looks for (S9, S10, S35).

use matterbook_core::{
    order,
    store::{ConsoleAnswer, Position, ProspectSearch},
};

use super::{Answered, Asked};
use crate::{bind, client_page::horizon, driver::Driver, paginator::Paginator, prospect_row, queries};

/// The most prospects that a page looks at, shown or not.
const SCAN_ROWS: u32 = 5_000;

pub(super) async fn list<D: Driver>(asked: &Asked<'_, D>, search: &ProspectSearch) -> Answered {
    let [delayed, trusted_until, everything] = horizon(&search.view, None);
    let (before_at, before_id) = bind::before(search.after);
    let (after_at, after_id) = bind::place(search.after);
    let page =
        if search.oldest_first { &queries::CONSOLE_PROSPECTS_OLDEST } else { &queries::CONSOLE_PROSPECTS_NEWEST };
    let page = page.bind([
        asked.account(),
        delayed,
        trusted_until,
        everything,
        ("before_at", before_at),
        ("before_id", before_id),
        ("after_at", after_at),
        ("after_id", after_id),
        ("added_since", bind::time(search.added_since.unwrap_or_default())),
        ("fips", search.fips.as_deref().into()),
        ("crash_from", search.crash_from.map(bind::date).into()),
        ("crash_to", search.crash_to.map(bind::date).into()),
        ("injury_severity", search.injury_severity.as_deref().into()),
        ("scan_rows", SCAN_ROWS.into()),
        ("rows", (search.limit + 1).into()),
    ]);
    let grants = queries::GRANTS_OF_ACCOUNTS.bind_rows(&["account"], [[bind::id(asked.owner.account)]]);
    let mut results = asked.read([grants, vec![page]].concat()).await?;
    let mut grants = Vec::new();
    for mut row in results.rows() {
        row.value();
        grants.push(row.grant()?);
    }
    order::sort_by(&mut grants, Ord::cmp);
    let mut rows = Vec::new();
    for mut row in results.rows() {
        let prospect = prospect_row::read(&mut row)?;
        let place = Position { at: prospect.added_at, id: prospect.id };
        rows.push((place, row.flag()?, row.flag()?, prospect));
    }
    order::sort_by_key(&mut rows, |row| row.0);
    if !search.oldest_first {
        rows.reverse();
    }
    let mut page = Paginator::to(search.limit);
    let mut shown = Vec::new();
    for (place, is_shown, ends_scan, prospect) in rows {
        if page.takes(place, is_shown && search.admits(&prospect), ends_scan) {
            shown.push(prospect);
        }
    }
    Ok(ConsoleAnswer::Prospects(grants, shown, page.next()))
}
