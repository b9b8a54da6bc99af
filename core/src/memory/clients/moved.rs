//! Which clients have an address that another one had before (S41).

use std::collections::BTreeSet;

use super::{Clients, History, State};
use crate::{matching::PersonHash, store::ClientPair};

impl Clients {
    /// Pairs of clients with one name of which one has an address that the other had before and does not have now.
    pub(in crate::memory) fn moved(&self) -> Vec<ClientPair> {
        let pairs: BTreeSet<_> = self.by_id.values().flat_map(|mover| self.residents(mover)).collect();
        pairs.into_iter().collect()
    }

    fn residents(&self, mover: &History) -> Vec<ClientPair> {
        let Some((State { client, person, .. }, earlier)) = mover.states.split_last() else { return Vec::new() };
        let namesakes = person.name.and_then(|name| self.by_name.get(&name)).into_iter().flatten();
        let namesakes = namesakes.filter_map(|id| self.by_id.get(id)?.latest());
        let residents = namesakes.filter(|resident| {
            let lives_there = |former: &State| may_be_one_place(&former.person, &resident.person);
            resident.person.name == person.name
                && place(&resident.person) != place(person)
                && earlier.iter().any(lives_there)
        });
        residents.map(|resident| ClientPair::of(client.id, resident.client.id)).collect()
    }
}

/// An address: street, unit and ZIP.
fn place(person: &PersonHash) -> (Option<i64>, u64, Option<i64>) {
    (person.street, person.unit.unsigned_abs(), person.zip5)
}

/// Whether both are one address, where a missing unit tells nothing apart.
fn may_be_one_place(one: &PersonHash, other: &PersonHash) -> bool {
    let ((street, unit, zip5), (other_street, other_unit, other_zip5)) = (place(one), place(other));
    let has_one_unit = unit == 0 || other_unit == 0 || unit == other_unit;
    street.is_some() && zip5.is_some() && street == other_street && zip5 == other_zip5 && has_one_unit
}
