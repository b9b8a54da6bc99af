//! What a decision keeps for review: its conflicts and errors, and that a client that waited came well (rules J1 to J4).

use std::cmp::Reverse;

use uuid::Uuid;

use super::{change::Submission, endpoints::message};
use crate::{
    client::{ClientFields, sent_input, sent_unreadable},
    json::Scanner,
    matching::MatchKey,
    order,
    plan::{Plan, UpsertResult},
    store::{NewReviewItem, ReviewChange, ReviewStatus, Snapshot, review_digest, review_ids},
};

/// The largest content of a client that is kept, in bytes. One with the longest fields that a rule takes is smaller.
const SENT_BYTES_MAX: usize = 20_000;

/// The clients of a body that cannot be read, in the order sent.
#[derive(Debug, Default)]
pub(super) struct Unreadable(Vec<String>);

impl Unreadable {
    /// Adds the client between two positions of the body.
    #[cold]
    pub(super) fn add(&mut self, start: &Scanner<'_>, end: &Scanner<'_>) {
        self.0.push(start.text_to(end).to_owned());
    }
}

/// What a plan does to what waits for review.
#[cold]
#[inline(never)]
pub(super) fn change(submission: &Submission, plan: &Plan, snapshot: &Snapshot) -> ReviewChange {
    let batch = &submission.batch;
    let mut unreadable = submission.unreadable.0.iter();
    // What becomes of each id, with the place of the client.
    let mut found: Vec<(Uuid, usize, Option<NewReviewItem>)> = Vec::new();
    for (index, result) in plan.results.iter().enumerate() {
        let (fields, sent);
        let (status, candidates) = match result {
            UpsertResult::Created(_) | UpsertResult::Updated(_) => {
                found.extend(batch.review_ids(index).into_iter().map(|id| (id, index, None)));
                continue;
            }
            UpsertResult::Conflict(conflict) => (ReviewStatus::Conflict, conflict.candidates.clone()),
            UpsertResult::Invalid(_) | UpsertResult::Nameless { .. } => (ReviewStatus::Error, Vec::new()),
        };
        match batch.input(index) {
            Some((input, new_settlement)) => {
                sent = sent_input(&input.fields, new_settlement);
                fields = input.fields.clone();
            }
            None => (fields, sent) = unreadable.next().map(|json| sent_unreadable(json)).unwrap_or_default(),
        }
        let item = item(submission, &fields, sent, (status, message(result), candidates));
        found.push((item.id, index, Some(item)));
    }
    // Of several clients with an id only the last one counts.
    order::sort_by_key(&mut found, |(id, index, _)| (*id, Reverse(*index)));
    found.dedup_by_key(|(id, ..)| *id);
    let mut items: Vec<_> = Vec::new();
    let mut gone: Vec<_> = Vec::new();
    for (id, index, item) in found {
        match item {
            Some(item) if submission.keeps_review => items.push((index, item)),
            None if snapshot.waiting.contains(&id) => gone.push(id),
            _ => {}
        }
    }
    order::sort_by_key(&mut items, |(index, _)| *index);
    ReviewChange { items: items.into_iter().map(|(_, item)| item).collect(), gone }
}

fn item(
    submission: &Submission,
    fields: &ClientFields,
    sent: String,
    (status, message, candidates): (ReviewStatus, String, Vec<Uuid>),
) -> NewReviewItem {
    let account = submission.batch.account();
    let person = MatchKey::of(fields).hash();
    let content = review_digest(account, b"content", sent.as_bytes());
    let id = review_ids(account, fields.external_id.as_deref(), person).first().copied().unwrap_or(content);
    let sent = Some(sent).filter(|sent| sent.len() <= SENT_BYTES_MAX);
    NewReviewItem { id, status, message, sent, content, candidates, name_hash: person.name }
}
