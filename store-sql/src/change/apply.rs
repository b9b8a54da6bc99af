//! One atomic batch that applies a change set (S4), and fails whole on stale ground (S5).

use matterbook_core::{
    order::distinct,
    store::{ChangeRequest, ChangeSet, NewClient, SettlementChange, Snapshot},
};

use super::wants_of_strangers;
use crate::{
    bind,
    columns::CLIENT_FIELDS,
    commit::Commit,
    driver::{Isolation, Statement},
    guard::Guard,
    holder::answers_since,
    queries,
};

/// The batch for a change set that is not empty.
pub(crate) fn batch(
    commit: &Commit<'_>,
    request: &ChangeRequest,
    snapshot: &Snapshot,
    change_set: ChangeSet,
) -> Vec<Statement> {
    let guard = if commit.isolation == Isolation::Batch {
        guard(commit, request, snapshot, &change_set)
    } else {
        Guard::none()
    };
    let mut rows = Rows::of(commit, request, change_set);
    rows.enclose(commit, guard);
    rows.statements
}

/// The statements of a commit that write what was decided; and then those around them.
pub(super) struct Rows {
    pub(super) statements: Vec<Statement>,
    /// The number of clients that change.
    updated: usize,
}

impl Rows {
    pub(super) fn of(commit: &Commit<'_>, request: &ChangeRequest, change_set: ChangeSet) -> Self {
        let ChangeSet { created, updated, settlements, saved_answer } = change_set;
        let updated_count = updated.len();
        let mut statements = create_clients(commit, created);
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
        Self { statements, updated: updated_count }
    }

    /// Gives them the time of a commit.
    #[cfg(feature = "transactions")]
    pub(super) fn set_time(&mut self, commit: &Commit<'_>) {
        self.statements.iter_mut().for_each(|statement| statement.set("commit_at", &commit.at()));
    }

    /// Puts around them what every commit begins and ends with.
    pub(super) fn enclose(&mut self, commit: &Commit<'_>, guard: Guard) {
        self.statements.splice(..0, commit.open(self.updated, guard));
        self.statements.push(commit.close());
    }
}

/// The clients that a want meets, was shown or changes; their settlements; the key, and who may call
/// with it; the answer under the idempotency key.
fn guard(commit: &Commit<'_>, request: &ChangeRequest, snapshot: &Snapshot, change_set: &ChangeSet) -> Guard {
    let seen = snapshot.clients.iter().map(|client| client.id);
    let changed = change_set.updated.iter().map(|update| update.id);
    let settled = change_set.settlements.iter().map(|change| match change {
        SettlementChange::Begun { client, .. } | SettlementChange::Corrected { client, .. } => *client,
    });
    let client_ids = distinct(seen.chain(changed).chain(settled));
    let wanted = request.wants.iter().filter_map(|want| want.external_id.as_deref());
    let external_ids = distinct(wanted);
    let mut persons = Vec::new();
    let mut names = Vec::new();
    let mut names_without_external_id = Vec::new();
    // Whom an external id found is guarded by its own id.
    for want in wants_of_strangers(request, snapshot) {
        let person = want.person.hash();
        match (person.name, person.place) {
            (Some(name), Some(place)) => persons.push([name, place]),
            (Some(name), None) if want.external_id.is_some() => names_without_external_id.push(name),
            (Some(name), None) => names.push(name),
            (None, _) => {}
        }
    }
    // An answer that the decision saw is no news.
    let unanswered = request.idempotency_key.as_ref().filter(|_| snapshot.saved_answer.is_none());
    let holder = &snapshot.holder;
    let others = vec![
        ("key", request.key.to_text().into()),
        ("suspended", holder.flags.suspended.into()),
        ("api_enabled", holder.flags.api_enabled.into()),
        ("role", holder.role.name().into()),
        ("external_ids", bind::texts(external_ids).into()),
        ("persons", bind::json(&distinct(persons)).into()),
        ("names", bind::json(&distinct(names)).into()),
        ("names_without_external_id", bind::json(&distinct(names_without_external_id)).into()),
        ("idempotency_key", unanswered.cloned().into()),
        ("answers_since", bind::time(answers_since(request.now))),
    ];
    Guard::new(commit.ground, client_ids, others)
}

fn create_clients(commit: &Commit<'_>, created: Vec<NewClient>) -> Vec<Statement> {
    let rows = created.into_iter().map(|client| {
        let NewClient { id, fields, person } = client;
        let tail = [person.name.into(), person.place.into(), bind::fingerprint(fields.fingerprint())];
        [commit.account_id(), commit.at(), bind::id(id)].into_iter().chain(bind::client_fields(fields)).chain(tail)
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
