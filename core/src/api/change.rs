//! The way of both POSTs into the store: access and idempotency are decided on the same snapshot
//! as the data, so nothing changes between the check and the write (design sections 3 and 8).

use std::sync::Arc;

use http::StatusCode;

use super::{
    Api, access,
    caller::Caller,
    error::{ApiError, ErrorCode},
    exchange::Exchange,
    idempotency::Idempotency,
    outcomes::{LastOutcomes, OutcomeCounts},
    reply::Reply,
};
use crate::{
    gate::Gate,
    plan::{Batch, Plan},
    platform::Platform,
    store::{Answer, ChangeRequest, ChangeSet, Decided, SavedAnswer, Snapshot, Store},
};

/// Turns a plan's outcomes into an answer.
pub(super) type Answering = fn(&Plan) -> Result<Answer, ApiError>;

impl<S: Store, G: Gate, P: Platform> Api<S, G, P> {
    /// Decides a batch on the store's snapshot, saves it and answers.
    pub(super) async fn submit(
        &self,
        exchange: &Exchange<'_>,
        caller: &mut Caller,
        batch: Batch,
        idempotency: Option<Idempotency>,
        answering: Answering,
    ) -> Result<Reply, ApiError> {
        let batch = Arc::new(batch);
        let (giving, asked) = (Arc::clone(&batch), Arc::clone(&batch));
        let outcomes = Arc::<LastOutcomes>::default();
        let deciding = Arc::clone(&outcomes);
        let request = ChangeRequest {
            key: caller.key,
            account_hint: caller.account,
            request_id: exchange.request_id,
            now: exchange.now,
            client_delay_seconds: self.settings.client_delay_seconds,
            wants: batch.wants(),
            given: Arc::new(move |want| giving.given(want).cloned()),
            identities: Arc::new(move || asked.identities()),
            idempotency_key: idempotency.as_ref().map(|idempotency| idempotency.key.clone()),
            decide: Box::new(move |snapshot| decide(snapshot, &batch, idempotency.as_ref(), answering, &deciding)),
        };
        let answer = self.store.change(request).await?;
        let reply = Reply::of_answer(self.live(caller, answer)?)?;
        let outcomes = Some(outcomes.get()).filter(|outcomes| *outcomes != OutcomeCounts::default());
        Ok(Reply { outcomes, ..reply })
    }
}

fn decide(
    snapshot: &Snapshot,
    batch: &Batch,
    idempotency: Option<&Idempotency>,
    answering: Answering,
    outcomes: &LastOutcomes,
) -> Decided {
    outcomes.clear();
    match decide_on(snapshot, batch, idempotency, answering, outcomes) {
        Ok(decided) => decided,
        Err(error) => Decided { change_set: ChangeSet::default(), answer: answer_of(error) },
    }
}

fn decide_on(
    snapshot: &Snapshot,
    batch: &Batch,
    idempotency: Option<&Idempotency>,
    answering: Answering,
    outcomes: &LastOutcomes,
) -> Result<Decided, ApiError> {
    access::check_access(&snapshot.holder)?;
    if let (Some(idempotency), Some(saved)) = (idempotency, &snapshot.saved_answer) {
        if saved.request_digest != idempotency.request_digest {
            return Err(ApiError::new(
                ErrorCode::InvalidRequest,
                "This Idempotency-Key was used for another request in the last 24 hours; use a new one.",
            )
            .with_status(StatusCode::UNPROCESSABLE_ENTITY));
        }
        let answer = Answer { replayed: true, ..saved.answer.clone() };
        return Ok(Decided { change_set: ChangeSet::default(), answer });
    }
    let mut plan = batch.decide(snapshot.into());
    let answer = answering(&plan)?;
    outcomes.set(&plan.outcomes);
    plan.change_set.saved_answer = idempotency
        .map(|idempotency| SavedAnswer { request_digest: idempotency.request_digest.clone(), answer: answer.clone() });
    Ok(Decided { change_set: plan.change_set, answer })
}

/// An error as a decision's answer.
pub(super) fn answer_of(error: ApiError) -> Answer {
    let reply = Reply::from(error);
    Answer { status: reply.status.as_u16(), body: String::from_utf8(reply.body).unwrap_or_default(), replayed: false }
}
