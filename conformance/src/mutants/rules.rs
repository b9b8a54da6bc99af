//! Stores that bend what was decided: faults in rules that no store decides, so that the store suite has no
//! case for them. The [simulation](crate::simulation) has to find them.

use std::collections::BTreeSet;

use matterbook_core::store::ChangeRequest;

use super::broken::{Fault, deciding, seeing};

/// A city that an update does not change is erased by it.
#[derive(Default)]
pub(super) struct BlankErases;

impl Fault for BlankErases {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        deciding(request, |_, decided| {
            for update in &mut decided.change_set.updated {
                if update.after.city == update.before.fields.city {
                    update.after.city = None;
                }
            }
        })
    }
}

/// An update lets a client be mailed again.
#[derive(Default)]
pub(super) struct UpdateTurnsLettersOn;

impl Fault for UpdateTurnsLettersOn {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        deciding(request, |_, decided| {
            for update in &mut decided.change_set.updated {
                update.after.do_not_mail = false;
            }
        })
    }
}

/// A client of another external id is merged with the one that is sent, if name and address are the same.
#[derive(Default)]
pub(super) struct MergesOtherIds;

impl Fault for MergesOtherIds {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        let wanted: BTreeSet<_> =
            request.lookup_keys.iter().filter_map(|lookup_key| lookup_key.external_id.clone()).collect();
        seeing(request, move |snapshot| {
            for client in &mut snapshot.clients {
                client.fields.external_id = client.fields.external_id.take().filter(|id| wanted.contains(id));
            }
        })
    }
}

/// Dates that a settlement had before a correction are forgotten, so a late retry begins another.
#[derive(Default)]
pub(super) struct ForgetsFormerDates;

impl Fault for ForgetsFormerDates {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        seeing(request, |snapshot| {
            for settlement in &mut snapshot.settlements {
                settlement.former_dates.clear();
            }
        })
    }
}

/// The last client of a batch of several is not saved.
#[derive(Default)]
pub(super) struct LosesLastOfBatch;

impl Fault for LosesLastOfBatch {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        deciding(request, |_, decided| {
            if decided.change_set.created.len() > 1 {
                decided.change_set.created.pop();
            }
        })
    }
}
