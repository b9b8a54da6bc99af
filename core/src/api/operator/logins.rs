//! Logins: add one, change its role.

use serde::Serialize;

use super::{
    call::{Call, Step},
    input::{fields, required_email, required_role},
    unexpected,
};
use crate::{
    account::{Login, Role},
    api::{error::ApiError, reply::Reply},
    store::{OperatorAnswer, OperatorCommand},
};

#[derive(Serialize)]
struct LoginBody {
    login: Login,
}

pub(super) fn add(call: &Call<'_>) -> Result<Step, ApiError> {
    let (email, role) = fields(&call.text, &["email", "role"], |reader| {
        (
            reader.read("email", required_email).unwrap_or_default(),
            reader.read("role", required_role).unwrap_or(Role::ViewOnly),
        )
    })?;
    let (id, account) = (call.exchange.mint.id(0), call.named.account);
    let command = OperatorCommand::AddLogin { id, account, email: email.into(), role };
    Ok(call.ask(command, "login.add", id.to_string(), login_reply))
}

pub(super) fn set_role(call: &Call<'_>) -> Result<Step, ApiError> {
    let login = call.named.id;
    let role = fields(&call.text, &["role"], |reader| reader.read("role", required_role).unwrap_or(Role::ViewOnly))?;
    Ok(call.ask(OperatorCommand::SetRole { login, role }, "login.set_role", login.to_string(), login_reply))
}

fn login_reply(answer: OperatorAnswer) -> Result<Reply, ApiError> {
    match answer {
        OperatorAnswer::Login(login) => Reply::ok(&LoginBody { login }),
        _ => unexpected(),
    }
}
