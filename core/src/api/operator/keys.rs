//! API keys: create, list, revoke (rules K4 to K6, K12 and K13).

use serde::Serialize;
use uuid::Uuid;

use super::{
    input::{optional_fields, time},
    request::OperatorRequest,
    unexpected,
};
use crate::{
    account::KeyRecord,
    api::{error::ApiError, response::Response},
    key::{KeyLimits, KeyScope},
    normalize::{self, FieldValue, Problem, ProblemKind},
    platform::Platform,
    store::{OperatorAnswer, OperatorCommand, OperatorStore},
    time::Timestamp,
};

const WRONG_SECRET: &str = "The service has another key secret than the one that this database's keys were made with, \
                            and so refuses them all; start it with that secret.";

#[derive(Serialize)]
struct KeyBody {
    key: KeyMember,
}

#[derive(Serialize)]
struct KeyMember {
    #[serde(flatten)]
    record: KeyRecord,
    /// The key itself, in the response that creates it only.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

#[derive(Serialize)]
struct KeysBody {
    keys: Vec<KeyRecord>,
}

pub(super) async fn create<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
    random: [u8; 32],
) -> Result<Response, ApiError> {
    let account = request.path.account;
    let now = request.context.now;
    let (login, label, limits) =
        optional_fields(&request.text, &["login_id", "label", "scope", "ends_at"], |reader| {
            let login = reader.read("login_id", |value| {
                let text = normalize::text(value, 200)?;
                let id = text.map(|text| Uuid::try_parse(&text)).transpose();
                id.map_err(|_| Problem::fixed(ProblemKind::NotAllowed, "must be the id of a login"))
            });
            let label = reader.name("label");
            let scope = reader.read("scope", scope);
            let ends_at = reader.read("ends_at", |value| end(value, now));
            (login, label, KeyLimits { scope, ends_at })
        })?;
    // A key of a secret that no other key has would hide that the others are refused (rule K11).
    if !request.key_secrets.fit(&request.recorded_secrets().await?) {
        return Err(ApiError::invalid(WRONG_SECRET));
    }
    let number = request.account().await?.number;
    let random = random.first_chunk().unwrap_or(&[0; 20]);
    let key = request.key_secrets.new_key(&request.settings.key_prefix, number, *random);
    let (id, stored) = (request.context.mint.id(0), request.key_secrets.stored(&key));
    let command = OperatorCommand::CreateKey { id, account, login, label: label.map(Into::into), limits, key: stored };
    key_response(request.run(command, "key.create", id.to_string()).await?, Some(key))
}

pub(super) async fn list<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let account = request.path.account;
    match request.run(OperatorCommand::ListKeys { account }, "key.list", account.to_string()).await? {
        OperatorAnswer::Keys(keys) => Response::ok(&KeysBody { keys }),
        _ => unexpected(),
    }
}

pub(super) async fn revoke<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let key = request.path.id;
    key_response(request.run(OperatorCommand::RevokeKey { key }, "key.revoke", key.to_string()).await?, None)
}

/// What a key is limited to (rule K12).
fn scope(value: &FieldValue<'_>) -> Result<Option<KeyScope>, Problem> {
    let Some(text) = normalize::text(value, 200)? else { return Ok(None) };
    let scope = KeyScope::from_name(&text);
    scope.map(Some).ok_or(Problem::fixed(ProblemKind::NotAllowed, "must be clients or prospects, or null for both"))
}

/// A key's end, which lies after the request (rule K13).
fn end(value: &FieldValue<'_>, now: Timestamp) -> Result<Option<Timestamp>, Problem> {
    let end = time(value)?;
    if end.is_some_and(|end| end <= now) {
        return Err(Problem::fixed(ProblemKind::NotAllowed, "must lie in the future"));
    }
    Ok(end)
}

fn key_response(answer: OperatorAnswer, key: Option<String>) -> Result<Response, ApiError> {
    match answer {
        OperatorAnswer::Key(record) => Response::ok(&KeyBody { key: KeyMember { record, key } }),
        _ => unexpected(),
    }
}
