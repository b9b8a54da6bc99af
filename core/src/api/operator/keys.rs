//! Keys: create (shown once), list, revoke (reference section 5).

use serde::Serialize;
use uuid::Uuid;

use super::{
    call::{Call, Step},
    input::optional_fields,
    unexpected,
};
use crate::{
    account::KeyRecord,
    api::{error::ApiError, reply::Reply},
    key::{self, KeyDigest},
    normalize::{self, Problem},
    store::{OperatorAnswer, OperatorCommand},
};

#[derive(Serialize)]
struct KeyBody {
    key: KeyMember,
}

#[derive(Serialize)]
struct KeyMember {
    #[serde(flatten)]
    record: KeyRecord,
    /// The key itself, in the one answer that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

#[derive(Serialize)]
struct KeysBody {
    keys: Vec<KeyRecord>,
}

pub(super) fn create(call: &Call<'_>, random: [u8; 32]) -> Result<Step, ApiError> {
    let account = call.named.account;
    let (login, label) = optional_fields(&call.text, &["login_id", "label"], |reader| {
        let login = reader.read("login_id", |value| {
            let text = normalize::text(value, 200)?;
            let id = text.map(|text| Uuid::try_parse(&text)).transpose();
            id.map_err(|_| Problem("must be the id of a login".into()))
        });
        (login, reader.name("label"))
    })?;
    let key = key::new_key(&call.settings.key_prefix, random);
    let (id, digest) = (call.exchange.mint.id(0), KeyDigest::of(&key));
    let command = OperatorCommand::CreateKey { id, account, login, label: label.map(Into::into), digest };
    Ok(call.ask(command, "key.create", id.to_string(), |answer| key_reply(answer, Some(key))))
}

pub(super) fn list(call: &Call<'_>) -> Step {
    let account = call.named.account;
    call.ask(OperatorCommand::ListKeys { account }, "key.list", account.to_string(), |answer| match answer {
        OperatorAnswer::Keys(keys) => Reply::ok(&KeysBody { keys }),
        _ => unexpected(),
    })
}

pub(super) fn revoke(call: &Call<'_>) -> Step {
    let key = call.named.id;
    call.ask(OperatorCommand::RevokeKey { key }, "key.revoke", key.to_string(), |answer| key_reply(answer, None))
}

fn key_reply(answer: OperatorAnswer, key: Option<String>) -> Result<Reply, ApiError> {
    match answer {
        OperatorAnswer::Key(record) => Reply::ok(&KeyBody { key: KeyMember { record, key } }),
        _ => unexpected(),
    }
}
