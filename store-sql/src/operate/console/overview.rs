//! What the first page of the console counts (S35).

use matterbook_core::{
    id::IdMint,
    order,
    store::{ConsoleAnswer, DayCounts, DaySource, Overview, OverviewQuery, SourceCounts, SourceKind, StoreError, View},
    time::Timestamp,
};
use uuid::Uuid;

use super::{Answered, Asked, Denied};
use crate::{
    bind,
    client_page::horizon,
    driver::{Driver, Value, unpack},
    operate::keys,
    queries,
    read::{Row, unexpected},
};

/// The most settlements and prospects that are counted.
const COUNTED_MAX: u32 = 10_000;

/// A commit may be so much later than its request, where an earlier commit's clock was ahead.
const LATER_SECONDS: i64 = 3_600;

pub(super) async fn overview<D: Driver>(asked: &Asked<'_, D>, query: &OverviewQuery) -> Answered {
    let days = query.days.iter().map(|(day, from, to)| {
        let [first, last] = requests_between(from.plus_seconds(-LATER_SECONDS), *to);
        [bind::date(*day), bind::id(asked.owner.account), first, last, bind::time(*from), bind::time(*to)]
    });
    let names = ["day", "account", "first_request", "last_request", "from_time", "to_time"];
    let days = queries::DAY_COUNTS.bind_rows(&names, days);
    let day_statements = days.len();
    let view = View { now: query.now, delay_seconds: query.prospect_delay_seconds };
    let [delayed, trusted_until, everything] = horizon(&view, None);
    let others = vec![
        queries::SETTLEMENTS_BEGUN.bind([
            asked.account(),
            ("since", bind::time(query.month_start)),
            ("rows", COUNTED_MAX.into()),
        ]),
        queries::COUNT_REVIEW_ITEMS.bind([
            asked.account(),
            ("seen_since", bind::time(query.review_since)),
            ("rows", COUNTED_MAX.into()),
        ]),
        queries::COUNT_SIMILAR_PAIRS.bind([asked.account()]),
        queries::KEYS_OF_ACCOUNT.bind([asked.account()]),
        queries::CONSOLE_NEW_PROSPECTS.bind([
            asked.account(),
            ("added_since", bind::time(query.week_start)),
            delayed,
            trusted_until,
            everything,
            ("rows", COUNTED_MAX.into()),
        ]),
    ];
    let mut results = asked.read([days, others].concat()).await?;
    let found: Vec<DayCounts> = results.rows_of(day_statements).map(day_counts).collect::<Result<_, _>>()?;
    let mut settlements = results.row().ok_or_else(|| unexpected("counts"))?;
    let count = |value: Option<i64>| u32::try_from(value.unwrap_or_default()).unwrap_or(u32::MAX);
    let with_letters = count(settlements.optional_integer()?);
    let without_letters = count(settlements.optional_integer()?);
    let waiting = count(results.row().map(|mut row| row.integer()).transpose()?);
    let similar = count(results.row().map(|mut row| row.integer()).transpose()?);
    let keys = results.rows().map(keys::key).collect::<Result<Vec<_>, _>>()?;
    // Several databases give a number each.
    let new_prospects = results.rows().map(|mut row| row.integer()).sum::<Result<_, _>>()?;
    // The days come back in their order.
    let of = |day| found.iter().find(|counts| counts.day == day).cloned().ok_or_else(|| unexpected("a day"));
    Ok(ConsoleAnswer::Overview(Box::new(Overview {
        days: query.days.iter().map(|(day, ..)| of(*day)).collect::<Result<_, StoreError>>().map_err(Denied::from)?,
        settlements_with_letters: with_letters,
        settlements_without_letters: without_letters,
        waiting,
        similar,
        new_prospects: if asked.owner.flags.digital_bundle { count(Some(new_prospects)) } else { 0 },
        unused_keys: keys.into_iter().filter(|key| query.is_unused(key)).collect(),
    })))
}

/// The first and the last id of requests between two times.
fn requests_between(from: Timestamp, to: Timestamp) -> [Value; 2] {
    let prefix = |time: Timestamp| IdMint::new(time, [0; 10]).id(0).into_bytes();
    let [a, b, c, d, e, f, ..] = prefix(from);
    let first = Uuid::from_bytes([a, b, c, d, e, f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let [a, b, c, d, e, f, ..] = prefix(to);
    let last = Uuid::from_bytes([a, b, c, d, e, f, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255]);
    [bind::id(first), bind::id(last)]
}

/// A row of `sql/day_counts.sql`: the day, and its sources as a JSON array.
fn day_counts(mut row: Row) -> Result<DayCounts, StoreError> {
    let day = row.date()?;
    let sources: String = row.text()?;
    let sources = unpack(&sources).map_err(|_| unexpected("the sources of a day"))?;
    let mut sources = sources.into_iter().map(source).collect::<Result<Vec<_>, _>>()?;
    order::sort_by(&mut sources, |one, other| (one.kind, &one.name).cmp(&(other.kind, &other.name)));
    Ok(DayCounts { day, sources })
}

fn source(values: Vec<Value>) -> Result<DaySource, StoreError> {
    let mut row = Row::of_values(values);
    let kind = usize::try_from(row.integer()?).ok().and_then(|kind| SourceKind::ALL.get(kind).copied());
    let kind = kind.ok_or_else(|| unexpected("a kind of source"))?;
    let name = row.optional_text()?;
    let count = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    let (created, changed) = (count(row.integer()?), count(row.integer()?));
    Ok(DaySource { kind, name, counts: SourceCounts { created, changed } })
}
