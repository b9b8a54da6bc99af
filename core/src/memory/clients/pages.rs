//! Pages of clients and of settlements (S8, S12).

use std::{collections::BTreeSet, ops::Bound};

use super::{Clients, History, place_of};
use crate::{
    client::{Client, Settlement},
    memory::{
        listing::{page, start},
        similar::SimilarPairs,
    },
    store::{ClientFilter, ClientPageQuery, Position, SettlementEntry},
    time::Timestamp,
};

impl Clients {
    /// The clients at the horizon, and where to continue.
    pub(in crate::memory) fn page(
        &self,
        query: &ClientPageQuery,
        last_commit_at: Timestamp,
    ) -> (Vec<Client>, Option<Position>) {
        let horizon = query.horizon(last_commit_at);
        let range = (start(query.after, query.updated_since), Bound::Unbounded);
        // A state that was replaced before the horizon is skipped. The client is at the position of the
        // later state.
        let show = |place: Position| {
            let client = self.by_id.get(&place.id)?.as_of(horizon)?;
            let is_shown = client.updated_at == place.at && self.admits(&query.filter, client, horizon);
            is_shown.then(|| client.clone())
        };
        if !query.filter.is_of_one() {
            let places = self.timeline.range(range).copied();
            return page(places.take_while(|place| place.at <= horizon), query.limit, show);
        }
        let named = query.filter.external_id.as_ref().and_then(|external_id| self.by_external_id.get(external_id));
        let by_alias = query.filter.external_id.as_ref().and_then(|external_id| self.alias_holder(external_id));
        let candidates = query.filter.id.iter().chain(named.into_iter().flatten()).chain(&by_alias);
        let states = candidates.filter_map(|id| self.by_id.get(id)).flat_map(|history| &history.states);
        let places: BTreeSet<Position> = states.map(|state| place_of(&state.client)).collect();
        page(places.range(range).copied().take_while(|place| place.at <= horizon), query.limit, show)
    }

    /// Whether a filter admits a client as it was at a moment, by its own external id or by an alias.
    pub(super) fn admits(&self, filter: &ClientFilter, client: &Client, moment: Timestamp) -> bool {
        let holder = filter.external_id.as_ref().and_then(|external_id| self.alias_holder_at(external_id, moment));
        if holder == Some(client.id) {
            filter.admits_by_alias(&client.borrowed())
        } else {
            filter.admits(&client.borrowed())
        }
    }

    /// The present states that a filter admits.
    pub(in crate::memory) fn find(
        &self,
        filter: &ClientFilter,
        after: Option<Position>,
        limit: u32,
    ) -> (Vec<Client>, Option<Position>) {
        let latest = self.by_id.values().filter_map(History::latest).map(|state| &state.client);
        let places: BTreeSet<Position> = latest.map(place_of).collect();
        let show =
            |place: Position| self.get(place.id).filter(|client| self.admits(filter, client, Timestamp::MAX)).cloned();
        page(places.range((start(after, None), Bound::Unbounded)).copied(), limit, show)
    }

    /// The settlements by last change, each with the present state of its client.
    pub(in crate::memory) fn settlements(
        &self,
        similar: &SimilarPairs,
        after: Option<Position>,
        limit: u32,
    ) -> (Vec<SettlementEntry>, Option<Position>) {
        let places = self.settlement_feed.range((start(after, None), Bound::Unbounded)).map(|(place, _)| *place);
        page(places, limit, |place| {
            let history = self.by_id.get(self.settlement_feed.get(&place)?)?;
            let settlement = history.settlements.iter().find(|settlement| settlement.id == place.id)?;
            let client = &history.latest()?.client;
            let has_no_letters = |id| self.get(id).is_some_and(|other| other.fields.do_not_mail);
            Some(entry(settlement, client, similar.any_other(client.id, has_no_letters)))
        })
    }
}

fn entry(settlement: &Settlement, client: &Client, similar_do_not_mail: bool) -> SettlementEntry {
    let fields = client.fields.clone();
    SettlementEntry {
        id: settlement.id,
        client_id: client.id,
        external_id: fields.external_id,
        first_name: fields.first_name,
        last_name: fields.last_name,
        address_line1: fields.address_line1,
        address_line2: fields.address_line2,
        city: fields.city,
        state: fields.state,
        zip: fields.zip,
        case_type: fields.case_type,
        settled_on: settlement.settled_on,
        begun_at: settlement.begun_at,
        changed_at: settlement.changed_at,
        do_not_mail: fields.do_not_mail,
        similar_do_not_mail,
    }
}
