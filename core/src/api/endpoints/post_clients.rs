//! `POST /clients`: creates or updates up to 500 clients (rules H16, H27 and H28).

use super::results::ResultsWriter;
use crate::{
    api::{
        Api, RequestBody, batch_body,
        caller::Caller,
        change::{Answering, Submission},
        error::ApiError,
        idempotency::{self, Idempotency},
        json_body,
        post_options::PostOptions,
        request_context::RequestContext,
        response::Response,
        review::Unreadable,
    },
    client::{ClientReader, Reading},
    plan::Batch,
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{Authority, Store},
};
use uuid::Uuid;

impl<S: Store, L: RateLimiter, P: Platform> Api<S, L, P> {
    pub(in crate::api) async fn post_clients<B: RequestBody>(
        &self,
        context: &RequestContext<'_>,
        caller: &mut Caller,
        body: B,
    ) -> Result<Response, ApiError> {
        let options = PostOptions::read(context.head.uri.query())?;
        let submission = self.read_clients(context, caller.account, &options, context.head.uri.path(), body).await?;
        let response = self.submit(context, Authority::Key(caller.key), caller.account, submission).await?;
        self.live(caller, response)
    }

    /// Reads the clients of a request. Its plans belong to this path.
    pub(in crate::api) async fn read_clients<B: RequestBody>(
        &self,
        context: &RequestContext<'_>,
        account: Uuid,
        options: &PostOptions,
        path: &str,
        body: B,
    ) -> Result<Submission, ApiError> {
        let plan = self.plan(options, account)?;
        let idempotency_key = idempotency::read(&context.head.headers)?.filter(|_| !options.dry_run);
        let text = json_body::read_text(body, self.settings.body_limit_bytes).await?;
        let mut reader = ClientReader::default();
        let is_explained = options.explain || plan.is_some_and(|plan| plan.is_explained);
        let mut readings: Option<Vec<Reading>> = is_explained.then(Vec::new);
        let mut unreadable = Unreadable::default();
        let inputs = batch_body::read(&text, "clients", true, |scanner| {
            let start = scanner.clone();
            let input = match &mut readings {
                None => reader.read(scanner)?,
                Some(readings) => {
                    let (input, reading) = reader.read_explained(scanner)?;
                    readings.push(reading);
                    input
                }
            };
            if input.is_err() {
                unreadable.add(&start, scanner);
            }
            Ok(input)
        })?;
        let batch = Batch::new(account, inputs, context.mint, false);
        let batch = if is_explained { batch.explained() } else { batch };
        let idempotency = idempotency_key.map(|key| Idempotency::new(key, context.head, options.explain, &text));
        let mode = self.mode(context, account, options, plan, path, &text)?;
        Ok(Submission {
            batch,
            idempotency,
            mode,
            explain: options.explain,
            readings,
            answering: ANSWERING,
            unreadable,
            keeps_review: self.settings.retention.review_days > 0,
            #[cfg(feature = "console")]
            import: None,
        })
    }
}

const ANSWERING: Answering = Answering { push_results, refusal: |_| Ok(None) };

fn push_results(results: &ResultsWriter<'_>, body: &mut String) {
    body.push_str("\"results\":[");
    for (index, outcome) in results.upsert_results().iter().enumerate() {
        body.push_str(if index > 0 { "," } else { "" });
        results.push(body, index, outcome);
    }
    body.push(']');
}
