//! Pairs of clients of one account that may be one person (S38, S39).

use std::collections::{BTreeMap, BTreeSet};

use super::{clients::Clients, listing::page};
use crate::{
    client::Client,
    similar::SimilarReason,
    store::{
        ClientPair, ComparisonStart, DecidedPair, FoundPair, Position, Refusal, SIMILAR_PAIRS_MAX, SimilarClient,
        SimilarDecision, SimilarFilter, SimilarPage, SimilarPair,
    },
    time::Timestamp,
};
use uuid::Uuid;

/// The pairs of one account.
#[derive(Debug, Default)]
pub(super) struct SimilarPairs {
    by_pair: BTreeMap<ClientPair, Kept>,
    compared_at: Option<Timestamp>,
    /// The last commit that a comparison saw.
    compared_until: Timestamp,
}

/// A pair that is kept.
#[derive(Debug)]
struct Kept {
    reasons: Vec<SimilarReason>,
    found_at: Timestamp,
    decided: Option<DecidedPair>,
}

impl SimilarPairs {
    /// Whether a comparison is due.
    pub(super) fn are_due(&self, last_commit_at: Timestamp, compared_before: Timestamp) -> bool {
        last_commit_at > self.compared_until && self.compared_at.is_none_or(|at| at <= compared_before)
    }

    pub(super) fn start(&self, clients: &Clients, last_commit_at: Timestamp) -> ComparisonStart {
        let decided = self.by_pair.iter().filter(|(_, kept)| kept.decided.is_some());
        let decided: BTreeSet<_> = decided.map(|(pair, _)| *pair).collect();
        let moved = clients.moved().difference(&decided).take(SIMILAR_PAIRS_MAX).copied().collect();
        ComparisonStart { last_commit_at, decided: decided.into_iter().collect(), moved }
    }

    /// Keeps what a comparison found. Returns how many pairs are undecided.
    pub(super) fn keep(
        &mut self,
        clients: &Clients,
        found: Vec<FoundPair>,
        now: Timestamp,
        last_commit_at: Timestamp,
    ) -> usize {
        let mut before = std::mem::take(&mut self.by_pair);
        for FoundPair { pair, reasons } in found {
            if pair.ids().into_iter().all(|id| clients.get(id).is_some()) {
                let found_at = before.get(&pair).map_or(now, |kept| kept.found_at);
                self.by_pair.insert(pair, Kept { reasons, found_at, decided: None });
            }
        }
        before.retain(|_, kept| kept.decided.is_some());
        self.by_pair.extend(before);
        (self.compared_at, self.compared_until) = (Some(now), last_commit_at);
        self.count()
    }

    /// How many pairs are undecided.
    pub(super) fn count(&self) -> usize {
        self.by_pair.values().filter(|kept| kept.decided.is_none()).count()
    }

    /// Decides about a pair, or takes the decision back.
    pub(super) fn decide(
        &mut self,
        clients: &Clients,
        pair: ClientPair,
        decided: Option<DecidedPair>,
    ) -> Result<SimilarPair, Refusal> {
        let kept = self.by_pair.get_mut(&pair).ok_or(Refusal::NoPair)?;
        kept.decided = decided;
        kept.shown(clients, pair).ok_or(Refusal::NoPair)
    }

    /// Removes the pairs of a client that is gone.
    pub(super) fn remove(&mut self, client: Uuid) {
        self.by_pair.retain(|pair, _| !pair.ids().contains(&client));
    }

    /// Whether a client that may be the same person has a flag.
    pub(super) fn any_other(&self, client: Uuid, has_flag: impl Fn(Uuid) -> bool) -> bool {
        self.of_one_person().any(|(pair, _)| pair.other_than(client).is_some_and(&has_flag))
    }

    /// The clients that may be the same person as one of these (S40).
    pub(super) fn of_clients(&self, clients: &[Client]) -> Vec<SimilarClient> {
        let ids: BTreeSet<_> = clients.iter().map(|client| client.id).collect();
        let of_pair = |(pair, kept): (&ClientPair, &Kept)| {
            let [one, other] = pair.ids();
            let similar = |(client, other)| SimilarClient { client, other, reasons: kept.reasons.clone() };
            [(one, other), (other, one)].map(similar)
        };
        let mut similar: Vec<_> = self.of_one_person().flat_map(of_pair).collect();
        similar.retain(|similar| ids.contains(&similar.client));
        similar.sort_unstable_by_key(|similar| (similar.client, similar.other));
        similar
    }

    /// The pairs that are not decided to be two people.
    fn of_one_person(&self) -> impl Iterator<Item = (&ClientPair, &Kept)> {
        self.by_pair.iter().filter(|(_, kept)| {
            kept.decided.as_ref().is_none_or(|decided| decided.decision != SimilarDecision::Different)
        })
    }

    pub(super) fn page(
        &self,
        clients: &Clients,
        filter: SimilarFilter,
        after: Option<ClientPair>,
        limit: u32,
    ) -> SimilarPage {
        let pairs: Vec<_> = self.by_pair.iter().filter(|(pair, _)| after.is_none_or(|after| **pair > after)).collect();
        // A place is that in the list.
        let place = |number: usize| {
            let at = Timestamp::from_micros(i64::try_from(number).unwrap_or(i64::MAX));
            Position { at, id: Uuid::nil() }
        };
        let number = |place: Position| usize::try_from(place.at.micros()).unwrap_or(usize::MAX);
        let show = |place| {
            let (pair, kept) = pairs.get(number(place))?;
            kept.shown(clients, **pair).filter(|pair| filter.admits(pair))
        };
        let (shown, next) = page((0..pairs.len()).map(place), limit, show);
        let next = next.and_then(|place| pairs.get(number(place))).map(|(pair, _)| **pair);
        SimilarPage { pairs: shown, compared_at: self.compared_at, next }
    }
}

impl Kept {
    fn shown(&self, clients: &Clients, pair: ClientPair) -> Option<SimilarPair> {
        let [one, other] = pair.ids();
        let clients = [clients.get(one)?.clone(), clients.get(other)?.clone()];
        let (reasons, decided) = (self.reasons.clone(), self.decided.clone());
        Some(SimilarPair { clients, reasons, found_at: self.found_at, decided })
    }
}
