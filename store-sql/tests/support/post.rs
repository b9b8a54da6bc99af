//! Posts of clients, decided by the rules.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use matterbook_core::{
    client::parse_client,
    id::IdMint,
    plan::{Batch, Known, UpsertResult},
    store::{ChangeRequest, ChangeSet, Decided, IdempotencyRecord, Snapshot, StoredResponse},
    time::Timestamp,
};

use super::firm::Firm;

/// How often a request was decided.
pub type Decisions = Arc<AtomicUsize>;

/// All of a result: that of a conflict has a sentence that its `Debug` form leaves out.
fn shown(result: &UpsertResult) -> String {
    match result {
        UpsertResult::Conflict(conflict) => conflict.to_string(),
        other => format!("{other:?}"),
    }
}

/// A post of these clients, decided by the rules.
pub fn post(firm: &Firm, number: u128, now: Timestamp, clients: &[String]) -> (ChangeRequest, Decisions) {
    let mut random = [0; 10];
    let drawn = u64::try_from(number).unwrap().wrapping_mul(0x9E37_79B9_7F4A_7C15);
    random[..8].copy_from_slice(&drawn.to_be_bytes());
    let inputs = clients.iter().map(|client| parse_client(client)).collect();
    let batch = Arc::new(Batch::new(firm.account, inputs, IdMint::new(now, random), false));
    let decisions = Decisions::default();
    let (deciding, counted) = (Arc::clone(&batch), Arc::clone(&decisions));
    let decide = move |snapshot: &Snapshot| {
        counted.fetch_add(1, Ordering::Relaxed);
        let plan = deciding.decide(Known::from(snapshot));
        let results: Vec<_> = plan.results.iter().map(shown).collect();
        let response = StoredResponse { status: 200, body: format!("{results:?}"), replayed: false };
        let mut change_set = plan.change_set;
        if number.is_multiple_of(5) {
            match &snapshot.idempotency_record {
                Some(saved) => return Decided { change_set: ChangeSet::default(), response: saved.response.clone() },
                None => {
                    let saved = IdempotencyRecord { request_digest: number.to_string(), response: response.clone() };
                    change_set.idempotency_record = Some(saved);
                }
            }
        }
        Decided { change_set, response }
    };
    let mut request = firm.request(number, now, batch.lookup_keys(), Box::new(decide));
    request.idempotency_key = number.is_multiple_of(5).then(|| format!("key {}", number % 3));
    (request, decisions)
}

/// A client of an external id, with a phone.
pub fn client(external_id: &str, phone: &str) -> String {
    format!(
        r#"{{"external_id":"{external_id}","first_name":"Ada","last_name":"Lovelace {external_id}","address_line1":"1 Oak St","zip":"62704","phone":"217555{phone}"}}"#
    )
}
