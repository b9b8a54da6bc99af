//! One atomic batch that applies a change set (S4), guarded where what it was decided on may be stale (S5).

use std::collections::BTreeSet;

use foldhash::HashSet;
use matterbook_core::{
    api::answers_since,
    store::{ChangeRequest, ChangeSet, NewClient, SettlementChange, Snapshot},
};

use crate::{bind, columns::CLIENT_FIELDS, commit::Commit, driver::Statement, guard::Guard, queries};

/// The batch for a change set that is not empty, within a transaction that excludes other writers.
pub(super) fn batch(commit: &Commit<'_>, request: &ChangeRequest, change_set: ChangeSet) -> Vec<Statement> {
    statements(commit, request, change_set, Guard::none())
}

/// The batch for a change set that is not empty. It fails as a whole where anything that the decision read, or
/// would read now, has changed since.
pub(super) fn guarded_batch(
    commit: &Commit<'_>,
    request: &ChangeRequest,
    snapshot: &Snapshot,
    change_set: ChangeSet,
) -> Vec<Statement> {
    let guard = guard(commit, request, snapshot, &change_set);
    statements(commit, request, change_set, guard)
}

fn statements(commit: &Commit<'_>, request: &ChangeRequest, change_set: ChangeSet, guard: Guard) -> Vec<Statement> {
    let ChangeSet { created, updated, settlements, saved_answer } = change_set;
    let mut statements = commit.open(updated.len(), guard);
    statements.extend(create_clients(commit, created));
    statements.extend(commit.update_clients(updated));
    statements.extend(put_settlements(commit, settlements));
    if let (Some(idempotency_key), Some(saved)) = (&request.idempotency_key, saved_answer) {
        statements.push(queries::SAVE_ANSWER.bind([
            ("account_id", commit.account_id()),
            ("idempotency_key", idempotency_key.as_str().into()),
            ("request_digest", saved.request_digest.into()),
            ("status", i64::from(saved.answer.status).into()),
            ("body", saved.answer.body.into()),
            ("now", bind::time(request.now)),
        ]));
        statements.push(queries::FORGET_ANSWERS.bind([("answers_since", bind::time(answers_since(request.now)))]));
    }
    statements.push(commit.close());
    statements
}

/// Guards the clients that a key matches, was shown or changes; their settlements; the API key and its access;
/// the answer under the idempotency key.
fn guard(commit: &Commit<'_>, request: &ChangeRequest, snapshot: &Snapshot, change_set: &ChangeSet) -> Guard {
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
        match (key.person.name, key.person.place) {
            (Some(name), Some(place)) => drop(persons.insert([name, place])),
            (Some(name), None) if key.external_id.is_some() => drop(names_without_external_id.insert(name)),
            (Some(name), None) => drop(names.insert(name)),
            (None, _) => {}
        }
    }
    // An answer that the decision read is no change.
    let unanswered = request.idempotency_key.as_ref().filter(|_| snapshot.saved_answer.is_none());
    let owner = &snapshot.holder;
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

fn create_clients(commit: &Commit<'_>, created: Vec<NewClient>) -> Vec<Statement> {
    let rows = created.into_iter().map(|client| {
        let NewClient { id, fields, person } = client;
        let tail = [person.name.into(), person.place.into(), bind::fingerprint(fields.fingerprint())];
        [commit.account_id(), commit.at(), bind::id(id)].into_iter().chain(bind::client_fields(&fields)).chain(tail)
    });
    let names =
        [&["account_id", "commit_at", "id"], CLIENT_FIELDS, &["name_hash", "place_hash", "fingerprint"]].concat();
    queries::CREATE_CLIENTS.bind_rows(&names, rows)
}

fn put_settlements(commit: &Commit<'_>, settlements: Vec<SettlementChange>) -> Vec<Statement> {
    let rows = settlements.into_iter().map(|change| {
        let (SettlementChange::Begun { id, client, settled_on, former_dates }
        | SettlementChange::Corrected { id, client, settled_on, former_dates }) = change;
        let former_dates: Vec<_> = former_dates.iter().map(ToString::to_string).collect();
        let former_dates = bind::texts(former_dates.iter().map(String::as_str));
        [commit.account_id(), commit.at(), bind::id(client), bind::id(id), bind::date(settled_on), former_dates.into()]
    });
    let names = ["account_id", "commit_at", "client_id", "id", "settled_on", "former_dates"];
    queries::PUT_SETTLEMENTS.bind_rows(&names, rows)
}
