//! What waits for review in one account (S20).

use std::collections::BTreeMap;

use uuid::Uuid;

use super::{account::Source, listing::page};
use crate::{
    matching::PersonHash,
    store::{NewReviewItem, Position, REVIEW_ITEMS_MAX, REVIEW_SEEN_EVERY_SECONDS, ReviewChange, review_ids},
    time::Timestamp,
    undo::TurnedItem,
};

/// The items of one account.
#[derive(Debug, Default)]
pub(super) struct Review {
    by_id: BTreeMap<Uuid, Kept>,
    /// The number of the item that was seen last.
    last_number: i64,
}

/// An item that is kept.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) item: NewReviewItem,
    pub(super) source: Source,
    pub(super) request_id: Uuid,
    pub(super) first_seen_at: Timestamp,
    pub(super) last_seen_at: Timestamp,
    /// Grows each time that the item is written.
    number: i64,
    /// Whether somebody has to look at it.
    waits: bool,
    /// The request that decided about it last.
    decided_in: Option<Uuid>,
}

impl Review {
    /// Those of these items that are kept.
    pub(super) fn waiting(&self, ids: impl FnOnce() -> Vec<Uuid>) -> Vec<Uuid> {
        if self.by_id.is_empty() {
            return Vec::new();
        }
        ids().into_iter().filter(|id| self.by_id.contains_key(id)).collect()
    }

    /// Applies what a request did.
    pub(super) fn apply(&mut self, change: ReviewChange, now: Timestamp, source: &Source, request_id: Uuid) {
        for id in change.gone {
            self.by_id.remove(&id);
        }
        for item in change.items {
            let known = self.by_id.get(&item.id).filter(|known| known.item.content == item.content);
            let is_old =
                |known: &Kept| known.last_seen_at.plus_seconds(REVIEW_SEEN_EVERY_SECONDS) <= now || known.item != item;
            if known.is_some_and(|known| !is_old(known)) {
                continue;
            }
            let first_seen_at = known.map_or(now, |known| known.first_seen_at);
            self.last_number += 1;
            let (number, source) = (self.last_number, source.clone());
            let (waits, decided_in) = known.map_or((true, None), |known| (known.waits, known.decided_in));
            let kept = Kept { source, request_id, first_seen_at, last_seen_at: now, number, waits, decided_in, item };
            self.by_id.insert(kept.item.id, kept);
        }
        while self.by_id.len() > REVIEW_ITEMS_MAX {
            let oldest = self.by_id.iter().min_by_key(|(_, kept)| kept.number).map(|(id, _)| *id);
            oldest.map(|id| self.by_id.remove(&id));
        }
    }

    /// How many items wait.
    pub(super) fn count(&self, seen_since: Timestamp) -> usize {
        self.by_id.values().filter(|kept| kept.waits && kept.last_seen_at >= seen_since).count()
    }

    /// An item that waits.
    pub(super) fn waiting_item(&self, id: Uuid, seen_since: Timestamp) -> Option<&NewReviewItem> {
        let kept = self.by_id.get(&id).filter(|kept| kept.waits && kept.last_seen_at >= seen_since)?;
        Some(&kept.item)
    }

    /// An item no longer waits.
    pub(super) fn decide(&mut self, id: Uuid, request_id: Uuid) {
        if let Some(kept) = self.by_id.get_mut(&id) {
            (kept.waits, kept.decided_in) = (false, Some(request_id));
        }
    }

    /// What an undo of a request makes of the item about which it decided.
    pub(super) fn decided_in(&self, request: Uuid) -> Option<TurnedItem> {
        let kept = self.by_id.values().find(|kept| kept.decided_in == Some(request))?;
        Some(TurnedItem { id: kept.item.id, waits: !kept.waits })
    }

    /// The undo of a decision, or of such an undo: an item waits again, or no longer.
    pub(super) fn turn(&mut self, item: TurnedItem, request_id: Uuid) {
        if let Some(kept) = self.by_id.get_mut(&item.id) {
            (kept.waits, kept.decided_in) = (item.waits, Some(request_id));
        }
    }

    /// Removes the items of a client that is erased: of its identities, of its name, and those that it is a candidate of.
    pub(super) fn erase(&mut self, account: Uuid, client: Uuid, external_id: Option<&str>, person: PersonHash) {
        let ids = review_ids(account, external_id, person);
        self.by_id.retain(|id, kept| {
            let is_namesake = person.name.is_some() && kept.item.name_hash == person.name;
            !ids.contains(id) && !is_namesake && !kept.item.candidates.contains(&client)
        });
    }

    /// The items that were seen since a time, the latest first.
    pub(super) fn page<Row>(
        &self,
        seen_since: Timestamp,
        before: Option<Position>,
        limit: u32,
        show: impl Fn(&Kept) -> Row,
    ) -> (Vec<Row>, Option<Position>) {
        let place = |kept: &Kept| Position { at: Timestamp::from_micros(kept.number), id: kept.item.id };
        let mut places: Vec<_> = self.by_id.values().map(place).collect();
        places.retain(|place| before.is_none_or(|before| *place < before));
        places.sort_unstable_by(|one, other| other.cmp(one));
        page(places.into_iter(), limit, |place| {
            let kept = self.by_id.get(&place.id)?;
            (kept.waits && kept.last_seen_at >= seen_since).then(|| show(kept))
        })
    }
}
