//! The way of both POSTs into the store: access and idempotency are decided on the same snapshot
//! as the data, so nothing changes between the check and the write (rules A7 and I5). A dry run goes the
//! same way and asks for nothing to be written (rule X2). A request with a plan asks for it only if it does what
//! its dry run showed (rule X15).

use std::sync::Arc;

use http::StatusCode;
use uuid::Uuid;

#[cfg(feature = "console")]
use super::imports::ImportBatch;
use super::{
    Api, access,
    endpoints::ResultsWriter,
    error::{ApiError, ErrorCode, ErrorMember},
    idempotency::Idempotency,
    post_options::PostOptions,
    preview_plan::{PlanMaker, PreviewPlan},
    request_context::RequestContext,
    response::{Response, to_json},
    review::{self, Unreadable},
    status_counts::{LastCounts, StatusCounts},
};
use crate::{
    client::Reading,
    key::KeyScope,
    plan::{Batch, Plan},
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{
        Authority, ChangeOwner, ChangeRequest, ChangeSet, Decided, IdempotencyRecord, Snapshot, Store, StoredResponse,
    },
};

/// The largest explained answer that is saved as it is; of a larger one the results alone are. An explanation
/// repeats values as they were sent, and a database takes only so much in one value, in which each byte may
/// have to be escaped.
const EXPLAINED_ANSWER_SAVED_BYTES_MAX: usize = 400_000;

/// What a 409 of a plan says.
const PLAN_NOT_KEPT: &str = "This plan is over 15 minutes old, or its results are no longer what would happen, so \
                             nothing was saved. The results are those of now; make another dry run to get a plan for \
                             them.";

/// A batch to be decided, and how it is to be answered.
pub(super) struct Submission {
    pub(super) batch: Batch,
    pub(super) idempotency: Option<Idempotency>,
    pub(super) mode: Mode,
    /// The answer has explanations.
    pub(super) explain: bool,
    /// Of each client of a batch that is explained.
    pub(super) readings: Option<Vec<Reading>>,
    pub(super) answering: Answering,
    /// The clients that cannot be read.
    pub(super) unreadable: Unreadable,
    /// Whether conflicts and errors wait for review.
    pub(super) keeps_review: bool,
    /// What the batch is to an import.
    #[cfg(feature = "console")]
    pub(super) import: Option<ImportBatch>,
}

/// Whether a batch is saved.
pub(super) enum Mode {
    /// It is.
    Save,
    /// Nothing is; the answer has a plan.
    DryRun(PlanMaker),
    /// It is if its results are those of the plan.
    Confirm(PlanMaker, PreviewPlan),
}

