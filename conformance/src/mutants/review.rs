//! Stores that lose what waits for review, or keep too much of it (S20).

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use matterbook_core::{
    store::{
        ChangeRequest, ClientPage, ClientPageQuery, Decide, IdempotencyRecord, LogEntry, OperatorAnswer,
        OperatorCommand, ReviewChange, ReviewDecision, Snapshot,
    },
    time::Timestamp,
};
use uuid::Uuid;

use super::broken::{Fault, deciding};

/// Keeps nothing for review.
#[derive(Default)]
pub(super) struct LosesReview;

impl Fault for LosesReview {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        deciding(request, |_, decided| decided.change_set.review = ReviewChange::default())
    }
}

/// Takes every item for one with other content.
#[derive(Default)]
pub(super) struct ForgetsContent;

impl Fault for ForgetsContent {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        let content = request.request_id;
        deciding(request, move |_, decided| {
            for item in &mut decided.change_set.review.items {
                item.content = Uuid::from_u128(item.content.as_u128() ^ content.as_u128());
            }
        })
    }
}

/// Keeps what waits for a client that came well.
#[derive(Default)]
pub(super) struct KeepsWhatCameWell;

impl Fault for KeepsWhatCameWell {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        deciding(request, |_, decided| decided.change_set.review.gone.clear())
    }
}

/// Makes a commit of what waits.
#[derive(Default)]
pub(super) struct CommitsReview;

impl Fault for CommitsReview {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        let request = deciding(request, |_, decided| {
            if !decided.change_set.review.is_empty() {
                let response = decided.response.clone();
                decided.change_set.idempotency_record =
                    Some(IdempotencyRecord { request_digest: String::new(), response });
            }
        });
        ChangeRequest { idempotency_key: request.idempotency_key.or_else(|| Some(String::new())), ..request }
    }
}

/// Shows what waits for ever.
#[derive(Default)]
pub(super) struct ShowsOldReview;

impl Fault for ShowsOldReview {
    fn command(&self, _entry: &LogEntry, command: OperatorCommand) -> OperatorCommand {
        match command {
            OperatorCommand::ListReview { account, before, limit, .. } => {
                OperatorCommand::ListReview { account, seen_since: Timestamp::default(), before, limit }
            }
            other => other,
        }
    }
}

/// Has no second page.
#[derive(Default)]
pub(super) struct ReviewEndsWithFirstPage;

impl Fault for ReviewEndsWithFirstPage {
    fn answer(&self, _command: &OperatorCommand, _entry: &LogEntry, answer: OperatorAnswer) -> OperatorAnswer {
        match answer {
            OperatorAnswer::Review(items, _) => OperatorAnswer::Review(items, None),
            other => other,
        }
    }
}

/// Finds no client by an alias.
#[derive(Default)]
pub(super) struct IgnoresAliases;

impl Fault for IgnoresAliases {
    fn request(&self, request: ChangeRequest) -> ChangeRequest {
        let mut sound = request.decide;
        let decide: Decide = Box::new(move |snapshot| sound(&Snapshot { aliases: Vec::new(), ..snapshot.clone() }));
        ChangeRequest { decide, ..request }
    }
}

/// Lists a client by its own external id alone.
#[derive(Default)]
pub(super) struct ListsByOwnIdAlone;

impl Fault for ListsByOwnIdAlone {
    fn client_page(&self, query: &ClientPageQuery, mut page: ClientPage) -> ClientPage {
        page.clients.retain(|client| query.filter.admits(&client.borrowed()));
        page
    }
}

/// Leaves everything.
#[derive(Default)]
pub(super) struct LeavesEverything;

impl Fault for LeavesEverything {
    fn command(&self, _entry: &LogEntry, command: OperatorCommand) -> OperatorCommand {
        match command {
            OperatorCommand::ResolveReview { account, item, mint, client_delay_seconds, .. } => {
                let decision = ReviewDecision::Leave;
                OperatorCommand::ResolveReview { account, item, decision, mint, client_delay_seconds }
            }
            other => other,
        }
    }
}

/// Names clients in the way that are gone.
#[derive(Default)]
pub(super) struct NamesTheGone {
    candidates: Mutex<BTreeMap<Uuid, Vec<Uuid>>>,
}

impl Fault for NamesTheGone {
    fn answer(&self, _command: &OperatorCommand, _entry: &LogEntry, mut answer: OperatorAnswer) -> OperatorAnswer {
        if let OperatorAnswer::Review(items, _) = &mut answer {
            let mut candidates = self.candidates.lock().unwrap_or_else(PoisonError::into_inner);
            for kept in items {
                let known = candidates.entry(kept.item.content).or_insert_with(|| kept.item.candidates.clone());
                kept.item.candidates.clone_from(known);
            }
        }
        answer
    }
}

/// Does not tell what an undo makes of an item.
#[derive(Default)]
pub(super) struct HidesTurnedItems;

impl Fault for HidesTurnedItems {
    fn answer(&self, _command: &OperatorCommand, _entry: &LogEntry, mut answer: OperatorAnswer) -> OperatorAnswer {
        if let OperatorAnswer::Undone(report) = &mut answer {
            report.undo.item = None;
        }
        answer
    }
}
