//! A look whose batches see one state of the database with each other: what one finds decides what the next
//! asks for.

mod gaps;
mod wanted;

use matterbook_core::{
    store::{ChangeRequest, StoreError},
    time::Timestamp,
};

use super::{
    Roster, external_ids,
    look::{Met, Seen, given, seen, tombstones, tombstones_of},
    roster::Left,
    wanted::Wanted,
};
use crate::{
    driver::{Driver, Statement},
    holder,
    read::{Results, RowRef},
};

/// So many external ids are looked up before it is decided how the others are.
const SAMPLE_WANTS: usize = 16;

/// Looks at everything that the request's wants meet; `None` for an unknown key. `who` asks for the key, of
/// which `key` is the text; `settles` says whether a want does.
pub(super) async fn look<D: Driver>(
    driver: &D,
    roster: Option<&Roster>,
    request: &ChangeRequest,
    who: Statement,
    key: &str,
    settles: bool,
) -> Result<Option<Seen>, StoreError> {
    let mut results = Results::of(driver, &[who]).await?;
    let Some(row) = results.row() else { return Ok(None) };
    let found = holder::read(row)?;
    let account_id = found.ground.account_id;
    let row_by_row = |wanted: &[Wanted<'_>]| wanted::row_by_row(account_id, key, settles, wanted);
    let mut met = Met::default();
    // Before its first commit an account has nobody to meet.
    if found.ground.last_commit_at > Timestamp::from_micros(0) {
        // Most are found by their external ids, and nobody needs to be looked for by name then.
        let mut wanted = wanted::external_ids(&request.wants);
        if let Some(roster) = roster {
            let (kept, others) = roster.find(&found.ground, wanted);
            wanted = others;
            met.reserve(kept.len());
            for (same, kept) in kept {
                let fields = given(request, &same)?;
                if settles && fields.settled_on.is_some() {
                    // A roster knows no settlements, and whose case never settled has none.
                    wanted.push(same);
                } else {
                    met.add_unsettled(kept.client(fields));
                }
            }
        }
        let known = met.clients.len();
        let mut others = wanted.split_off(SAMPLE_WANTS.min(wanted.len()));
        read(&mut met, driver, request, &wanted, row_by_row(&wanted)).await?;
        if met.clients.len() - known < wanted.len() / 2 {
            others = gaps::without_strangers(driver, account_id, others).await?;
        } else if met.same.len() > wanted.len() / 2 {
            // As in most posts of a nightly sync: of whoever is as its want says, no field is read.
            let batch = wanted::same_row_by_row(account_id, settles, &others);
            let found = read(&mut met, driver, request, &others, batch).await?;
            others = without(others, &found);
        }
        read(&mut met, driver, request, &others, row_by_row(&others)).await?;
        let mut wanted = wanted::persons_of_strangers(&request.wants, &external_ids(&met.clients));
        if let Some(roster) = roster {
            (_, wanted) = roster.find(&found.ground, wanted);
        }
        read(&mut met, driver, request, &wanted, row_by_row(&wanted)).await?;
    }
    let tombstones = tombstones(request, Some(account_id), key, found.ground.last_erasure_at.is_some());
    let count = tombstones.len();
    let mut results = run(driver, &tombstones).await?;
    let left = Left::as_they_were(met.same());
    Ok(Some(Seen { left, ..seen(found, met, tombstones_of(&mut results, count)?) }))
}

/// What is wanted but for those of these numbers, which are in ascending order.
fn without<'w>(wanted: Vec<Wanted<'w>>, numbers: &[usize]) -> Vec<Wanted<'w>> {
    let mut numbers = numbers.iter().peekable();
    let others = wanted.into_iter().enumerate().filter(|(number, _)| numbers.next_if_eq(&number).is_none());
    others.map(|(_, wanted)| wanted).collect()
}

/// Runs a batch, which may be empty.
async fn run<D: Driver>(driver: &D, batch: &[Statement]) -> Result<Results, StoreError> {
    if batch.is_empty() { Ok(Results::new(Vec::new())) } else { Results::of(driver, batch).await }
}

/// Runs statements, and adds whom they find; which of `wanted` that were.
async fn read<D: Driver>(
    met: &mut Met,
    driver: &D,
    request: &ChangeRequest,
    wanted: &[Wanted<'_>],
    batch: Vec<Statement>,
) -> Result<Vec<usize>, StoreError> {
    let mut found = Vec::new();
    if !batch.is_empty() {
        met.reserve(wanted.len());
        let read = driver.read(&batch, |_, values| {
            found.push(met.add(request, wanted, &mut RowRef::of(values))?);
            Ok(())
        });
        read.await?;
    }
    Ok(found)
}
