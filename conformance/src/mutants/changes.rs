//! Stores that show decisions the wrong thing, or save what was not decided (S3–S7, S11, S14).

use std::{
    cell::Cell,
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use matterbook_core::{
    matching::PersonHash,
    memory::MemoryStore,
    store::{
        ChangeRequest, ChangeSet, ClientPage, ClientPageQuery, ClientUpdate, Decide, Decided, IdempotencyRecord,
        LookupKey, NAMESAKES_SHOWN, Snapshot, Store, StoreError, StoredResponse,
    },
    time::Timestamp,
};
use uuid::Uuid;

use super::broken::{Fault, deciding, seeing};

/// Matches by name and place only, so namesakes without a place are missed.
#[derive(Default)]
pub(super) struct MissesNamesakes;

impl Fault for MissesNamesakes {
    fn request(&self, mut request: ChangeRequest) -> ChangeRequest {
        for lookup_key in request.lookup_keys.iter_mut().filter(|lookup_key| !lookup_key.person.is_complete()) {
            lookup_key.person = PersonHash::default();
        }
        request
    }
}

/// Matches by name alone, so strangers of the same name match.
#[derive(Default)]
pub(super) struct MatchesStrangers;

impl Fault for MatchesStrangers {
    fn request(&self, mut request: ChangeRequest) -> ChangeRequest {
        for lookup_key in &mut request.lookup_keys {
            lookup_key.person = PersonHash { street: None, unit: 0, zip5: None, ..lookup_key.person };
        }
        request
    }
}

/// Looks for the street without its unit.
#[derive(Default)]
pub(super) struct IgnoresUnits;

impl Fault for IgnoresUnits {
    fn request(&self, mut request: ChangeRequest) -> ChangeRequest {
        for lookup_key in &mut request.lookup_keys {
            lookup_key.person.unit = 0;
        }
        request
    }
}

/// Shows every client of a name, however many there are.
#[derive(Default)]
pub(super) struct ShowsAllNamesakes;

impl Fault for ShowsAllNamesakes {
    fn request(&self, mut request: ChangeRequest) -> ChangeRequest {
        // More keys raise the limit.
        request.lookup_keys.resize(100_000, LookupKey::default());
        request
    }
}

/// Of many clients of a name, shows no client without an external id.
#[derive(Default)]
pub(super) struct CutsNamesakesWithoutId;

impl Fault for CutsNamesakesWithoutId {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        seeing(request, |snapshot| {
            if snapshot.clients.len() > NAMESAKES_SHOWN {
                snapshot.clients.retain(|client| client.fields.external_id.is_some());
            }
        })
    }
}

/// Shows a client once for each lookup key that matches it.
#[derive(Default)]
pub(super) struct RepeatsClients;

impl Fault for RepeatsClients {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        seeing(request, |snapshot| snapshot.clients.extend(snapshot.clients.clone()))
    }
}

/// Shows clients without their settlements.
#[derive(Default)]
pub(super) struct HidesSettlements;

impl Fault for HidesSettlements {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        seeing(request, |snapshot| snapshot.settlements.clear())
    }
}

/// Saves new clients one by one before the rest, so a failure leaves those before it.
#[derive(Default)]
pub(super) struct AppliesPieceByPiece;

impl Fault for AppliesPieceByPiece {
    async fn change(
        &self,
        sound: &MemoryStore,
        mut request: ChangeRequest,
    ) -> Result<Option<StoredResponse>, StoreError> {
        let Some(snapshot) = read_snapshot(sound, &request).await? else { return Ok(None) };
        let decided = (request.decide)(&snapshot);
        for (piece, new) in (1..).zip(decided.change_set.created) {
            let change_set = ChangeSet { created: vec![new], ..ChangeSet::default() };
            let request_id = Uuid::from_u128(request.request_id.as_u128() ^ (piece << 64));
            sound.change(ChangeRequest { request_id, decide: always(change_set), ..like(&request) }).await?;
        }
        let rest = ChangeSet { created: Vec::new(), ..decided.change_set };
        sound.change(ChangeRequest { decide: always(rest), ..like(&request) }).await?;
        Ok(Some(decided.response))
    }
}

