//! Logins: list them, add one, change its role, remove it.

use serde::Serialize;

use super::{
    input::{fields, required_email, required_role},
    request::OperatorRequest,
    unexpected,
};
use crate::{
    account::{Login, Role},
    api::{error::ApiError, response::Response},
    platform::Platform,
    store::{OperatorAnswer, OperatorCommand, OperatorStore},
};

#[derive(Serialize)]
struct LoginBody {
    login: Login,
}

#[derive(Serialize)]
struct LoginsBody {
    logins: Vec<Login>,
}

pub(super) async fn list<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    Response::ok(&LoginsBody { logins: request.account().await?.logins })
}

pub(super) async fn add<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let (email, role) = fields(&request.text, &["email", "role"], |reader| {
        (
            reader.read("email", required_email).unwrap_or_default(),
            reader.read("role", required_role).unwrap_or(Role::ViewOnly),
        )
    })?;
    let (id, account) = (request.context.mint.id(0), request.path.account);
    let command = OperatorCommand::AddLogin { id, account, email: email.into(), role };
    login_response(request.run(command, "login.add", id.to_string()).await?)
}

pub(super) async fn set_role<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let login = request.path.id;
    let role = fields(&request.text, &["role"], |reader| reader.read("role", required_role).unwrap_or(Role::ViewOnly))?;
    login_response(request.run(OperatorCommand::SetRole { login, role }, "login.set_role", login.to_string()).await?)
}

pub(super) async fn remove<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
) -> Result<Response, ApiError> {
    let login = request.path.id;
    login_response(request.run(OperatorCommand::RemoveLogin { login }, "login.remove", login.to_string()).await?)
}

fn login_response(answer: OperatorAnswer) -> Result<Response, ApiError> {
    match answer {
        OperatorAnswer::Login(login) => Response::ok(&LoginBody { login }),
        _ => unexpected(),
    }
}
