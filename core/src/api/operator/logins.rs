//! Logins: add one, change its role.

use serde::Serialize;

use super::{
    input::{fields, required_email, required_role},
    request::OperatorRequest,
    unexpected,
};
use crate::{
    account::{Login, Role},
    api::{error::ApiError, reply::Reply},
    store::{OperatorAnswer, OperatorCommand, Store},
};

#[derive(Serialize)]
struct LoginBody {
    login: Login,
}

pub(super) async fn add<S: Store>(request: &OperatorRequest<'_, S>) -> Result<Reply, ApiError> {
    let (email, role) = fields(&request.text, &["email", "role"], |reader| {
        (
            reader.read("email", required_email).unwrap_or_default(),
            reader.read("role", required_role).unwrap_or(Role::ViewOnly),
        )
    })?;
    let (id, account) = (request.context.mint.id(0), request.path.account);
    let command = OperatorCommand::AddLogin { id, account, email: email.into(), role };
    login_reply(request.run(command, "login.add", id.to_string()).await?)
}

pub(super) async fn set_role<S: Store>(request: &OperatorRequest<'_, S>) -> Result<Reply, ApiError> {
    let login = request.path.id;
    let role = fields(&request.text, &["role"], |reader| reader.read("role", required_role).unwrap_or(Role::ViewOnly))?;
    login_reply(request.run(OperatorCommand::SetRole { login, role }, "login.set_role", login.to_string()).await?)
}

fn login_reply(answer: OperatorAnswer) -> Result<Reply, ApiError> {
    match answer {
        OperatorAnswer::Login(login) => Reply::ok(&LoginBody { login }),
        _ => unexpected(),
    }
}
