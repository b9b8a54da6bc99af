//! `POST /clients`: add or update up to 500 clients (reference section 4.1).

use serde::Serialize;

use super::upsert_result::UpsertResult;
use crate::{
    api::{
        Api, RequestBody,
        caller::Caller,
        error::ApiError,
        exchange::Exchange,
        idempotency::{self, Idempotency},
        json_body,
        query::Query,
        reply::{Reply, to_json},
    },
    client::parse_client_token,
    gate::Gate,
    plan::{Batch, Plan},
    platform::Platform,
    store::{Answer, Store},
};

/// The most clients in one batch (reference section 8).
const BATCH_LIMIT: usize = 500;

#[derive(Serialize)]
struct ResultsBody<'a> {
    results: Vec<UpsertResult<'a>>,
}

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
        let members = json_body::members(&text, &["clients", "dry_run", "explain"])?;
        json_body::refuse_reserved(&members)?;
        let inputs =
            json_body::elements(&members, "clients", BATCH_LIMIT)?.into_iter().map(parse_client_token).collect();
        let batch = Batch::new(caller.account, inputs, exchange.mint, false);
        let idempotency =
            idempotency_key.map(|key| Idempotency { key, request_digest: idempotency::digest(exchange.head, &text) });
        self.submit(exchange, caller, batch, idempotency, answer).await
    }
}

fn answer(plan: &Plan) -> Result<Answer, ApiError> {
    let results = plan.outcomes.iter().enumerate().map(|(index, outcome)| UpsertResult::new(index, outcome)).collect();
    let body = String::from_utf8(to_json(&ResultsBody { results })?).unwrap_or_default();
    Ok(Answer { status: 200, body, replayed: false })
}
