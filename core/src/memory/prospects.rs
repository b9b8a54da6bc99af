//! All prospects: imports, the two orders of reading, and erasure (S9, S10, S12).

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
};

use uuid::Uuid;

use super::listing::{page, start};
use crate::{
    account::Grant,
    prospect::{Prospect, ProspectFields},
    store::{ImportOutcome, Position, ProspectOrder, ProspectPageQuery},
    time::Timestamp,
};

/// The prospects of every county.
#[derive(Debug, Default)]
pub(super) struct Prospects {
    by_id: BTreeMap<Uuid, Prospect>,
    by_source_id: BTreeMap<String, Uuid>,
    timeline: BTreeSet<Position>,
    erased_source_ids: BTreeSet<String>,
    last_change_at: Timestamp,
}

impl Prospects {
    /// The time of a change that is made now: they grow like the commits of an account (S6).
    pub(super) fn next_change_at(&self, now: Timestamp) -> Timestamp {
        now.max(self.last_change_at.next())
    }

    /// Adds prospects and updates known ones in place, in order.
    pub(super) fn import(&mut self, prospects: Vec<(Uuid, ProspectFields)>, at: Timestamp) -> Vec<ImportOutcome> {
        prospects.into_iter().map(|(id, fields)| self.import_one(id, fields, at)).collect()
    }

    fn import_one(&mut self, id: Uuid, fields: ProspectFields, added_at: Timestamp) -> ImportOutcome {
        if self.erased_source_ids.contains(&fields.source_id) {
            return ImportOutcome::Erased;
        }
        if let Some(known) = self.by_source_id.get(&fields.source_id).and_then(|id| self.by_id.get_mut(id)) {
            let before = known.fields.clone();
            merge(&mut known.fields, fields);
            if known.fields != before {
                self.last_change_at = added_at;
            }
            return ImportOutcome::Updated(known.id);
        }
        self.last_change_at = added_at;
        self.by_source_id.insert(fields.source_id.clone(), id);
        self.timeline.insert(Position { at: added_at, id });
        self.by_id.insert(id, Prospect { id, fields, added_at });
        ImportOutcome::Created(id)
    }

    /// Erases a prospect and keeps its `source_id`; `false` when there is none.
    pub(super) fn erase(&mut self, id: Uuid, at: Timestamp) -> bool {
        let Some(erased) = self.by_id.remove(&id) else { return false };
        self.last_change_at = at;
        self.timeline.remove(&Position { at: erased.added_at, id });
        self.by_source_id.remove(&erased.fields.source_id);
        self.erased_source_ids.insert(erased.fields.source_id);
        true
    }

    /// The prospects that the grants show, and where to go on.
    pub(super) fn page(&self, query: &ProspectPageQuery, grants: &[Grant]) -> (Vec<Prospect>, Option<Position>) {
        let horizon = query.view.horizon(self.last_change_at);
        let from_dates: BTreeMap<_, _> = grants.iter().map(|grant| (&grant.fips, grant.from_date)).collect();
        let show = |place: Position| {
            let prospect = self.by_id.get(&place.id)?;
            let from_date = from_dates.get(&prospect.fields.crash_county_fips)?;
            (*from_date <= prospect.fields.crash_date).then(|| prospect.clone())
        };
        match query.order {
            ProspectOrder::Oldest { after } => {
                let places = self.timeline.range((start(after, None), Bound::Unbounded)).copied();
                page(places.take_while(|place| place.at <= horizon), query.limit, show)
            }
            ProspectOrder::Newest { added_since } => {
                // There is no place to go on from, so what bounds this page is the time alone.
                let places = self.timeline.range((start(None, Some(added_since)), Bound::Unbounded)).copied();
                let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
                (places.rev().skip_while(|place| place.at > horizon).filter_map(show).take(limit).collect(), None)
            }
        }
    }
}

/// Given values replace, absent ones keep what is known.
fn merge(known: &mut ProspectFields, given: ProspectFields) {
    let ProspectFields {
        source_id: _,
        first_name,
        last_name,
        address_line1,
        address_line2,
        city,
        state,
        zip,
        email,
        phone,
        person_type,
        injury_severity,
        transported,
        crash_date,
        crash_time,
        crash_city,
        crash_state,
        crash_county,
        crash_county_fips,
        crash_report_number,
        manner_of_collision,
        vehicle_year,
        vehicle_make,
        vehicle_model,
        vehicle_towed,
        hit_and_run,
    } = given;
    known.crash_date = crash_date;
    known.crash_county_fips = crash_county_fips;
    replace(&mut known.first_name, first_name);
    replace(&mut known.last_name, last_name);
    replace(&mut known.address_line1, address_line1);
    replace(&mut known.address_line2, address_line2);
    replace(&mut known.city, city);
    replace(&mut known.state, state);
    replace(&mut known.zip, zip);
    replace(&mut known.email, email);
    replace(&mut known.phone, phone);
    replace(&mut known.person_type, person_type);
    replace(&mut known.injury_severity, injury_severity);
    replace(&mut known.transported, transported);
    replace(&mut known.crash_time, crash_time);
    replace(&mut known.crash_city, crash_city);
    replace(&mut known.crash_state, crash_state);
    replace(&mut known.crash_county, crash_county);
    replace(&mut known.crash_report_number, crash_report_number);
    replace(&mut known.manner_of_collision, manner_of_collision);
    replace(&mut known.vehicle_year, vehicle_year);
    replace(&mut known.vehicle_make, vehicle_make);
    replace(&mut known.vehicle_model, vehicle_model);
    replace(&mut known.vehicle_towed, vehicle_towed);
    replace(&mut known.hit_and_run, hit_and_run);
}

fn replace<Value>(known: &mut Option<Value>, given: Option<Value>) {
    if given.is_some() {
        *known = given;
    }
}
