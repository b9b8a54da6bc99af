//! External ids that nobody has, told by the gaps between those that somebody has.
//!
//! A case system numbers its clients in turn, so the new ones of a batch mostly lie side by side, between two
//! known ones or after them all. The first known id at or after one of them tells that nobody has any of those
//! before it: one look instead of hundreds.

use matterbook_core::{SmolStr, store::StoreError};

use crate::{change::wanted::Wanted, driver::Driver, queries, read::Results};

/// The fewest wants of a gap that is worth its look.
const GAP_WANTS: usize = 3;

/// Those of the wants whose external ids somebody may have, in their order.
///
/// Where gaps are too small to be worth it, ever more wants are passed over before the next one is looked
/// for: of 500 known ones nine, and of any others at most twice as many looks as there are gaps that were.
pub(super) async fn without_strangers<'w, D: Driver>(
    driver: &D,
    account_id: i64,
    mut wanted: Vec<Wanted<'w>>,
) -> Result<Vec<Wanted<'w>>, StoreError> {
    wanted.sort_unstable_by_key(|wanted| wanted.external_id);
    let mut rest = wanted.as_slice();
    let mut kept = Vec::new();
    let mut passed_over = 1;
    while let Some(first) = rest.first() {
        let next = next_external_id(driver, account_id, first).await?;
        let gap = match &next {
            Some(next) => rest.partition_point(|wanted| wanted.external_id < Some(next)),
            None => rest.len(),
        };
        passed_over = if gap < GAP_WANTS { 2 * passed_over } else { 1 };
        let (_, after) = rest.split_at_checked(gap).unwrap_or_default();
        let (unsure, after) = after.split_at_checked(passed_over).unwrap_or((after, &[]));
        kept.extend_from_slice(unsure);
        rest = after;
    }
    Ok(kept)
}

async fn next_external_id<D: Driver>(
    driver: &D,
    account_id: i64,
    wanted: &Wanted<'_>,
) -> Result<Option<SmolStr>, StoreError> {
    let external_id = wanted.external_id.cloned();
    let values = [("account_id", account_id.into()), ("external_id", external_id.into())];
    let mut results = Results::of(driver, &[queries::NEXT_EXTERNAL_ID.bind(values)]).await?;
    results.row().map(|mut row| row.text()).transpose()
}