/// Saves clients but not their settlements.
#[derive(Default)]
pub(super) struct DropsSettlements;

impl Fault for DropsSettlements {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        deciding(request, |_, decided| decided.change_set.settlements.clear())
    }
}

/// Reads, lets others in, and applies what was decided upon what it had read.
#[derive(Default)]
pub(super) struct AppliesStaleDecisions;

impl Fault for AppliesStaleDecisions {
    async fn change(
        &self,
        sound: &MemoryStore,
        mut request: ChangeRequest,
    ) -> Result<Option<StoredResponse>, StoreError> {
        let Some(snapshot) = read_snapshot(sound, &request).await? else { return Ok(None) };
        let decided = (request.decide)(&snapshot);
        tokio::task::yield_now().await;
        let decide = Box::new(move |_: &Snapshot| decided.clone());
        sound.change(ChangeRequest { decide, ..request }).await
    }
}

/// Asks a decision again whenever anything in the account changed.
#[derive(Default)]
pub(super) struct GuardsWholeAccount {
    commits: Cell<u64>,
}

impl Fault for GuardsWholeAccount {
    async fn change(
        &self,
        sound: &MemoryStore,
        mut request: ChangeRequest,
    ) -> Result<Option<StoredResponse>, StoreError> {
        loop {
            let seen = self.commits.get();
            let Some(snapshot) = read_snapshot(sound, &request).await? else { return Ok(None) };
            let decided = (request.decide)(&snapshot);
            tokio::task::yield_now().await;
            if self.commits.get() == seen {
                self.commits.set(seen + 1);
                let decide = Box::new(move |_: &Snapshot| decided.clone());
                return sound.change(ChangeRequest { decide, ..request }).await;
            }
        }
    }
}

/// Stamps clients with the clock of their request, even if the last commit was later.
#[derive(Default)]
pub(super) struct TrustsTheClock {
    clocks: Arc<Mutex<BTreeMap<Uuid, Timestamp>>>,
}

impl Fault for TrustsTheClock {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        let (clocks, now) = (Arc::clone(&self.clocks), request.now);
        deciding(request, move |_, decided| {
            let created = decided.change_set.created.iter().map(|new| new.id);
            let ids = created.chain(decided.change_set.updated.iter().map(|update| update.id));
            clocks.lock().unwrap_or_else(PoisonError::into_inner).extend(ids.map(|id| (id, now)));
        })
    }

    fn client_page(&self, _query: &ClientPageQuery, mut page: ClientPage) -> ClientPage {
        let clocks = self.clocks.lock().unwrap_or_else(PoisonError::into_inner);
        for client in &mut page.clients {
            client.updated_at = clocks.get(&client.id).copied().unwrap_or(client.updated_at);
        }
        page
    }
}

/// Writes every client that a request matched, changed or not.
#[derive(Default)]
pub(super) struct WritesUnchangedClients;

impl Fault for WritesUnchangedClients {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        deciding(request, |snapshot, decided| {
            for client in &snapshot.clients {
                if !decided.change_set.updated.iter().any(|update| update.id == client.id) {
                    decided.change_set.updated.push(ClientUpdate {
                        id: client.id,
                        before: client.clone(),
                        after: client.fields.clone(),
                        new_hash: None,
                        matched_by: None,
                    });
                }
            }
        })
    }
}

/// Makes a commit of every request, also of one that changes nothing.
#[derive(Default)]
pub(super) struct CommitsNothing;

impl Fault for CommitsNothing {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        let request = deciding(request, |_, decided| {
            if decided.change_set.is_empty() {
                let response = decided.response.clone();
                decided.change_set.idempotency_record =
                    Some(IdempotencyRecord { request_digest: String::new(), response });
            }
        });
        ChangeRequest { idempotency_key: request.idempotency_key.or_else(|| Some(String::new())), ..request }
    }
}

/// Saves clients and forgets the answer.
#[derive(Default)]
pub(super) struct LosesIdempotencyRecords;

impl Fault for LosesIdempotencyRecords {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        deciding(request, |_, decided| decided.change_set.idempotency_record = None)
    }
}

