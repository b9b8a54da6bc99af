//! Logins: add one, change its role.

use serde::Serialize;

use super::{
    input::{fields, required_email, required_role},
    path_id, unexpected,
};
use crate::{
    account::{Login, Role},
    api::{Api, RequestBody, error::ApiError, exchange::Exchange, reply::Reply},
    gate::Gate,
    platform::Platform,
    store::{OperatorAnswer, OperatorCommand, Refusal, Store},
};

#[derive(Serialize)]
struct LoginBody {
    login: Login,
}

impl<S: Store, G: Gate, P: Platform> Api<S, G, P> {
    pub(super) async fn add_login<B: RequestBody>(
        &self,
        exchange: &Exchange<'_>,
        account: &str,
        body: B,
    ) -> Result<Reply, ApiError> {
        let account = path_id(account, Refusal::NoAccount)?;
        let text = self.operator_body(exchange, body).await?;
        let (email, role) = fields(&text, &["email", "role"], |reader| {
            (
                reader.read("email", required_email).unwrap_or_default(),
                reader.read("role", required_role).unwrap_or(Role::ViewOnly),
            )
        })?;
        let id = exchange.mint.id(0);
        let command = OperatorCommand::AddLogin { id, account, email: email.into(), role };
        login_reply(self.command(exchange, command, "login.add", id.to_string()).await?)
    }

    pub(super) async fn set_role<B: RequestBody>(
        &self,
        exchange: &Exchange<'_>,
        login: &str,
        body: B,
    ) -> Result<Reply, ApiError> {
        let login = path_id(login, Refusal::NoLogin)?;
        let text = self.operator_body(exchange, body).await?;
        let role = fields(&text, &["role"], |reader| reader.read("role", required_role).unwrap_or(Role::ViewOnly))?;
        let command = OperatorCommand::SetRole { login, role };
        login_reply(self.command(exchange, command, "login.set_role", login.to_string()).await?)
    }
}

fn login_reply(answer: OperatorAnswer) -> Result<Reply, ApiError> {
    match answer {
        OperatorAnswer::Login(login) => Reply::ok(&LoginBody { login }),
        _ => unexpected(),
    }
}
