//! Prospects: import in batches, erase one.

use chrono::{DateTime, NaiveDate};
use serde::Serialize;
use uuid::Uuid;

use super::{path_id, unexpected};
use crate::{
    api::{Api, RequestBody, UpsertStatus, batch_body, error::ApiError, exchange::Exchange, reply::Reply},
    gate::Gate,
    platform::Platform,
    prospect::read_prospect,
    store::{ImportOutcome, OperatorAnswer, OperatorCommand, Refusal, Store},
    time::Timestamp,
};

#[derive(Serialize)]
struct ResultsBody {
    results: Vec<ImportResult>,
}

#[derive(Serialize)]
struct ImportResult {
    index: usize,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Erased {
    pub(super) id: Uuid,
    pub(super) erased: bool,
}

#[derive(Serialize)]
struct ProspectErasedBody {
    prospect: Erased,
}

impl<S: Store, G: Gate, P: Platform> Api<S, G, P> {
    pub(super) async fn import_prospects<B: RequestBody>(
        &self,
        exchange: &Exchange<'_>,
        body: B,
    ) -> Result<Reply, ApiError> {
        let text = self.operator_body(exchange, body).await?;
        let today = date_of(exchange.now);
        let read = batch_body::read(&text, "prospects", false, |scanner| read_prospect(scanner, today))?;
        let mut prospects = Vec::new();
        let mut results = Vec::new();
        for (number, prospect) in (0..).zip(read) {
            results.push(prospect.map(|fields| prospects.push((exchange.mint.id(number), fields))).err());
        }
        let outcomes = self.import(exchange, prospects).await?;
        let mut outcomes = outcomes.into_iter();
        let results = results.into_iter().enumerate().map(|(index, refused)| match refused {
            Some(message) => {
                ImportResult { index, status: UpsertStatus::Error.name(), id: None, message: Some(message) }
            }
            None => import_result(index, outcomes.next()),
        });
        Reply::ok(&ResultsBody { results: results.collect() })
    }

    async fn import(
        &self,
        exchange: &Exchange<'_>,
        prospects: Vec<(Uuid, crate::prospect::ProspectFields)>,
    ) -> Result<Vec<ImportOutcome>, ApiError> {
        if prospects.is_empty() {
            return Ok(Vec::new());
        }
        let subject = prospects.len().to_string();
        let command = OperatorCommand::ImportProspects { prospects };
        match self.command(exchange, command, "prospect.import", subject).await? {
            OperatorAnswer::Imported(outcomes) => Ok(outcomes),
            _ => unexpected(),
        }
    }

    pub(super) async fn erase_prospect(&self, exchange: &Exchange<'_>, prospect: &str) -> Result<Reply, ApiError> {
        let id = path_id(prospect, Refusal::NoProspect)?;
        let command = OperatorCommand::EraseProspect { prospect: id };
        match self.command(exchange, command, "prospect.erase", id.to_string()).await? {
            OperatorAnswer::Erased => Reply::ok(&ProspectErasedBody { prospect: Erased { id, erased: true } }),
            _ => unexpected(),
        }
    }
}

fn import_result(index: usize, outcome: Option<ImportOutcome>) -> ImportResult {
    let (status, id, message) = match outcome {
        Some(ImportOutcome::Created(id)) => (UpsertStatus::Created, Some(id), None),
        Some(ImportOutcome::Updated(id)) => (UpsertStatus::Updated, Some(id), None),
        Some(ImportOutcome::Erased) => (
            UpsertStatus::Error,
            None,
            Some("source_id belongs to an erased prospect and is not brought back.".to_owned()),
        ),
        None => (UpsertStatus::Error, None, Some("The import was not finished; send this prospect again.".to_owned())),
    };
    ImportResult { index, status: status.name(), id, message }
}

fn date_of(time: Timestamp) -> NaiveDate {
    DateTime::from_timestamp_micros(time.micros()).map_or(NaiveDate::MAX, |time| time.date_naive())
}
