//! One client of an account: show it as it is now, let it be mailed again, erase it.

use serde::Serialize;
use uuid::Uuid;

use super::{path_id, prospects::Erased, unexpected};
use crate::{
    api::{Api, error::ApiError, exchange::Exchange, reply::Reply},
    client::push_client,
    gate::Gate,
    platform::Platform,
    store::{OperatorAnswer, OperatorCommand, Refusal, Store},
};

#[derive(Serialize)]
struct ClientErasedBody {
    client: Erased,
}

impl<S: Store, G: Gate, P: Platform> Api<S, G, P> {
    pub(super) async fn show_client(
        &self,
        exchange: &Exchange<'_>,
        account: &str,
        client: &str,
    ) -> Result<Reply, ApiError> {
        let (account, client) = ids(account, client)?;
        let command = OperatorCommand::ShowClient { account, client };
        client_reply(self.command(exchange, command, "client.show", client.to_string()).await?)
    }

    pub(super) async fn mail_on(
        &self,
        exchange: &Exchange<'_>,
        account: &str,
        client: &str,
    ) -> Result<Reply, ApiError> {
        let (account, client) = ids(account, client)?;
        let client_delay_seconds = self.settings.client_delay_seconds;
        let command = OperatorCommand::MailOn { account, client, client_delay_seconds };
        client_reply(self.command(exchange, command, "client.mail_on", client.to_string()).await?)
    }

    pub(super) async fn erase_client(
        &self,
        exchange: &Exchange<'_>,
        account: &str,
        client: &str,
    ) -> Result<Reply, ApiError> {
        let (account, id) = ids(account, client)?;
        let command = OperatorCommand::EraseClient { account, client: id };
        match self.command(exchange, command, "client.erase", id.to_string()).await? {
            OperatorAnswer::Erased => Reply::ok(&ClientErasedBody { client: Erased { id, erased: true } }),
            _ => unexpected(),
        }
    }
}

/// The ids of the path.
fn ids(account: &str, client: &str) -> Result<(Uuid, Uuid), ApiError> {
    Ok((path_id(account, Refusal::NoAccount)?, path_id(client, Refusal::NoClient)?))
}

fn client_reply(answer: OperatorAnswer) -> Result<Reply, ApiError> {
    match answer {
        OperatorAnswer::Client(client) => {
            let mut body = "{\"client\":".to_owned();
            push_client(&mut body, &client.borrowed());
            body.push('}');
            Ok(Reply::ok_json(body))
        }
        _ => unexpected(),
    }
}
