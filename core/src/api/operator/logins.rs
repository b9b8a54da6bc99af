//! Logins: list them, add one, change its role, remove it, make a sign-in link (rule G2).

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
    sign_in::{LINK_SECONDS, LinkDigest, console_origin, link_url, new_token},
    store::{OperatorAnswer, OperatorCommand, OperatorStore},
    time::Timestamp,
};

#[derive(Serialize)]
struct LoginBody {
    login: Login,
}

#[derive(Serialize)]
struct LinkBody {
    link: LinkMember,
}

#[derive(Serialize)]
struct LinkMember {
    url: String,
    expires_at: Timestamp,
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

/// Makes a sign-in link from 32 random bytes. This answer alone shows it.
pub(super) async fn make_link<S: OperatorStore, P: Platform>(
    request: &OperatorRequest<'_, S, P>,
    random: [u8; 32],
) -> Result<Response, ApiError> {
    let login = request.path.id;
    // A build without the console has no link to make.
    if !cfg!(feature = "console") || !request.settings.console {
        return Err(ApiError::invalid("The console is turned off (MATTERBOOK_CONSOLE), so nobody can sign in."));
    }
    let Some(public_url) = console_origin(request.settings, &request.context.head.headers) else {
        return Err(ApiError::invalid(
            "The service does not know the address of its console. Set MATTERBOOK_PUBLIC_URL to the address at which people open it, \
             such as https://matterbook.example.com.",
        ));
    };
    let token = new_token(random);
    let expires_at = request.context.now.plus_seconds(LINK_SECONDS);
    let command = OperatorCommand::MakeLink { login, link: LinkDigest::of(&token), expires_at };
    match request.run(command, "login.link", login.to_string()).await? {
        OperatorAnswer::Login(_) => {
            Response::ok(&LinkBody { link: LinkMember { url: link_url(&public_url, &token), expires_at } })
        }
        _ => unexpected(),
    }
}

fn login_response(answer: OperatorAnswer) -> Result<Response, ApiError> {
    match answer {
        OperatorAnswer::Login(login) => Response::ok(&LoginBody { login }),
        _ => unexpected(),
    }
}
