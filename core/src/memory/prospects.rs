//! All prospects: imports, the two orders of reading, and erasure (S9, S10, S12).

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
};

use smol_str::SmolStr;
use uuid::Uuid;

use super::listing::{page, start};
use crate::{
    account::Grant,
    prospect::{Prospect, ProspectFields},
    store::{ImportOutcome, OverviewQuery, Position, ProspectOrder, ProspectPageQuery, ProspectSearch, View},
    time::Timestamp,
};

/// The prospects of every county.
#[derive(Debug, Default)]
pub(super) struct Prospects {
    by_id: BTreeMap<Uuid, Prospect>,
    by_source_id: BTreeMap<SmolStr, Uuid>,
    timeline: BTreeSet<Position>,
    erased_source_ids: BTreeSet<SmolStr>,
    last_change_at: Timestamp,
}

impl Prospects {
    /// The time of the next change. It grows like the commits of an account (S6).
    pub(super) fn next_change_at(&self, now: Timestamp) -> Timestamp {
        now.max(self.last_change_at.next())
    }

    /// Adds prospects and updates known ones in place, in order.
    pub(super) fn import(&mut self, prospects: Vec<(Uuid, ProspectFields)>, at: Timestamp) -> Vec<ImportOutcome> {
        let source_ids: Vec<SmolStr> = prospects.iter().map(|(_, fields)| fields.source_id.clone()).collect();
        let before: Vec<_> = source_ids.iter().map(|source_id| self.with_source_id(source_id).cloned()).collect();
        let outcomes = prospects.into_iter().map(|(id, fields)| self.import_one(id, fields, at)).collect();
        // A change that a later row of the import reverts is no change.
        if source_ids.iter().zip(&before).any(|(source_id, before)| self.with_source_id(source_id) != before.as_ref()) {
            self.last_change_at = at;
        }
        outcomes
    }

    fn with_source_id(&self, source_id: &str) -> Option<&ProspectFields> {
        Some(&self.by_id.get(self.by_source_id.get(source_id)?)?.fields)
    }

    fn import_one(&mut self, id: Uuid, fields: ProspectFields, added_at: Timestamp) -> ImportOutcome {
        if self.erased_source_ids.contains(&fields.source_id) {
            return ImportOutcome::Erased;
        }
        if let Some(known) = self.by_source_id.get(&fields.source_id).and_then(|id| self.by_id.get_mut(id)) {
            known.fields = known.fields.clone().merged_with(fields);
            return ImportOutcome::Updated(known.id);
        }
        self.by_source_id.insert(fields.source_id.clone(), id);
        self.timeline.insert(Position { at: added_at, id });
        self.by_id.insert(id, Prospect { id, fields, added_at });
        ImportOutcome::Created(id)
    }

    /// Erases a prospect and keeps its `source_id`. Returns `false` if there is none.
    pub(super) fn erase(&mut self, id: Uuid, at: Timestamp) -> bool {
        let Some(erased) = self.by_id.remove(&id) else { return false };
        self.last_change_at = at;
        self.timeline.remove(&Position { at: erased.added_at, id });
        self.by_source_id.remove(&erased.fields.source_id);
        self.erased_source_ids.insert(erased.fields.source_id);
        true
    }

    /// The prospects that the grants show, and where to continue.
    pub(super) fn page(&self, query: &ProspectPageQuery, grants: &[Grant]) -> (Vec<Prospect>, Option<Position>) {
        let horizon = query.view.horizon(self.last_change_at);
        let from_dates: BTreeMap<_, _> = grants.iter().map(|grant| (grant.fips.as_str(), grant.from_date)).collect();
        let show = |place: Position| {
            let prospect = self.by_id.get(&place.id)?;
            let from_date = from_dates.get(prospect.fields.crash_county_fips.as_str())?;
            (*from_date <= prospect.fields.crash_date).then(|| prospect.clone())
        };
        match query.order {
            ProspectOrder::Oldest { after } => {
                let places = self.timeline.range((start(after, None), Bound::Unbounded)).copied();
                page(places.take_while(|place| place.at <= horizon), query.limit, show)
            }
            ProspectOrder::Newest { added_since } => {
                // This order has no next page, so only the time bounds it.
                let places = self.timeline.range((start(None, Some(added_since)), Bound::Unbounded)).copied();
                let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
                (places.rev().skip_while(|place| place.at > horizon).filter_map(show).take(limit).collect(), None)
            }
        }
    }

    /// The prospects that the grants and a search show, and where to continue.
    pub(super) fn search(&self, search: &ProspectSearch, grants: &[Grant]) -> (Vec<Prospect>, Option<Position>) {
        let horizon = search.view.horizon(self.last_change_at);
        let show = |place: Position| {
            let prospect = self.by_id.get(&place.id)?;
            (is_granted(grants, prospect) && search.admits(prospect)).then(|| prospect.clone())
        };
        let visible = self.timeline.iter().copied().filter(|place| place.at <= horizon);
        if search.oldest_first {
            page(visible.filter(|place| search.after.is_none_or(|after| after < *place)), search.limit, show)
        } else {
            page(visible.rev().filter(|place| search.after.is_none_or(|after| *place < after)), search.limit, show)
        }
    }

    /// How many prospects that the grants show were added in the week of an overview.
    pub(super) fn added_between(&self, query: &OverviewQuery, grants: &[Grant]) -> usize {
        let view = View { now: query.now, delay_seconds: query.prospect_delay_seconds };
        let horizon = view.horizon(self.last_change_at);
        let is_new = |prospect: &&Prospect| query.week_start <= prospect.added_at && prospect.added_at <= horizon;
        self.by_id.values().filter(is_new).filter(|prospect| is_granted(grants, prospect)).count()
    }
}

fn is_granted(grants: &[Grant], prospect: &Prospect) -> bool {
    let fields = &prospect.fields;
    grants.iter().any(|grant| grant.fips == fields.crash_county_fips && grant.from_date <= fields.crash_date)
}
