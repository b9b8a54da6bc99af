//! The way of both POSTs into the store: access and idempotency are decided on the same snapshot
//! as the data, so nothing changes between the check and the write (rules A7 and I5). A dry run goes the
//! same way and asks for nothing to be written (rule X2).

use std::sync::Arc;

use http::StatusCode;

use super::{
    Api, access,
    caller::Caller,
    endpoints::ResultsWriter,
    error::{ApiError, ErrorCode},
    idempotency::Idempotency,
    request_context::RequestContext,
    response::Response,
    status_counts::{LastCounts, StatusCounts},
};
use crate::{
    client::Reading,
    key::KeyScope,
    plan::Batch,
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{ChangeRequest, ChangeSet, Decided, IdempotencyRecord, Snapshot, Store, StoredResponse},
};

/// The largest explained answer that is saved as it is; of a larger one the results alone are. An explanation
/// repeats values as they were sent, and a database takes only so much in one value, in which each byte may
/// have to be escaped.
const EXPLAINED_ANSWER_SAVED_BYTES_MAX: usize = 400_000;

/// A batch to be decided, and how it is to be answered.
pub(super) struct Submission {
    pub(super) batch: Batch,
    pub(super) idempotency: Option<Idempotency>,
    /// Nothing is saved.
    pub(super) dry_run: bool,
    /// Of each client of a batch that is explained.
    pub(super) readings: Option<Vec<Reading>>,
    /// Turns what became of the clients into an answer.
    pub(super) answering: fn(&ResultsWriter<'_>) -> Result<StoredResponse, ApiError>,
}

impl<S: Store, L: RateLimiter, P: Platform> Api<S, L, P> {
    /// Decides a batch on the store's snapshot, saves it and answers.
    pub(super) async fn submit(
        &self,
        context: &RequestContext<'_>,
        caller: &mut Caller,
        submission: Submission,
    ) -> Result<Response, ApiError> {
        let counts = Arc::<LastCounts>::default();
        let deciding = Arc::clone(&counts);
        let request = ChangeRequest {
            key: caller.key,
            account_hint: caller.account,
            request_id: context.request_id,
            now: context.now,
            client_delay_seconds: self.settings.client_delay_seconds,
            retention: self.settings.retention,
            lookup_keys: submission.batch.lookup_keys(),
            idempotency_key: submission.idempotency.as_ref().map(|idempotency| idempotency.key.clone()),
            decide: Box::new(move |snapshot| decide(snapshot, &submission, &deciding)),
        };
        let response = self.store.change(request).await?;
        let response = Response::of_stored(self.live(caller, response)?)?;
        let counts = Some(counts.get()).filter(|counts| *counts != StatusCounts::default());
        Ok(Response { counts, ..response })
    }
}

fn decide(snapshot: &Snapshot, submission: &Submission, counts: &LastCounts) -> Decided {
    counts.clear();
    match decide_on(snapshot, submission, counts) {
        Ok(decided) => decided,
        Err(error) => Decided { change_set: ChangeSet::default(), response: response_of(error) },
    }
}

fn decide_on(snapshot: &Snapshot, submission: &Submission, counts: &LastCounts) -> Result<Decided, ApiError> {
    access::check_access(&snapshot.key_owner)?;
    access::check_scope(&snapshot.key_owner, KeyScope::Clients)?;
    if let (Some(idempotency), Some(saved)) = (&submission.idempotency, &snapshot.idempotency_record) {
        if saved.request_digest != idempotency.request_digest {
            return Err(ApiError::new(
                ErrorCode::InvalidRequest,
                "This Idempotency-Key was used for another request in the last 24 hours; use a new one.",
            )
            .with_status(StatusCode::UNPROCESSABLE_ENTITY));
        }
        let response = StoredResponse { replayed: true, ..saved.response.clone() };
        return Ok(Decided { change_set: ChangeSet::default(), response });
    }
    let mut plan = submission.batch.decide(snapshot.into());
    let results = ResultsWriter::new(&plan, submission.dry_run, submission.readings.as_deref());
    let response = (submission.answering)(&results)?;
    if submission.dry_run {
        return Ok(Decided { change_set: ChangeSet::default(), response });
    }
    counts.set(&plan.results);
    if let Some(idempotency) = &submission.idempotency {
        let saved = if response.body.len() > EXPLAINED_ANSWER_SAVED_BYTES_MAX && submission.readings.is_some() {
            (submission.answering)(&ResultsWriter::new(&plan, false, None))?
        } else {
            response.clone()
        };
        let request_digest = idempotency.request_digest.clone();
        plan.change_set.idempotency_record = Some(IdempotencyRecord { request_digest, response: saved });
    }
    Ok(Decided { change_set: plan.change_set, response })
}

/// An error as a decision's answer.
pub(super) fn response_of(error: ApiError) -> StoredResponse {
    let response = Response::from(error);
    StoredResponse {
        status: response.status.as_u16(),
        body: String::from_utf8(response.body).unwrap_or_default(),
        replayed: false,
    }
}
