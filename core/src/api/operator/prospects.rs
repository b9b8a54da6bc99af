//! Prospects: import a batch, erase one (rule O16).

use chrono::{DateTime, NaiveDate};
use serde::Serialize;
use uuid::Uuid;

use super::{request::OperatorRequest, unexpected};
use crate::{
    api::{UpsertStatus, batch_body, error::ApiError, response::Response},
    client::ParseError,
    platform::Platform,
    prospect::read_prospect,
    store::{ImportOutcome, OperatorAnswer, OperatorCommand, OperatorStore},
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

pub(super) async fn import<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let today = date_of(request.context.now);
    let read = batch_body::read(&request.text, "prospects", false, |scanner| read_prospect(scanner, today))?;
    let mut prospects = Vec::new();
    let mut refused = Vec::new();
    for (number, prospect) in (0..).zip(read) {
        refused.push(prospect.map(|fields| prospects.push((request.context.mint.id(number), fields))).err());
    }
    if prospects.is_empty() {
        return import_response(refused, Vec::new());
    }
    let subject = prospects.len().to_string();
    let command = OperatorCommand::ImportProspects { prospects };
    match request.run(command, "prospect.import", subject).await? {
        OperatorAnswer::Imported(outcomes) => import_response(refused, outcomes),
        _ => unexpected(),
    }
}

pub(super) async fn erase<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let id = request.path.id;
    let command = OperatorCommand::EraseProspect { prospect: id };
    match request.run(command, "prospect.erase", id.to_string()).await? {
        OperatorAnswer::Erased => Response::ok(&ProspectErasedBody { prospect: Erased { id, erased: true } }),
        _ => unexpected(),
    }
}

/// The result of each prospect: why it was refused, or else its outcome.
fn import_response(refused: Vec<Option<ParseError>>, outcomes: Vec<ImportOutcome>) -> Result<Response, ApiError> {
    let mut outcomes = outcomes.into_iter();
    let results = refused.into_iter().enumerate().map(|(index, refused)| match refused {
        Some(error) => {
            ImportResult { index, status: UpsertStatus::Error.name(), id: None, message: Some(error.to_string()) }
        }
        None => import_result(index, outcomes.next()),
    });
    Response::ok(&ResultsBody { results: results.collect() })
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