/// How an endpoint turns what became of the clients into an answer.
pub(super) struct Answering {
    /// Writes the member of the body that has the results.
    pub(super) push_results: fn(&ResultsWriter<'_>, &mut String),
    /// The answer where it is an error.
    pub(super) refusal: fn(&ResultsWriter<'_>) -> Result<Option<StoredResponse>, ApiError>,
}

impl Answering {
    fn answer(&self, results: &ResultsWriter<'_>) -> Result<StoredResponse, ApiError> {
        let saved = || {
            let mut body = String::with_capacity(results.bytes());
            body.push('{');
            (self.push_results)(results, &mut body);
            body.push('}');
            StoredResponse { status: StatusCode::OK.as_u16(), body, replayed: false }
        };
        Ok((self.refusal)(results)?.unwrap_or_else(saved))
    }
}

impl<S: Store, L: RateLimiter, P: Platform> Api<S, L, P> {
    /// The plan of a request's options, checked but for its request.
    pub(super) fn plan(&self, options: &PostOptions, account: Uuid) -> Result<Option<PreviewPlan>, ApiError> {
        options.plan.as_deref().map(|text| PreviewPlan::read(&self.key_secrets, account, text)).transpose()
    }

    /// Whether the request with this path and body is saved.
    pub(super) fn mode(
        &self,
        context: &RequestContext<'_>,
        account: Uuid,
        options: &PostOptions,
        plan: Option<PreviewPlan>,
        path: &str,
        body: &str,
    ) -> Result<Mode, ApiError> {
        let maker = |is_explained| PlanMaker::new(&self.key_secrets, account, context.now, is_explained, path, body);
        match plan {
            Some(plan) => {
                let maker = maker(plan.is_explained);
                maker.check_request(&plan)?;
                Ok(Mode::Confirm(maker, plan))
            }
            None if options.dry_run => Ok(Mode::DryRun(maker(options.explain))),
            None => Ok(Mode::Save),
        }
    }

    /// Decides a batch on the store's snapshot, saves it and answers; `None` if the key is not live, or the session is
    /// not open.
    pub(super) async fn submit(
        &self,
        context: &RequestContext<'_>,
        authority: Authority,
        account: Uuid,
        submission: Submission,
    ) -> Result<Option<Response>, ApiError> {
        let counts = Arc::<LastCounts>::default();
        let deciding = Arc::clone(&counts);
        let request = ChangeRequest {
            authority,
            account_hint: account,
            request_id: context.request_id,
            now: context.now,
            client_delay_seconds: self.settings.client_delay_seconds,
            retention: self.settings.retention,
            lookup_keys: submission.batch.lookup_keys(),
            names_similar: submission.readings.is_some(),
            idempotency_key: submission.idempotency.as_ref().map(|idempotency| idempotency.key.clone()),
            decide: Box::new(move |snapshot| decide(snapshot, &submission, &deciding)),
        };
        let Some(response) = self.store.change(request).await? else { return Ok(None) };
        let response = Response::of_stored(response)?;
        let counts = Some(counts.get()).filter(|counts| *counts != StatusCounts::default());
        Ok(Some(Response { counts, ..response }))
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
    match &snapshot.owner {
        ChangeOwner::Key(owner) => {
            access::check_access(owner)?;
            access::check_scope(owner, KeyScope::Clients)?;
        }
        #[cfg(feature = "console")]
        ChangeOwner::Session(owner, _) => super::imports::check_owner(owner)?,
    }
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
    #[cfg(feature = "console")]
    if let Some(ImportBatch::Rows(rows)) = &submission.import {
        rows.check(&snapshot.owner)?;
    }
    let mut plan = submission.batch.decide(snapshot.into());
    let Submission { answering, .. } = submission;
    if !matches!(submission.mode, Mode::Save)
        && let Some(response) = unsaved(&plan, snapshot, submission)?
    {
        return Ok(Decided { change_set: ChangeSet::default(), response });
    }
    let readings = submission.readings.as_deref().filter(|_| submission.explain);
    let results = ResultsWriter::new(&plan, false, readings).with_similar(&snapshot.similar);
    let response = answering.answer(&results)?;
    counts.set(&plan.results);
    if let Some(idempotency) = &submission.idempotency {
        let saved = if response.body.len() > EXPLAINED_ANSWER_SAVED_BYTES_MAX && readings.is_some() {
            answering.answer(&ResultsWriter::new(&plan, false, None))?
        } else {
            response.clone()
        };
        let request_digest = idempotency.request_digest.clone();
        plan.change_set.idempotency_record = Some(IdempotencyRecord { request_digest, response: saved });
    }
    if counts.get().has_unsaved() || !snapshot.waiting.is_empty() {
        plan.change_set.review = review::change(submission, &plan, snapshot);
    }
    #[cfg(feature = "console")]
    if let Some(ImportBatch::Rows(rows)) = &submission.import {
        plan.change_set.import = Some(rows.progress(&plan));
    }
    Ok(Decided { change_set: plan.change_set, response })
}

/// The answer where nothing is saved: to a dry run, and to a request whose plan is not kept.
#[cold]
#[inline(never)]
fn unsaved(plan: &Plan, snapshot: &Snapshot, submission: &Submission) -> Result<Option<StoredResponse>, ApiError> {
    let Submission { mode, answering, readings, .. } = submission;
    let (Mode::DryRun(maker) | Mode::Confirm(maker, _)) = mode else { return Ok(None) };
    let shows_explanations = maker.is_explained();
    let write = |writer: &ResultsWriter<'_>| {
        let mut results = String::with_capacity(writer.bytes());
        (answering.push_results)(writer, &mut results);
        results
    };
    let writer = ResultsWriter::new(plan, true, readings.as_deref().filter(|_| shows_explanations));
    // Possible duplicates come and go without a change of clients, so a plan does not name them (rule X19).
    let compared = write(&writer);
    if let Mode::Confirm(_, plan) = mode
        && maker.is_kept(plan, &compared)
    {
        return Ok(None);
    }
    let plan_text = maker.plan(&compared);
    let writer = writer.with_similar(&snapshot.similar);
    let results = if snapshot.similar.is_empty() { compared } else { write(&writer) };
    match mode {
        Mode::Confirm(..) => {
            let error = ErrorMember { code: ErrorCode::Conflict.name(), message: PLAN_NOT_KEPT };
            let error = String::from_utf8(to_json(&error)?).unwrap_or_default();
            let body = format!("{{\"error\":{error},{results}}}");
            Ok(Some(StoredResponse { status: ErrorCode::Conflict.status().as_u16(), body, replayed: false }))
        }
        _ => {
            if let Some(refusal) = (answering.refusal)(&writer)? {
                return Ok(Some(refusal));
            }
            let mut body = format!("{{{results},\"plan\":\"{plan_text}\"");
            add_effects(&mut body, snapshot, submission)?;
            body.push('}');
            Ok(Some(StoredResponse { status: StatusCode::OK.as_u16(), body, replayed: false }))
        }
    }
}

/// Adds what the preview of an import needs besides the results (rule G31).
#[cfg(feature = "console")]
fn add_effects(body: &mut String, snapshot: &Snapshot, submission: &Submission) -> Result<(), ApiError> {
    match submission.import {
        Some(ImportBatch::Preview) => super::imports::push_effects(body, snapshot, &submission.batch),
        _ => Ok(()),
    }
}

#[cfg(not(feature = "console"))]
#[expect(clippy::unnecessary_wraps, reason = "with the console it may fail")]
fn add_effects(_: &mut String, _: &Snapshot, _: &Submission) -> Result<(), ApiError> {
    Ok(())
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
