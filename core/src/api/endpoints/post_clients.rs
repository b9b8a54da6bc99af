//! `POST /clients`: creates or updates up to 500 clients (rules H16, H27 and H28).

use super::results::{RESULT_BYTES, ResultsWriter};
use crate::{
    api::{
        Api, RequestBody, batch_body,
        caller::Caller,
        change::Submission,
        error::ApiError,
        idempotency::{self, Idempotency},
        json_body,
        post_options::PostOptions,
        request_context::RequestContext,
        response::Response,
    },
    client::{ClientReader, Reading},
    plan::Batch,
    platform::Platform,
    rate_limiter::RateLimiter,
    store::{Store, StoredResponse},
};

impl<S: Store, L: RateLimiter, P: Platform> Api<S, L, P> {
    pub(in crate::api) async fn post_clients<B: RequestBody>(
        &self,
        context: &RequestContext<'_>,
        caller: &mut Caller,
        body: B,
    ) -> Result<Response, ApiError> {
        let options = PostOptions::read(context.head.uri.query())?;
        let idempotency_key = idempotency::read(&context.head.headers)?.filter(|_| !options.dry_run);
        let text = json_body::read_text(body, self.settings.body_limit_bytes).await?;
        let mut reader = ClientReader::default();
        let mut readings: Option<Vec<Reading>> = options.explain.then(Vec::new);
        let inputs = batch_body::read(&text, "clients", true, |scanner| {
            let Some(readings) = &mut readings else { return reader.read(scanner) };
            reader.read_explained(scanner).map(|(input, reading)| {
                readings.push(reading);
                input
            })
        })?;
        let batch = Batch::new(caller.account, inputs, context.mint, false);
        let batch = if options.explain { batch.explained() } else { batch };
        let idempotency = idempotency_key.map(|key| Idempotency::new(key, context.head, options, &text));
        // The body may be large, and the call of the store may take long.
        drop(text);
        let submission = Submission { batch, idempotency, dry_run: options.dry_run, readings, answering: response };
        self.submit(context, caller, submission).await
    }
}

fn response(results: &ResultsWriter<'_>) -> Result<StoredResponse, ApiError> {
    let all = results.upsert_results();
    let mut body = String::with_capacity(16 + RESULT_BYTES * all.len());
    body.push_str("{\"results\":[");
    for (index, outcome) in all.iter().enumerate() {
        body.push_str(if index > 0 { "," } else { "" });
        results.push(&mut body, index, outcome);
    }
    body.push_str("]}");
    Ok(StoredResponse { status: 200, body, replayed: false })
}
