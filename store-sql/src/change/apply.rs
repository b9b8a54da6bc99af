//! One atomic batch that applies a change set (S4), guarded where what it was decided on may be stale (S5).

use matterbook_core::{
    api::answers_since,
    order,
    store::{ChangeOwner, ChangeRequest, ChangeSet, LookupKey, SettlementChange, Snapshot},
};

#[cfg(feature = "console")]
use crate::operate::console::session;
use crate::{
    bind,
    change_state::{self, ChangeState},
    commit::Commit,
    driver::Statement,
    guard::{self, Guard},
    queries, review,
};
#[cfg(feature = "console")]
use matterbook_core::store::Authority;
#[cfg(feature = "console")]
use uuid::Uuid;

/// The batch for a change set that is not empty.
pub(super) fn batch(
    commit: &Commit<'_>,
    request: &ChangeRequest,
    change_set: ChangeSet,
    guard: Guard,
) -> Vec<Statement> {
    let ChangeSet {
        created,
        updated,
        settlements,
        aliases,
        idempotency_record,
        review,
        #[cfg(feature = "console")]
        import,
    } = change_set;
    let updates = updated.len();
    let mut statements = commit.open(created.len(), updates, guard);
    statements.extend(commit.create_clients(created));
    statements.extend(commit.update_clients(updated));
    statements.extend(commit.put_settlements(settlements));
    statements.extend(commit.give_aliases(&aliases));
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
    #[cfg(feature = "console")]
    statements.extend(import.zip(import_of(request)).map(|(progress, import)| {
        let counts = progress.counts;
        queries::ADVANCE_IMPORT.bind([
            ("import", bind::id(import)),
            ("account_id", commit.account_id()),
            ("rows", progress.rows.into()),
            ("created", counts.created.into()),
            ("updated", counts.updated.into()),
            ("unchanged", counts.unchanged.into()),
            ("refused", counts.refused.into()),
        ])
    }));
    statements.extend(review::statements(request, commit.version.account_id, commit.author, review));
    statements.extend(commit.close(updates));
    statements
}

/// The batch for a change set that is no commit.
pub(super) fn review_alone(request: &ChangeRequest, state: &ChangeState, change_set: ChangeSet) -> Vec<Statement> {
    review::statements(request, state.version.account_id, state.author(request), change_set.review)
}

/// The import that a request is a batch of.
#[cfg(feature = "console")]
const fn import_of(request: &ChangeRequest) -> Option<Uuid> {
    match &request.authority {
        Authority::Session(authority) => authority.import,
        Authority::Key(_) => None,
    }
}

/// What fails the batch where the session opens something else than when its owner was read, or where the import has
/// come further.
#[cfg(feature = "console")]
fn session_guard(commit: &Commit<'_>, request: &ChangeRequest, owner: &ChangeOwner) -> Vec<Statement> {
    let (Authority::Session(authority), ChangeOwner::Session(owner, import)) = (&request.authority, owner) else {
        return Vec::new();
    };
    let session = session::require(&authority.session, request.now, owner);
    let import = authority.import.zip(*import).map(|(id, state)| {
        queries::REQUIRE_IMPORT.bind([
            ("import", bind::id(id)),
            ("account_id", commit.account_id()),
            ("sent_rows", state.sent_rows.into()),
            ("has_ended", state.has_ended.into()),
        ])
    });
    [session].into_iter().chain(import).collect()
}

/// The guard that fails the batch where anything that the decision read, or would read now, has changed since: the
/// clients that a key matches or that change; their settlements; the API key or session and its access; the answer under
/// the idempotency key.
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
    let client_ids = order::distinct(read.chain(changed).chain(settled));
    let external_ids = order::distinct(request.lookup_keys.iter().filter_map(|key| key.external_id.as_deref()));
    let known = snapshot.clients.iter().filter_map(|client| client.fields.external_id.as_deref());
    let known = order::distinct(known);
    // A client that an external id found is guarded by its own id.
    let is_unknown = |key: &&LookupKey| key.external_id.as_deref().is_none_or(|id| known.binary_search(&id).is_err());
    let people = request.lookup_keys.iter().filter(is_unknown).map(|key| (key.person, key.external_id.is_some()));
    // An answer that the decision read is no change.
    let unanswered = request.idempotency_key.as_ref().filter(|_| snapshot.idempotency_record.is_none());
    let mut others = match &snapshot.owner {
        ChangeOwner::Key(owner) => vec![
            ("key", change_state::key(request)),
            ("suspended", owner.flags.suspended.into()),
            ("api_enabled", owner.flags.api_enabled.into()),
            ("role", owner.role.name().into()),
        ],
        #[cfg(feature = "console")]
        ChangeOwner::Session(..) => Vec::new(),
    };
    others.extend([
        ("external_ids", bind::texts(external_ids).into()),
        ("idempotency_key", unanswered.cloned().into()),
        ("answers_since", bind::time(answers_since(request.now))),
    ]);
    others.extend(guard::people(people));
    let guard = Guard::new(commit.version, client_ids, others);
    #[cfg(feature = "console")]
    let guard = guard.and(session_guard(commit, request, &snapshot.owner));
    guard
}
