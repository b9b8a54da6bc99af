//! Which clients have an address that another one had before (S41).

use std::collections::BTreeSet;

use super::{Clients, History, State};
use crate::{matching::PersonHash, similar::COMPARED_MAX, store::ClientPair};

impl Clients {
    /// Pairs of clients with one name of which one has an address that the other had before and does not have now.
    pub(in crate::memory) fn moved(&self) -> BTreeSet<ClientPair> {
        self.by_id.values().flat_map(|mover| self.residents(mover)).collect()
    }

    fn residents(&self, mover: &History) -> Vec<ClientPair> {
        let Some(State { client, person, .. }) = mover.latest() else { return Vec::new() };
        let changes = mover.states.windows(2).filter_map(|pair| match pair {
            [before, after] if !may_be_one_place(&before.person, &after.person) => Some(&before.person),
            _ => None,
        });
        let residents = changes.flat_map(|former| self.at_former_address(person, former));
        residents
            .filter(|resident| !may_be_one_place(&resident.person, person))
            .map(|resident| ClientPair::of(client.id, resident.client.id))
            .collect()
    }

    /// The oldest clients with a name at an address, some without an external id and some with one.
    fn at_former_address(&self, person: &PersonHash, former: &PersonHash) -> impl Iterator<Item = &State> {
        let namesakes = person.name.and_then(|name| self.by_name.get(&name)).into_iter().flatten();
        let namesakes = namesakes.filter_map(|id| self.by_id.get(id)?.latest());
        let there =
            namesakes.filter(|state| state.person.name == person.name && may_be_one_place(&state.person, former));
        let (mut with, mut without): (Vec<_>, Vec<_>) =
            there.partition(|state| state.client.fields.external_id.is_some());
        for group in [&mut with, &mut without] {
            group.sort_by_key(|state| (state.client.created_at, state.client.id));
            group.truncate(COMPARED_MAX);
        }
        with.into_iter().chain(without)
    }
}

/// Whether both have an address, and it is one, where a missing unit tells nothing apart.
fn may_be_one_place(one: &PersonHash, other: &PersonHash) -> bool {
    let (unit, other_unit) = (one.unit.unsigned_abs(), other.unit.unsigned_abs());
    let has_one_unit = unit == 0 || other_unit == 0 || unit == other_unit;
    let has_address = one.street.is_some() && one.zip5.is_some();
    has_address && one.street == other.street && one.zip5 == other.zip5 && has_one_unit
}
