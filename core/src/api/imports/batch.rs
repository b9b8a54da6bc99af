//! A batch of an import: which rows of the file it is, and what it adds to the import (rules G31 and G32).

use super::{
    super::{
        error::{ApiError, ErrorCode},
        post_options::PostOptions,
        query::Query,
    },
    refused,
};
use crate::{
    plan::{Plan, UpsertResult},
    store::{ChangeOwner, ConsoleRefusal, ImportCounts, ImportProgress, ImportState, SessionOwner},
};

/// The most rows of the file that one batch is about.
const BATCH_ROWS_MAX: u32 = 10_000;

/// The rows of the file that a batch is.
#[derive(Clone, Copy, Debug)]
pub(in crate::api) struct BatchRows {
    /// The rows before them.
    from: u32,
    /// Their number. Those without a client in the batch are held back.
    rows: u32,
}

/// Reads the query string of a batch. A dry run is about no rows.
pub(super) fn read_query(query: Option<&str>) -> Result<(PostOptions, Option<BatchRows>), ApiError> {
    let options = PostOptions::read(query)?;
    if options.dry_run {
        return Ok((options, None));
    }
    let query = Query::parse(query, &["dry_run", "explain", "plan", "from", "rows"])?;
    let number = |name: &str| {
        let number = query.text(name).and_then(|text| text.parse().ok());
        number.ok_or_else(|| ApiError::invalid(format!("{name} must be a whole number.")))
    };
    let rows = BatchRows { from: number("from")?, rows: number("rows")? };
    if !(1..=BATCH_ROWS_MAX).contains(&rows.rows) {
        return Err(ApiError::invalid(format!("rows must be from 1 to {BATCH_ROWS_MAX}.")));
    }
    Ok((options, Some(rows)))
}

/// The checks of the session, before and in the atomic unit that writes.
pub(in crate::api) fn check_owner(owner: &SessionOwner) -> Result<(), ApiError> {
    owner.check_change().map_err(refused)
}

impl BatchRows {
    /// Refuses more clients than rows.
    pub(super) fn check_clients(&self, clients: usize) -> Result<(), ApiError> {
        if u32::try_from(clients).is_ok_and(|clients| clients <= self.rows) {
            return Ok(());
        }
        Err(ApiError::invalid("clients has more elements than rows says."))
    }

    /// Whether the import is at these rows.
    pub(in crate::api) fn check(&self, owner: &ChangeOwner) -> Result<(), ApiError> {
        let ChangeOwner::Session(_, Some(ImportState { rows, sent_rows, has_ended })) = owner else {
            return Err(refused(ConsoleRefusal::NoImport));
        };
        if *has_ended {
            return Err(ApiError::new(ErrorCode::Conflict, "This import has ended; begin another."));
        }
        if self.from != *sent_rows {
            let message =
                "This import has come to another row, perhaps from another tab; read it again and go on there.";
            return Err(ApiError::new(ErrorCode::Conflict, message));
        }
        if self.from.checked_add(self.rows).is_none_or(|end| end > *rows) {
            return Err(ApiError::invalid("The file has fewer rows than that."));
        }
        Ok(())
    }

    /// What an explained plan for these rows adds to the import.
    pub(in crate::api) fn progress(&self, plan: &Plan) -> ImportProgress {
        let mut counts = ImportCounts::default();
        for (index, result) in plan.results.iter().enumerate() {
            let has_changed = || plan.explanations.get(index).is_none_or(|explained| !explained.changed.is_empty());
            match result {
                UpsertResult::Created(_) => counts.created += 1,
                UpsertResult::Updated(_) if has_changed() => counts.updated += 1,
                UpsertResult::Updated(_) => counts.unchanged += 1,
                UpsertResult::Conflict(_) | UpsertResult::Invalid(_) | UpsertResult::Nameless { .. } => {}
            }
        }
        let ImportCounts { created, updated, unchanged, .. } = counts;
        // The rest: refused here, or held back by the page.
        let refused = self.rows.saturating_sub(created + updated + unchanged);
        ImportProgress { rows: self.rows, counts: ImportCounts { refused, ..counts } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_says_which_rows_it_is_unless_it_is_a_dry_run() {
        for (query, expected) in [
            ("from=0&rows=500", Ok(Some((0, 500)))),
            ("from=500&rows=1&explain=true", Ok(Some((500, 1)))),
            ("dry_run=true", Ok(None)),
            ("", Err("from must be a whole number.")),
            ("from=-1&rows=5", Err("from must be a whole number.")),
            ("from=1", Err("rows must be a whole number.")),
            ("from=1&rows=0", Err("rows must be from 1 to 10000.")),
            ("from=1&rows=10001", Err("rows must be from 1 to 10000.")),
            ("from=1&from=2&rows=3", Err("from is given twice; give it once.")),
        ] {
            let read = read_query(Some(query)).map(|(_, rows)| rows.map(|rows| (rows.from, rows.rows)));
            assert_eq!(read.map_err(|error| error.message.into_owned()), expected.map_err(str::to_owned), "{query}");
        }
    }
}
