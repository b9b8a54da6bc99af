//! Keys: create (shown once), list, revoke (reference section 5).

use serde::Serialize;
use uuid::Uuid;

use super::{input::optional_fields, path_id, unexpected};
use crate::{
    account::KeyRecord,
    api::{Api, RequestBody, error::ApiError, exchange::Exchange, reply::Reply},
    gate::Gate,
    key::{self, KeyDigest},
    normalize::{self, Problem},
    platform::Platform,
    store::{OperatorAnswer, OperatorCommand, Refusal, Store},
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

impl<S: Store, G: Gate, P: Platform> Api<S, G, P> {
    pub(super) async fn create_key<B: RequestBody>(
        &self,
        exchange: &Exchange<'_>,
        account: &str,
        body: B,
    ) -> Result<Reply, ApiError> {
        let account = path_id(account, Refusal::NoAccount)?;
        let text = self.operator_body(exchange, body).await?;
        let (login, label) = optional_fields(&text, &["login_id", "label"], |reader| {
            let login = reader.read("login_id", |value| {
                let text = normalize::text(value, 200)?;
                let id = text.map(|text| Uuid::try_parse(&text)).transpose();
                id.map_err(|_| Problem("must be the id of a login".into()))
            });
            (login, reader.name("label"))
        })?;
        let key = key::new_key(&self.settings.key_prefix, self.platform.random());
        let (id, digest) = (exchange.mint.id(0), KeyDigest::of(&key));
        let command = OperatorCommand::CreateKey { id, account, login, label: label.map(Into::into), digest };
        match self.command(exchange, command, "key.create", id.to_string()).await? {
            OperatorAnswer::Key(record) => Reply::ok(&KeyBody { key: KeyMember { record, key: Some(key) } }),
            _ => unexpected(),
        }
    }

    pub(super) async fn list_keys(&self, exchange: &Exchange<'_>, account: &str) -> Result<Reply, ApiError> {
        let account = path_id(account, Refusal::NoAccount)?;
        let command = OperatorCommand::ListKeys { account };
        match self.command(exchange, command, "key.list", account.to_string()).await? {
            OperatorAnswer::Keys(keys) => Reply::ok(&KeysBody { keys }),
            _ => unexpected(),
        }
    }

    pub(super) async fn revoke_key(&self, exchange: &Exchange<'_>, key: &str) -> Result<Reply, ApiError> {
        let key = path_id(key, Refusal::NoKey)?;
        let command = OperatorCommand::RevokeKey { key };
        match self.command(exchange, command, "key.revoke", key.to_string()).await? {
            OperatorAnswer::Key(record) => Reply::ok(&KeyBody { key: KeyMember { record, key: None } }),
            _ => unexpected(),
        }
    }
}