/// Saved answers by a key of the mutant's own.
type Answers = Arc<Mutex<BTreeMap<String, IdempotencyRecord>>>;

/// Remembers saved answers for good, under the key that `key_of` makes of account and idempotency
/// key.
fn remembering(answers: &Answers, request: ChangeRequest, key_of: fn(Uuid, &str) -> String) -> ChangeRequest {
    let Some(key) = request.idempotency_key.as_ref().map(|key| key_of(request.account_hint, key)) else {
        return request;
    };
    let (known, kept, same_key) = (Arc::clone(answers), Arc::clone(answers), key.clone());
    let request = seeing(request, move |snapshot| {
        let known = known.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        snapshot.idempotency_record = snapshot.idempotency_record.take().or(known);
    });
    deciding(request, move |_, decided| {
        if let Some(saved) = &decided.change_set.idempotency_record {
            kept.lock().unwrap_or_else(PoisonError::into_inner).insert(same_key.clone(), saved.clone());
        }
    })
}

/// Finds a saved answer however old it is.
#[derive(Default)]
pub(super) struct KeepsAnswersForever {
    answers: Answers,
}

impl Fault for KeepsAnswersForever {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        remembering(&self.answers, request, |account, key| format!("{account} {key}"))
    }
}

/// Finds a saved answer of any account.
#[derive(Default)]
pub(super) struct SharesAnswers {
    answers: Answers,
}

impl Fault for SharesAnswers {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        remembering(&self.answers, request, |_, key| key.to_owned())
    }
}

/// Forgets the ids of requests, so one whose answer was lost is applied again.
#[derive(Default)]
pub(super) struct ForgetsRequestIds {
    requests: Cell<u128>,
}

impl Fault for ForgetsRequestIds {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        self.requests.set(self.requests.get() + 1);
        ChangeRequest { request_id: Uuid::from_u128((0x9000 << 64) + self.requests.get()), ..request }
    }
}

/// Keeps no digests: an erased client leaves nothing behind.
#[derive(Default)]
pub(super) struct ErasesWithoutTombstone;

impl Fault for ErasesWithoutTombstone {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        seeing(request, |snapshot| snapshot.tombstones.clear())
    }
}

/// Keeps digests of erased clients without their `do_not_mail`.
#[derive(Default)]
pub(super) struct TombstoneForgetsDoNotMail;

impl Fault for TombstoneForgetsDoNotMail {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        seeing(request, |snapshot| {
            for tombstone in &mut snapshot.tombstones {
                tombstone.do_not_mail = false;
            }
        })
    }
}

/// What the sound store would show the request's decision now; `None` for a dead key.
async fn read_snapshot(sound: &MemoryStore, request: &ChangeRequest) -> Result<Option<Snapshot>, StoreError> {
    let seen = Arc::new(Mutex::new(None));
    let decide = {
        let seen = Arc::clone(&seen);
        Box::new(move |snapshot: &Snapshot| {
            *seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(snapshot.clone());
            nothing(ChangeSet::default())
        })
    };
    let request_id = Uuid::from_u128(!request.request_id.as_u128());
    sound.change(ChangeRequest { request_id, decide, ..like(request) }).await?;
    let snapshot = seen.lock().unwrap_or_else(PoisonError::into_inner).take();
    Ok(snapshot)
}

/// A copy of the request with a decision that saves nothing.
fn like(request: &ChangeRequest) -> ChangeRequest {
    ChangeRequest {
        authority: request.authority,
        account_hint: request.account_hint,
        request_id: request.request_id,
        now: request.now,
        client_delay_seconds: request.client_delay_seconds,
        retention: request.retention,
        lookup_keys: request.lookup_keys.clone(),
        names_similar: request.names_similar,
        idempotency_key: request.idempotency_key.clone(),
        decide: always(ChangeSet::default()),
    }
}

fn always(change_set: ChangeSet) -> Decide {
    Box::new(move |_| nothing(change_set.clone()))
}

fn nothing(change_set: ChangeSet) -> Decided {
    Decided { change_set, response: StoredResponse { status: 200, body: String::new(), replayed: false } }
}
