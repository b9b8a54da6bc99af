//! One atomic batch that applies a change set (S4), guarded where what it was decided on may be stale (S5).

use std::collections::BTreeSet;

use foldhash::HashSet;
use matterbook_core::{
    api::answers_since,
    matching::PersonHash,
    store::{ChangeRequest, ChangeSet, SettlementChange, Snapshot},
};

use crate::{bind, commit::Commit, driver::Statement, guard::Guard, queries};

/// The batch for a change set that is not empty.
pub(super) fn batch(
    commit: &Commit<'_>,
    request: &ChangeRequest,
    change_set: ChangeSet,
    guard: Guard,
) -> Vec<Statement> {
    let ChangeSet { created, updated, settlements, idempotency_record } = change_set;
    let updates = updated.len();
    let mut statements = commit.open(created.len(), updates, guard);
    statements.extend(commit.create_clients(created));
    statements.extend(commit.update_clients(updated));
    statements.extend(commit.put_settlements(settlements));
    if let (Some(idempotency_key), Some(saved)) = (&request.idempotency_key, idempotency_record) {
        statements.push(queries::SAVE_ANSWER.bind([
            ("account_id", commit.account_id()),
            ("idempotency_key", idempotency_key.as_str().into()),
            ("request_digest", saved.request_digest.into()),
            ("status", i64::from(saved.response.status).into()),
            ("body", saved.response.body.into()),
            ("now", bind::time(request.now)),
        ]));
    }
    statements.extend(commit.close(updates));
    statements
}

/// The guard that fails the batch where anything that the decision read, or would read now, has changed since: the
/// clients that a key matches or that change; their settlements; the API key and its access; the answer under the
/// idempotency key.
pub(super) fn guard(
    commit: &Commit<'_>,
    request: &ChangeRequest,
    snapshot: &Snapshot,
    change_set: &ChangeSet,
) -> Guard {
    let read = snapshot.clients.iter().map(|client| client.id);
    let changed = change_set.updated.iter().map(|update| update.id);
    let settled = change_set.settlements.iter().map(|change| match change {
        SettlementChange::Begun { client, .. } | SettlementChange::Corrected { client, .. } => *client,
    });
    let client_ids: BTreeSet<_> = read.chain(changed).chain(settled).collect();
    let external_ids: BTreeSet<_> = request.lookup_keys.iter().filter_map(|key| key.external_id.as_deref()).collect();
    let known: HashSet<_> = snapshot.clients.iter().filter_map(|client| client.fields.external_id.as_deref()).collect();
    let (mut persons, mut names, mut names_without_external_id) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    // A client that an external id found is guarded by its own id.
    for key in request.lookup_keys.iter().filter(|key| key.external_id.as_deref().is_none_or(|id| !known.contains(id)))
    {
        match key.person {
            PersonHash { name: Some(name), street: Some(street), zip5: Some(zip5), .. } => {
                persons.insert([name, street, zip5]);
            }
            PersonHash { name: Some(name), .. } => {
                let names = if key.external_id.is_some() { &mut names_without_external_id } else { &mut names };
                names.insert(name);
            }
            PersonHash { name: None, .. } => {}
        }
    }
    // An answer that the decision read is no change.
    let unanswered = request.idempotency_key.as_ref().filter(|_| snapshot.idempotency_record.is_none());
    let owner = &snapshot.key_owner;
    let others = vec![
        ("key", request.key.to_text().into()),
        ("suspended", owner.flags.suspended.into()),
        ("api_enabled", owner.flags.api_enabled.into()),
        ("role", owner.role.name().into()),
        ("external_ids", bind::texts(external_ids).into()),
        ("persons", bind::json(&persons).into()),
        ("names", bind::json(&names).into()),
        ("names_without_external_id", bind::json(&names_without_external_id).into()),
        ("idempotency_key", unanswered.cloned().into()),
        ("answers_since", bind::time(answers_since(request.now))),
    ];
    Guard::new(commit.version, client_ids, others)
}
