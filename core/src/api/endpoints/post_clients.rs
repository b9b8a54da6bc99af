//! `POST /clients`: add or update up to 500 clients (reference section 4.1).

use super::upsert_result;
use crate::{
    api::{
        Api, RequestBody, batch_body,
        caller::Caller,
        error::ApiError,
        exchange::Exchange,
        idempotency::{self, Idempotency},
        json_body,
        query::Query,
        reply::Reply,
    },
    client::ClientReader,
    gate::Gate,
    plan::{Batch, Plan},
    platform::Platform,
    store::{Answer, Store},
};

impl<S: Store, G: Gate, P: Platform> Api<S, G, P> {
    pub(in crate::api) async fn post_clients<B: RequestBody>(
        &self,
        exchange: &Exchange<'_>,
        caller: &mut Caller,
        body: B,
    ) -> Result<Reply, ApiError> {
        Query::parse(exchange.head.uri.query(), &[])?;
        let idempotency_key = idempotency::read(&exchange.head.headers)?;
        let text = json_body::read_text(body, self.settings.body_limit_bytes).await?;
        let mut reader = ClientReader::default();
        let inputs = batch_body::read(&text, "clients", true, |scanner| reader.read(scanner))?;
        let batch = Batch::new(caller.account, inputs, exchange.mint, false);
        let idempotency =
            idempotency_key.map(|key| Idempotency { key, request_digest: idempotency::digest(exchange.head, &text) });
        // It may be large, and the store may have to be waited for.
        drop(text);
        self.submit(exchange, caller, batch, idempotency, answer).await
    }
}

fn answer(plan: &Plan) -> Result<Answer, ApiError> {
    let mut body = String::with_capacity(16 + upsert_result::RESULT_BYTES * plan.outcomes.len());
    body.push_str("{\"results\":[");
    for (index, outcome) in plan.outcomes.iter().enumerate() {
        body.push_str(if index > 0 { "," } else { "" });
        upsert_result::push(&mut body, index, outcome);
    }
    body.push_str("]}");
    Ok(Answer { status: 200, body, replayed: false })
}
